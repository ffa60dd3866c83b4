#!/usr/bin/env bash
# One real client with `install --recall`: a related question, then an unrelated one. Prints what the model was sent.
# Usage: RECIPES=FOLDER CLIENTS=FOLDER PROGRAM=AFTERWORD recall.sh DIR en CLIENT
#
# It judges nothing: recall.rs does, by DIR/CLIENT-en/requests.jsonl, where each line holds a whole request.
CLIENT=${3:?usage: $0 DIR en CLIENT}
. "$RECIPES/lib.sh"

client() { timeout 150 "$@" </dev/null >>"$RUN/replies.txt" 2>>"$RUN/stderr.txt" || { tail "$RUN/stderr.txt" >&2; return 1; }; }
begin() { :; }
finish() { :; }
case $CLIENT in
claude-code)
    . "$HERE/claude-env.sh"
    turn() { client claude -p "$1" --session-id "$(python3 -c 'import uuid; print(uuid.uuid4())')"; }
    ;;
openclaw)
    . <(grep -vx start_gateway "$HERE/openclaw-env.sh")
    rm -r "$OPENCLAW_STATE_DIR/hooks"
    python3 - "$OPENCLAW_STATE_DIR/openclaw.json" <<'P'
import json, sys
config = json.load(open(sys.argv[1]))
del config["hooks"], config["plugins"]
json.dump(config, open(sys.argv[1], "w"), indent=2)
P
    begin() { start_gateway; }
    # A session for each question: in one, the first answer in the history would hide a wrong second one.
    turn() { asked=$((${asked:-0} + 1)); client openclaw agent --session-key "agent:main:q$asked" --message "$1"; }
    finish() { stop_gateway; }
    ;;
opencode)
    . "$HERE/opencode-env.sh"
    rm -r "$HOME/.config/opencode/plugins" "$HOME/.config/opencode/node_modules" "$HOME/.config/opencode/package-lock.json"
    turn() { client opencode run "$1"; }
    ;;
esac
# On a machine that is busy with tests a moment is longer.
export AFTERWORD_RECALL_MS=${AFTERWORD_RECALL_MS:-5000}

mkdir -p "$WORK/.reflexio/playbooks"
cat >"$WORK/.reflexio/playbooks/commits-aaaaaaaa.md" <<'M'
---
type: playbook
id: pbk_aaaaaaaa
created: 2026-03-01T09:00:00Z
---

## When
Composing a commit message.

## What
DO name the ticket in the first line.

## Why
It was corrected and approved.
M
"$PROGRAM" install "$CLIENT" --yes --recall >"$RUN/install.txt"
begin
turn "Write the git commit for the parser fix"
turn "Which river flows through Budapest"
finish
"$PROGRAM" uninstall "$CLIENT" --yes >"$RUN/uninstall.txt"
