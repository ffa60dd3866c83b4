function start(host, note) {
  const child = spawn(PROGRAM, ["hook", host], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    windowsHide: true,
  })
  child.on("error", () => {})
  child.stdin.on("error", () => {})
  child.stdin.end(JSON.stringify(note))
  child.unref()
}
