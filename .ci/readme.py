#!/usr/bin/env python3
"""Put what the program prints today into README.md.

    cargo build && python3 .ci/readme.py

In a ```console block the lines below a `$ afterword …` are its output; `…` stands for lines that are not shown. Each shown
stretch is looked for in the new output by its first line, numbers and ids aside, and taken over with as many lines. A test
(tests/tidy/readme.rs) fails while the README shows anything else than the program prints.
"""
import os, re, subprocess

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
TYPED = re.compile(r"^\$ (?:afterword|cargo run --release --) (.*)$")


def printed(args):
    home = {"HOME": os.path.join(os.getcwd(), "target", "no-home")}
    return subprocess.run(["target/debug/afterword", *args.split(" ")], capture_output=True, text=True, env=home, check=True).stdout.splitlines()


def blurred(line):
    return re.sub(r"-[a-z0-9]{10}\.md|[+-]?\d+\.\d+", "#", line)


def renewed(shown, lines):
    out, at, fresh = [], 0, True
    for line in shown:
        if line == "…":
            out.append(line)
            fresh = True
            continue
        if fresh and line:
            places = [i for i in range(at, len(lines)) if blurred(lines[i]) == blurred(line)]
            if not places:
                raise SystemExit(f"README.md: the program no longer prints\n{line}")
            at, fresh = places[0], False
        out.append(lines[at] if not fresh else line)
        at += not fresh
    return out


def block(match):
    out, rest = [], match.group(1).splitlines()
    while rest:
        head, rest = rest[0], rest[1:]
        end = next((i for i, line in enumerate(rest) if line.startswith("$ ")), len(rest))
        shown, rest = rest[:end], rest[end:]
        typed = TYPED.match(head)
        out += [head, *(renewed(shown, printed(typed.group(1))) if typed and shown else shown)]
    return "```console\n" + "\n".join(out) + "\n```"


with open("README.md", encoding="utf-8") as file:
    text = file.read()
text = re.sub(r"```console\n(.*?)\n```", block, text, flags=re.S)
with open("README.md", "w", encoding="utf-8") as file:
    file.write(text)
