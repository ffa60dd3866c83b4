"""How long a host waits for its hook, against /bin/true started the same way.

    cargo build --release && python3 tests/bench/hook.py [PROGRAM]

A made-up transcript of 50 MB; the median of 20 runs each, one of each by turns. The bound is 1.5 times /bin/true plus
15 ms. It also tells when the memory was there, counted from the hook's end.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 20
SIZE = 50 * 1000 * 1000


def transcript(path, cwd):
    """A Claude Code session: one thing worth keeping, and tool output around it."""
    row = {
        "type": "user", "uuid": "u0", "sessionId": "long", "timestamp": "2026-02-03T10:00:00.000Z", "cwd": cwd,
        "version": "2.1.0", "isSidechain": False, "userType": "external",
        "message": {"role": "user", "content": "I prefer short answers."},
    }
    noise = dict(row, message={"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t", "content": "line of a log\n" * 1000}]})
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
        number = 0
        while file.tell() < SIZE:
            number += 1
            file.write(json.dumps(dict(noise, uuid=f"u{number}")) + "\n")


def timed(command, payload, env):
    start = time.perf_counter()
    done = subprocess.run(command, input=payload, env=env, capture_output=True, check=True)
    spent = time.perf_counter() - start
    assert done.stdout == b"" and done.stderr == b"", done
    return spent * 1000


def has_memory(store):
    folder = os.path.join(store, "profiles")
    return os.path.isdir(folder) and any(name.endswith(".md") for name in os.listdir(folder))


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/afterword")
    with tempfile.TemporaryDirectory() as home:
        cwd, path = os.path.join(home, "work"), os.path.join(home, "long.jsonl")
        os.makedirs(os.path.join(cwd, ".git"))
        transcript(path, cwd)
        env = {"HOME": home, "PATH": os.environ["PATH"]}
        payload = json.dumps({
            "session_id": "long", "transcript_path": path, "cwd": cwd, "hook_event_name": "SessionEnd", "reason": "other",
        }).encode()
        hook, true = [], []
        ended = None
        for _ in range(RUNS):
            true.append(timed(["/bin/true"], payload, env))
            hook.append(timed([program, "hook", "claude-code"], payload, env))
            ended = ended or time.perf_counter()
        while not has_memory(os.path.join(cwd, ".reflexio")):
            time.sleep(0.01)
        arrived = time.perf_counter() - ended
        spool = os.path.join(home, ".local/state/afterword/spool")
        while os.listdir(spool):
            time.sleep(0.05)
        time.sleep(1)
    bound = statistics.median(true) * 1.5 + 15
    print(f"/bin/true {statistics.median(true):.1f} ms, hook {statistics.median(hook):.1f} ms "
          f"(from {min(hook):.1f} to {max(hook):.1f}), bound {bound:.1f} ms; memory at most {arrived:.1f} s after")
    sys.exit(statistics.median(hook) > bound)


main()
