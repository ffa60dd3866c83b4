"""How long a search takes, the whole process, in a store of ten thousand memories (or as many as are asked for).

    cargo build --release && python3 tests/bench/search.py [PROGRAM] [COUNT]

Made-up memories, half of them Chinese, a third of them playbooks. The first search makes the index; then the median of
20 warm ones for each question. The bound is 60 ms for ten thousand.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 20
BOUND = 60
QUESTIONS = ["the turbine of the lighthouse", "灯塔的水泵定为什么", "how should the saddle at the pier be kept", "turbnie"]
THINGS = ["pump", "ladder", "turbine", "saddle", "kettle", "mirror", "gearbox", "umbrella", "compass", "easel"]
PLACES = ["barn", "pier", "lighthouse", "quarry", "orchard", "theatre", "tunnel", "brewery", "hangar", "mill"]
ITEMS = ["水泵", "梯子", "窗帘", "阀门", "天线", "地毯", "屋顶", "锅炉", "镜子", "雨伞"]
SITES = ["谷仓", "码头", "车间", "果园", "港口", "灯塔", "画廊", "水库", "剧场", "隧道"]
SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo xu za".split()


def memory(number):
    """Kind, id and body of one memory."""
    word = "".join(random.choice(SYLLABLES) for _ in range(4))
    if number % 2:
        about = f"The {word} {random.choice(THINGS)} of the {random.choice(PLACES)}"
        what = f"is kept dry and has the number {number}"
    else:
        about, what = f"{random.choice(SITES)}的{random.choice(ITEMS)} {word}", f"保持干燥，编号 {number}"
    if number % 3:
        return "profile", f"prof_{number:010}", f"{about} {what}."
    return "playbook", f"pbk_{number:010}", f"## When\n{about}.\n\n## What\nDO: {what}.\n\n## Why\nIt was asked for."


def fill(store, count):
    random.seed(7)
    for kind in ("profile", "playbook"):
        os.makedirs(os.path.join(store, kind + "s"))
    for number in range(count):
        kind, name, body = memory(number)
        ttl = "ttl: infinity\nexpires: never\n" if kind == "profile" else ""
        with open(os.path.join(store, kind + "s", f"made-up-{number:010}.md"), "w", encoding="utf-8") as file:
            file.write(f"---\ntype: {kind}\nid: {name}\ncreated: 2026-03-01T09:00:00Z\n{ttl}---\n\n{body}\n")


def timed(command, env):
    start = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - start) * 1000


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/afterword")
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    worst = 0
    with tempfile.TemporaryDirectory() as home:
        store = os.path.join(home, "store")
        fill(store, count)
        env = {"HOME": home, "PATH": os.environ["PATH"]}
        search = [program, "search", "--store", store]
        print(f"{count} memories; the index is made in {timed(search + QUESTIONS[:1], env) / 1000:.1f} s")
        time.sleep(0.2)
        timed(search + QUESTIONS[:1], env)
        for question in QUESTIONS:
            spent = [timed(search + [question], env) for _ in range(RUNS)]
            worst = max(worst, statistics.median(spent))
            print(f"{statistics.median(spent):6.1f} ms (from {min(spent):.1f} to {max(spent):.1f})  {question}")
    sys.exit(count <= 10_000 and worst > BOUND)


main()
