#!/usr/bin/env python3
"""Fit the weights of rules/weights.toml on labelled sessions.

    python3 tests/bench/fit.py [--bin target/release/afterword] [--gold DIR] [--corpus DIR] [--question correction] [--write]

For each labelled human turn `afterword trace` names the evidence. A logistic regression with an L2 penalty finds the weight of each
name in `[<question>.evidence]`. For `statement` and `procedure` the strengths of the triggers are fitted too, pulled towards what
they are (`--keep-triggers` leaves them); for the others they are taken as they are. Printed are the weights and the scores on
sessions that were not fitted on (five folds by session). A third of the sessions, by the hash of the name, is left aside unless
`--all` is given. Only named evidence is fitted, never words. `--write` puts the
weights into rules/weights.toml; the reasons there stay.
"""
import argparse, hashlib, json, math, os, re, subprocess, tomllib

here = os.path.dirname(os.path.abspath(__file__))
shared = os.path.join(here, "..", "..", "..", "shared")
ap = argparse.ArgumentParser()
ap.add_argument("--bin", default="target/release/afterword")
ap.add_argument("--gold", default=os.path.join(shared, "gold"))
ap.add_argument("--corpus", default=os.path.join(shared, "corpus"))
ap.add_argument("--more", action="append", default=[], help="another GOLD:CORPUS pair of folders")
ap.add_argument("--question", default="correction", choices=["correction", "confirmation", "lesson", "procedure", "statement"])
ap.add_argument("--weights", default=os.path.join(here, "..", "..", "rules", "weights.toml"))
ap.add_argument("--l2", type=float, default=1.0)
ap.add_argument("--all", action="store_true", help="fit on the held-out third too")
ap.add_argument("--keep-triggers", action="store_true", help="fit the evidence only, the triggers stay as strong as they are")
ap.add_argument("--write", action="store_true")
a = ap.parse_args()

ACT = {"correction": ("correction", "undo"), "confirmation": ("confirmation",)}


def held_out(name):
    """A third of the sessions, by the hash of the name, is never fitted on."""
    return hashlib.sha256(name.encode()).digest()[0] % 3 == 0


listed = subprocess.run([a.bin, "rules", "list", "--format", "jsonl"], capture_output=True, text=True).stdout
TRIGGERS = {t["id"]: t for t in map(json.loads, listed.splitlines())}
STRENGTH = {i: t["strength"] for i, t in TRIGGERS.items()}
with open(a.weights, "rb") as file:
    WEIGHTS = tomllib.load(file)


def files():
    for gold, corpus in [(a.gold, a.corpus)] + [pair.split(":") for pair in a.more]:
        for g in sorted(os.listdir(gold)):
            if g.endswith(".json"):
                yield os.path.join(gold, g), corpus


def rows():
    for g, corpus in files():
        gold = json.load(open(g, encoding="utf-8"))
        path = os.path.join(corpus, gold["file"])
        run = subprocess.run([a.bin, "trace", "--format", "jsonl", path], capture_output=True, text=True)
        turns = {}
        for line in run.stdout.splitlines():
            t = json.loads(line)
            if t.get("judged"):
                turns.setdefault(t["line"], t)
        taught = {m["line"] for m in gold["memories"] if m["kind"] == "playbook" or m.get("tier") == "core"}
        for t in gold["turns"]:
            got = turns.get(t["line"])
            if not got or t["acts"] == ["injected"]:
                continue
            judged = got["judged"]
            if a.question == "statement":
                lines = [m for m in gold["memories"] if t["line"] in (m["line"], *m.get("also", []))]
                for s in judged["statements"]:
                    words = s["quote"].casefold()
                    label = any(any(x.casefold() in words for x in m["must"]) for m in lines)
                    features = {n: v for n, v in s["context"]}
                    for p in s["score"]["parts"]:
                        if not is_evidence(p["name"]):
                            features[p["name"]] = math.copysign(0.25 if abs(p["weight"]) < 0.3 * STRENGTH[p["name"]] else 1.0, p["weight"])
                    yield gold["file"], label, 0.0, features
                continue
            if a.question == "procedure":
                kinds = {m["kind"] for m in gold["memories"] if m["line"] == t["line"] and m["tier"] == "core"}
                if "correction" in t["acts"] and len(kinds) == 1:
                    features = {p["name"]: amount("procedure", p) for p in judged["procedure"]["parts"]}
                    yield gold["file"], kinds == {"playbook"}, 0.0, features
                continue
            if a.question == "lesson":
                if "correction" not in t["acts"]:
                    continue
                label = t["line"] in taught
                names = {"bias"}
                offset = sum(p["weight"] for p in judged["lesson"]["parts"] if "." in p["name"] and not is_evidence(p["name"]))
            else:
                label = a.question in t["acts"]
                seen, offset = set(), 0.0
                for s in judged["triggers"]:
                    if s["act"] in ACT[a.question] and s["id"] not in seen:
                        seen.add(s["id"])
                        offset += s["strength"]
            features = {name: amount for name, amount in judged["context"]}
            if a.question == "lesson":
                features.update({p["name"]: 1.0 for p in judged["lesson"]["parts"] if is_evidence(p["name"])})
            yield gold["file"], label, offset, features


