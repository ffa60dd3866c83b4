"""How fast `replay` reads each format, and how much memory it takes.

    cargo build --release && python3 tests/bench/replay.py [--size MB] [--instructions] [PROGRAM] [FORMAT …]

Makes a mix of about --size megabytes (2,000 if not said) from the transcripts in ../shared/corpus and the generator in
../shared/bench: copies with ids and days of their own, so that none counts as a copy. The bounds are 400 MB/s for JSONL
on two cores, and 300 MB of memory. The wall clock tells the truth on a quiet machine only; beside it stands the rate
that two free cores would give by the processor's time, and, with --instructions, what valgrind counts: instructions for
each byte, and those that any run takes, from two runs over a tenth and a twentieth of the files.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"

# The files of each format in the corpus, and its part of the mix.
MIX = {
    "claude-code": (["claude-code/*.jsonl", "real-clients/claude*.jsonl"], 0.15),
    "codex": (["codex/*.jsonl", "real-clients/codex*.jsonl"], 0.15),
    "openclaw": (["openclaw/*.jsonl"], 0.15),
    "made-up": (["made-up-en/*.jsonl", "made-up-zh/*.jsonl"], 0.05),
    "generated": (None, 0.30),
    "copilot": (["copilot/*.jsonl"], 0.01),
    "codebuddy": (["codebuddy/*.jsonl"], 0.01),
    "gemini": (["gemini/*.json*", "real-clients/gemini*.jsonl"], 0.01),
    "specstory": (["specstory/*.md"], 0.07),
    "cursor-export": (["cursor-export/*.md"], 0.05),
    "aider": (["aider/*.md"], 0.01),
    "sqlite": (["openclaw/*.sqlite", "real-clients/*.sqlite", "real-clients/*.db"], 0.04),
}
# Formats of large JSONL files; those of small files mostly measure how fast files are opened.
JSONL = ("claude-code", "codex", "openclaw", "generated")
RATE, MEMORY = 400, 300

UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
ID = re.compile(rb'"(?:id|uuid|parentUuid|parentId|sessionId|session_id|messageId|leafUuid)":\s*"([^"]{4,64})"')
DAY = re.compile(rb"(20\d\d-\d\d-)\d\d([T ]\d\d:\d\d)")


def varied(text, number):
    """The same transcript with other ids, on another day."""
    tag = b"%06x" % number
    text = UUID.sub(lambda found: found[0][:-6] + tag, text)
    text = ID.sub(lambda found: found[0] if UUID.fullmatch(found[1]) else found[0][:-1] + b"-" + tag + b'"', text)
    return DAY.sub(lambda found: found[1] + b"%02d" % (1 + number % 28) + found[2], text)


def fill(folder, patterns, size):
    """Fills `folder` with `size` bytes."""
    folder.mkdir(parents=True)
    if patterns is None:
        generator = [sys.executable, SHARED / "bench" / "gen_transcript.py", str(max(1, size // 8_000_000))]
        texts = [(f"{n}.jsonl", subprocess.run(generator, capture_output=True, check=True).stdout) for n in (0,)]
    else:
        paths = sorted(path for pattern in patterns for path in (SHARED / "corpus").glob(pattern))
        texts = [(path.name, path.read_bytes()) for path in paths]
    number = 0
    while size > 0:
        for name, text in texts:
            is_database = text.startswith(b"SQLite")
            made = text if is_database else varied(text, number * 7)
            (folder / f"{number:05}-{name}").write_bytes(made)
            number, size = number + 1, size - len(made)
            if size <= 0:
                break


def bytes_in(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


# A process keeps the peak of the one that forked it until it has grown beyond it: so a small one starts the program.
LAUNCH = """
import os, subprocess, sys, time
start = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
print(time.perf_counter() - start, os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def replay(program, folder, home, before=()):
    """Runs `replay` over `folder`; gives seconds by the wall, seconds of the processor, and the peak in MB."""
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "AFTERWORD_STORE": str(home / "store")}
    launched = subprocess.run([sys.executable, "-c", LAUNCH, *before, program, "replay", folder], env=env,
                              capture_output=True, text=True, check=True)
    wall, status, processor, peak = launched.stdout.split()
    assert int(status) in (0, 1), status
    return float(wall), float(processor), int(peak) / 1024


def counted(program, folder, home, part):
    """The bytes in every `part`-th file, and the instructions it takes to replay them."""
    few = home.parent / "few"
    shutil.rmtree(few, ignore_errors=True)
    few.mkdir()
    for path in sorted(folder.iterdir())[::part]:
        os.link(path, few / path.name)
    out = home.parent / "callgrind"
    replay(program, few, home, ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"])
    found = re.findall(r"^(?:summary|totals): (\d+)", out.read_text(errors="replace"), re.M)
    return bytes_in(few), int(found[-1])


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--size", type=int, default=2000)
    words.add_argument("--instructions", action="store_true")
    words.add_argument("program", nargs="?", default=str(ROOT / "target/release/afterword"))
    words.add_argument("formats", nargs="*")
    asked = words.parse_args()
    program, failed = os.path.abspath(asked.program), []
    with tempfile.TemporaryDirectory() as work:
        mix, home = pathlib.Path(work) / "mix", pathlib.Path(work) / "home"
        for name, (patterns, share) in MIX.items():
            if not asked.formats or name in asked.formats:
                fill(mix / name, patterns, int(asked.size * share * 1e6))
        for folder in [*sorted(mix.iterdir()), mix]:
            size = bytes_in(folder)
            wall, processor, peak = replay(program, folder, home)
            rate, free = size / 1e6 / wall, 2 * size / 1e6 / processor
            line = f"{'all' if folder == mix else folder.name:14} {size / 1e6:6.0f} MB  {wall:6.2f} s  {rate:5.0f} MB/s"
            line += f"  ({free:5.0f} at two free cores)  peak {peak:4.0f} MB"
            if asked.instructions and folder != mix:
                (large, many), (small, fewer) = (counted(program, folder, home, part) for part in (10, 20))
                each = (many - fewer) / max(1, large - small)
                line += f"  {each:5.1f} instructions a byte, {(fewer - each * small) / 1e6:5.0f} million at the start"
            print(line, flush=True)
            if peak > MEMORY or (folder.name in JSONL and rate < RATE):
                failed.append(folder.name)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    sys.exit(f"below the bounds: {', '.join(failed)}" if failed else 0)


main()
