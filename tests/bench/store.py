"""How long `extract` of one small session takes into an empty store and into a large one.

    cargo build --release && python3 tests/bench/store.py [--memories N] [--instructions] [PROGRAM]

The large store holds N memories (100,000 if not said), learned from made-up sessions in which a person tells of so many
different things. The bound is three times what the empty store takes, plus 300 ms. --instructions counts with valgrind.
"""

import argparse
import datetime
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 5
EACH = 500
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


def session(path, name, start, said):
    """A session in which these things are said, a minute apart."""
    row = {"type": "session", "version": 3, "id": name, "timestamp": start.isoformat() + ".000Z", "cwd": "/nowhere/at/all"}
    rows = [row]
    for number, text in enumerate(said):
        for role, words in (("user", text), ("assistant", "Noted.")):
            start += datetime.timedelta(seconds=30)
            rows.append({
                "type": "message", "id": f"{name}-{number}-{role}", "timestamp": start.isoformat() + ".000Z",
                "message": {"role": role, "content": [{"type": "text", "text": words}]},
            })
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def things(count):
    chance = random.Random(5)
    word = lambda length: "".join(chance.choice(SYLLABLES) for _ in range(length))
    for _ in range(count):
        yield f"We use {word(4).capitalize()} for the {word(4)} {word(3)}."


def extract(program, store, source, before=()):
    start = time.perf_counter()
    env = {"HOME": str(store.parent), "PATH": os.environ["PATH"]}
    command = [*before, program, "extract", "--format", "jsonl", "--store", store, source]
    done = subprocess.run(command, env=env, capture_output=True, check=True)
    return time.perf_counter() - start, json.loads(done.stdout.splitlines()[-1])["summary"]


def median(program, store, source, work):
    """The median of some runs, each into the store as it was."""
    took = []
    for _ in range(RUNS):
        shutil.rmtree(work / "copy", ignore_errors=True)
        if store:
            shutil.copytree(store, work / "copy", copy_function=os.link)
            # The ledger grows in place.
            ledger = pathlib.Path(".ledger/ledger.jsonl")
            (work / "copy" / ledger).unlink()
            shutil.copy(store / ledger, work / "copy" / ledger)
        seconds, summary = extract(program, work / "copy", source)
        assert summary["created"] == 1, summary
        took.append(seconds * 1000)
    return statistics.median(took)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--memories", type=int, default=100_000)
    words.add_argument("--instructions", action="store_true")
    words.add_argument("program", nargs="?", default=str(ROOT / "target/release/afterword"))
    asked = words.parse_args()
    program = os.path.abspath(asked.program)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "sessions").mkdir()
        start, said = datetime.datetime(2026, 1, 1), list(things(asked.memories))
        for first in range(0, asked.memories, EACH):
            begun = start + datetime.timedelta(minutes=first)
            session(work / "sessions" / f"{first:07}.jsonl", f"s{first}", begun, said[first:first + EACH])
        small = work / "small.jsonl"
        session(small, "small", datetime.datetime(2026, 9, 1), ["I prefer short answers."])
        seconds, summary = extract(program, work / "store", work / "sessions")
        print(f"{summary['created']:,} memories learned in {seconds:.1f} s", flush=True)
        if asked.instructions:
            shutil.copytree(work / "store", work / "counted")
            out = work / "callgrind"
            before = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
            extract(program, work / "counted", small, before)
            count = int(re.findall(r"^(?:summary|totals): (\d+)", out.read_text(errors="replace"), re.M)[-1])
            print(f"{count / 1e6:,.0f} million instructions, {count / summary['created']:,.0f} for each memory", flush=True)
        empty, large = median(program, None, small, work), median(program, work / "store", small, work)
    bound = 3 * empty + 300
    print(f"empty store {empty:.0f} ms, large store {large:.0f} ms, bound {bound:.0f} ms "
          f"(load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)")
    sys.exit(large > bound)


main()