def amount(question, part):
    """How much of a trigger or of named evidence there was: what it added, by what one of it adds."""
    if part["name"] in STRENGTH:
        return math.copysign(1.0, part["weight"])
    return part["weight"] / WEIGHTS[question]["evidence"][part["name"]]["weight"]


def is_evidence(name):
    return name.split(".")[0] in ("agent", "before", "form", "said", "topic", "manner", "chain", "turn", "sentence", "answer", "states")


def fit(data, names):
    """Newton steps on each weight; the penalty pulls a trigger towards the strength it has, other evidence towards 0."""
    prior = {n: STRENGTH.get(n, 0.0) for n in names}
    weights = dict(prior)
    bias = -2.0
    for _ in range(400):
        grad, curve, gb, cb = {n: 0.0 for n in names}, {n: a.l2 for n in names}, 0.0, 1e-6
        for _, label, offset, features in data:
            z = bias + offset + sum(weights[n] * v for n, v in features.items() if n in weights)
            p = 1 / (1 + math.exp(-max(-30, min(30, z))))
            e, h = label - p, p * (1 - p)
            gb += e
            cb += h
            for n, v in features.items():
                if n in weights:
                    grad[n] += e * v
                    curve[n] += h * v * v
        bias += 0.3 * gb / cb
        for n in names:
            if a.keep_triggers and n in STRENGTH:
                continue
            weights[n] += 0.3 * (grad[n] - a.l2 * (weights[n] - prior[n])) / curve[n]
            if n in STRENGTH:
                weights[n] = max(0.0, weights[n])
    return bias, weights


def score(data, bias, weights, bar=0.0):
    tp = fp = fn = 0
    for _, label, offset, features in data:
        yes = bias + offset + sum(weights[n] * v for n, v in features.items() if n in weights) > bar
        tp, fp, fn = tp + (yes and label), fp + (yes and not label), fn + (label and not yes)
    p, r = tp / max(1, tp + fp), tp / max(1, tp + fn)
    return f"P {p:.3f} R {r:.3f} F1 {2 * p * r / max(1e-9, p + r):.3f} (tp {tp} fp {fp} fn {fn})"


everything = list(rows())
train = everything if a.all else [r for r in everything if not held_out(r[0])]
aside = [r for r in everything if held_out(r[0])]
counts = {}
for _, _, _, features in train:
    for n in features:
        counts[n] = counts.get(n, 0) + 1
names = sorted(n for n, c in counts.items() if c >= (3 if n in STRENGTH else 8))
bias, weights = fit(train, names)
files = sorted({r[0] for r in train})
for bar in (0.0, 0.5):
    folds = []
    for k in range(5):
        test = {f for i, f in enumerate(files) if i % 5 == k}
        b, w = fit([r for r in train if r[0] not in test], names)
        folds += [(r, b, w) for r in train if r[0] in test]
    tp = fp = fn = 0
    for (_, label, offset, features), b, w in folds:
        yes = b + offset + sum(w[n] * v for n, v in features.items() if n in w) > bar
        tp, fp, fn = tp + (yes and label), fp + (yes and not label), fn + (label and not yes)
    p, r = tp / max(1, tp + fp), tp / max(1, tp + fn)
    print(f"unseen sessions (5 folds), bar {bar}: P {p:.3f} R {r:.3f} F1 {2 * p * r / max(1e-9, p + r):.3f}")
print("fitted on itself:", score(train, bias, weights))
print("held-out third:  ", score(aside, bias, weights))
print(f"bias {bias:.2f}")
for n in names:
    on = [r for r in train if n in r[3]]
    rate = sum(r[1] for r in on) / len(on)
    print(f"{n:26} {weights[n]:+.2f}   seen {counts[n]:4}  yes {rate:.2f}")
if a.write:
    text = open(a.weights, encoding="utf-8").read()
    head, body = text.split(f"[{a.question}]\n", 1)
    section, mark, rest = body.partition("\n[") if f"\n[{a.question}.evidence]" not in body else body.partition(f"\n[{a.question}.evidence]")
    section = re.sub(r"bias = .*", f"bias = {bias:.2f}", section, count=1)
    end = rest.find("\n\n[")
    table, tail = (rest, "") if end < 0 else (rest[:end], rest[end:])
    for n in names:
        table = re.sub(rf'("{re.escape(n)}" = \{{ weight = )[-\d.]+', rf"\g<1>{weights[n]:.2f}", table)
    open(a.weights, "w", encoding="utf-8").write(head + f"[{a.question}]\n" + section + mark + table + tail)
    rules = os.path.dirname(os.path.abspath(a.weights))
    for origin in sorted({TRIGGERS[n]["origin"] for n in names if n in STRENGTH}):
        file = os.path.join(rules, "..", origin)
        blocks = open(file, encoding="utf-8").read().split("[[trigger]]")
        for i, block in enumerate(blocks):
            found = re.search(r'id = "([^"]+)"', block)
            if found and found[1] in weights:
                blocks[i] = re.sub(r"(?m)^strength = .*", f"strength = {weights[found[1]]:.1f}", block)
        open(file, "w", encoding="utf-8").write("[[trigger]]".join(blocks))
