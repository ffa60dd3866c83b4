#!/usr/bin/env bash
# One real client holds one scripted session with our hook switched on, from `install` to `uninstall`.
# Usage: RECIPES=FOLDER CLIENTS=FOLDER PROGRAM=AFTERWORD session.sh DIR en|zh CLIENT
#
# It prints what happens, and judges nothing: sessions.rs does, by what is left in DIR/CLIENT-SESSION:
#   before/     the home before `install`
#   store/      the store 5 s after the client's end    home/       the home after `uninstall`
#   extracted/  what one `extract` over the transcript gives
#   doctor.json what `doctor` says before `uninstall`; `install.txt`, `uninstall.txt`, `afterword.log`
CLIENT=${3:?usage: $0 DIR en|zh CLIENT}
# Gives us a home of our own, the mock model, and `humans`, `now`; may start this script again, cut off from the network.
. "$RECIPES/lib.sh"

tell() { echo "$CLIENT $SESSION: $*"; }
# A command of the client, with nothing on standard input and not for ever.
client() { timeout 150 "$@" </dev/null >>"$RUN/replies.txt" 2>>"$RUN/stderr.txt" || { tail "$RUN/stderr.txt" >&2; return 1; }; }
afterword() { "$PROGRAM" "$@"; }

# For each client: `settings` (as a person may have them), `turn TEXT`, `finish` (the end of the session), and where the
# transcripts are. What a recipe of the real clients sets up beside that is taken out again.
begin() { :; }
finish() { :; }
first=yes
case $CLIENT in
claude-code)
    . "$HERE/claude-env.sh"
    settings() { printf '{\n  "model": "sonnet"\n}\n' >"$HOME/.claude/settings.json"; }
    id=$(python3 -c 'import uuid; print(uuid.uuid4())')
    turn() {
        local which=--resume
        [ -z "$first" ] || which=--session-id
        client claude -p "$1" $which "$id" --allowedTools Bash
    }
    transcripts() { find "$HOME/.claude/projects" -name "$id.jsonl"; }
    ;;
codex)
    . "$HERE/codex-env.sh"
    settings() { codex_config 'check_for_update_on_startup = false'; }
    trust=--dangerously-bypass-hook-trust
    begin() {
        command -v tmux >/dev/null || { tell "no tmux: the hook is not agreed to on the screen but by $trust"; return 0; }
        # As a person meets it: Codex asks once, on its screen.
        . "$HERE/tui.sh"
        open codex --disable daemon_auto_start
        await 30 'Hooks need review'
        press 2
        press Enter
        await 30 'mock-model'
        tm kill-server
        trust=
        tell "agreed to the hook on the screen, where it says \"Hooks need review\""
    }
    turn() {
        local more="resume --last"
        [ -z "$first" ] || more=
        client codex exec $more --dangerously-bypass-approvals-and-sandbox $trust --skip-git-repo-check "$1"
    }
    transcripts() { find "$CODEX_HOME/sessions" -name 'rollout-*.jsonl'; }
    ;;
opencode)
    . "$HERE/opencode-env.sh"
    settings() {
        cd "$HOME/.config/opencode"
        rm -r plugins node_modules package-lock.json
        # opencode itself adds this line where it is missing.
        sed -i '1a\  "$schema": "https://opencode.ai/config.json",' opencode.json
        cd "$WORK"
    }
    turn() {
        local more=--continue
        [ -z "$first" ] || more=
        if [ "$SESSION" = en ]; then client opencode run $more "$1"; else set -f; client opencode run $more $1; set +f; fi
    }
    transcripts() { echo "$HOME/.local/share/opencode/opencode.db"; }
    ;;
gemini)
    . "$HERE/gemini-env.sh"
    settings() { gemini_settings; }
    turn() {
        local more="--resume latest"
        [ -z "$first" ] || more=
        client gemini $more --yolo --skip-trust -m gemini-2.5-flash -p "$1"
    }
    transcripts() { find "$HOME/.gemini/tmp" -path '*chats*' -type f; }
    ;;
openclaw)
    . <(grep -vx start_gateway "$HERE/openclaw-env.sh")
    settings() {
        rm -r "$OPENCLAW_STATE_DIR/hooks"
        python3 - "$OPENCLAW_STATE_DIR/openclaw.json" <<'P'
import json, sys
config = json.load(open(sys.argv[1]))
del config["hooks"], config["plugins"]
json.dump(config, open(sys.argv[1], "w"), indent=2)
P
    }
    key=agent:main:main
    begin() { start_gateway; }
    turn() { client openclaw agent --session-key $key --message "$1"; }
    # The English session ends with the gateway, the Chinese one by a reset while the gateway goes on.
    finish() {
        if [ "$SESSION" = en ]; then stop_gateway; else client openclaw gateway call sessions.reset --params "{\"key\":\"$key\"}"; fi
    }
    transcripts() { echo "$db"; }
    ;;
esac

settings
cp -a "$HOME" "$RUN/before"
afterword install "$CLIENT" --yes >"$RUN/install.txt"
tell "afterword install $CLIENT --yes: $(tail -n 1 "$RUN/install.txt")"

begin
begun=$(now)
turns=0
while IFS= read -r text <&3; do
    turn "$text"
    first=
    turns=$((turns + 1))
done 3< <(humans)
finish
ended=$(now)
tell "$turns turns in $(((ended - begun) / 1000)) s; the client has ended"

sleep 5
store=$WORK/.reflexio
mkdir -p "$store"
cp -a "$store" "$RUN/store"
# from_end FILE...: when the newest of these files was written, in seconds from the end of the session.
from_end() { stat -c %.Y "$@" | sort -n | tail -n 1 | python3 -c 'import sys; print("%+.2f s" % (float(input()) - int(sys.argv[1]) / 1000))' "$ended"; }
mapfile -t memories < <(find "$store" -path "$store/.*" -prune -o -type f -print)
tell "${#memories[@]} memories, the last one written at $([ ${#memories[@]} = 0 ] || from_end "${memories[@]}"); the last run ended at $(from_end "$HOME/.local/state/afterword/last/$CLIENT.json")"
(cd "$store" && find profiles playbooks -type f 2>/dev/null | sort) | while IFS= read -r file; do tell "  $file"; done
cp "$HOME/.local/state/afterword/afterword.log" "$RUN/afterword.log" 2>/dev/null || true
while IFS= read -r line; do tell "  log: $line"; done < <(tail -n 4 "$RUN/afterword.log" 2>/dev/null)

mapfile -t files < <(transcripts)
afterword extract --store "$RUN/extracted" "${files[@]}" >"$RUN/extract.txt"
tell "afterword extract: $(tail -n 1 "$RUN/extract.txt")"
afterword doctor "$CLIENT" | while IFS= read -r line; do tell "  doctor: $line"; done || true
afterword doctor "$CLIENT" --format jsonl >"$RUN/doctor.json" || true
[ "$CLIENT-$SESSION" != openclaw-zh ] || stop_gateway
afterword uninstall "$CLIENT" --yes >"$RUN/uninstall.txt"
tell "afterword uninstall $CLIENT --yes: $(tail -n 1 "$RUN/uninstall.txt")"
# What is ours and still there; OpenClaw looks after its own links to skills.
# What a client caches about our server is its own.
find "$HOME" -path "$HOME/.local/state" -prune -o -path "$HOME/.cache" -prune -o -name '*afterword*' -not -type l -print | while IFS= read -r path; do tell "left behind: $path"; done
