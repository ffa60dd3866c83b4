"""How long the page of a store takes to be written, and how long Chromium takes to open it.

    cargo build --release && python3 tests/bench/page.py [--memories N] [--keep FILE] [PROGRAM]

The store holds N memories (1,000 if not said) from three years, some confirmed more than once, some replaced, some expired.
To open is: from the start of the navigation to the load event and the first paint of content, the median of some times,
each in a page of its own. The bound is a second.
"""

import argparse
import datetime
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 5
EACH = 20
BOUND = 1000
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
TIMES = """new Promise(done => setTimeout(() => done([
  performance.getEntriesByType('navigation')[0].loadEventEnd,
  performance.getEntriesByName('first-contentful-paint')[0].startTime,
  document.querySelectorAll('.memory').length]), 500))"""


class Chromium:
    """Chromium without a window, by its DevTools protocol through pipes: file 3 to it, file 4 from it."""

    def __init__(self, profile):
        name = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if not name:
            sys.exit("there is no Chromium")
        its_in, self.to = os.pipe()
        self.back, its_out = os.pipe()
        shell = f'exec "$0" "$@" 3<&{its_in} 4>&{its_out} >/dev/null 2>&1'
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        self.process = subprocess.Popen(["bash", "-c", shell, name, *options], pass_fds=(its_in, its_out))
        self.asked, self.heard = 0, b""

    def ask(self, method, session=None, **params):
        self.asked += 1
        question = {"id": self.asked, "method": method, "params": params} | ({"sessionId": session} if session else {})
        os.write(self.to, json.dumps(question).encode() + b"\0")
        while True:
            while b"\0" not in self.heard:
                self.heard += os.read(self.back, 65536)
            message, self.heard = self.heard.split(b"\0", 1)
            message = json.loads(message)
            if message.get("id") == self.asked:
                return message["result"]

    def opens(self, page):
        """Milliseconds to the load event and to the first paint, and the memories in the page."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.navigate", session, url=f"file://{page}")
        done = "document.readyState === 'complete' && location.protocol === 'file:'"
        while not self.ask("Runtime.evaluate", session, expression=done)["result"].get("value"):
            time.sleep(0.05)
        answer = self.ask("Runtime.evaluate", session, expression=TIMES, awaitPromise=True, returnByValue=True)
        self.ask("Target.closeTarget", targetId=target)
        return answer["result"]["value"]


def said(count):
    chance = random.Random(5)
    word = lambda length: "".join(chance.choice(SYLLABLES) for _ in range(length))
    tools = [(word(3), word(2)) for _ in range(count)]
    for number, (place, thing) in enumerate(tools):
        tool = word(4).capitalize()
        yield f"We use {tool} for the {place} {thing}." if number % 7 else f"以后{tool}的报告都用中文写。"
        # Some of it is said anew with another value, and takes the place of what was said before.
        if number % 11 == 0:
            yield f"We use {word(4).capitalize()} for the {place} {thing}."


def sessions(folder, count):
    start, lines = datetime.datetime(2024, 1, 1), list(said(count))
    between = datetime.timedelta(days=1000 * EACH / len(lines))
    for first in range(0, len(lines), EACH):
        time, name = start + first // EACH * between, f"s{first:05}"
        head = {"type": "session", "version": 3, "id": name, "timestamp": time.isoformat() + "Z", "cwd": "/nowhere/at/all"}
        rows = [head]
        for number, text in enumerate(lines[first:first + EACH]):
            for role, words in (("user", text), ("assistant", "Noted.")):
                time += datetime.timedelta(seconds=30)
                message = {"role": role, "content": [{"type": "text", "text": words}]}
                rows.append({"type": "message", "id": f"{name}-{number}-{role}", "timestamp": time.isoformat() + "Z", "message": message})
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--memories", type=int, default=1000)
    words.add_argument("--keep", type=pathlib.Path)
    words.add_argument("program", nargs="?", default=str(ROOT / "target/release/afterword"))
    asked = words.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        work = pathlib.Path(work)
        (work / "sessions").mkdir()
        sessions(work / "sessions", asked.memories)
        run = lambda *args: subprocess.run(
            [os.path.abspath(asked.program), *args], env={"HOME": str(work), "PATH": os.environ["PATH"]}, check=True,
            capture_output=True, text=True).stdout
        store, page = work / "harbour/.reflexio", work / "page.html"
        run("extract", "--store", store, work / "sessions")
        start = time.perf_counter()
        told = run("report", "--store", store, "--out", page)
        wrote = (time.perf_counter() - start) * 1000
        print(told.splitlines()[-1].strip(), f"{page.stat().st_size / 1e6:.2f} MB, written in {wrote:.0f} ms", sep="; ")
        if asked.keep:
            shutil.copy(page, asked.keep)
        chromium = Chromium(work / "profile")
        times = [chromium.opens(page) for _ in range(RUNS)]
        chromium.process.terminate()
        chromium.process.wait()
    loaded, painted = (statistics.median(run[at] for run in times) for at in (0, 1))
    print(f"{times[0][2]} memories: loaded after {loaded:.0f} ms, painted after {painted:.0f} ms, bound {BOUND} ms "
          f"(load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)")
    sys.exit(max(loaded, painted) > BOUND)


main()
