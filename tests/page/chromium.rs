//! A real Chromium without a window, driven by its DevTools protocol: real clicks, real keys, and everything it complains
//! of.
//!
//! The protocol goes through pipes (`--remote-debugging-pipe`: it reads from file 3 and writes to file 4, a NUL behind each
//! message), so that no port is opened and no crate is needed.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// Longer than anything takes, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(120);

/// What it may be called.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// One at a time: each is many processes.
static TURN: Mutex<()> = Mutex::new(());

/// A browser with one page.
pub(super) struct Chromium {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    asked: u64,
    session: Option<String>,
    /// Whatever it said by itself.
    events: Vec<Value>,
    _profile: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Chromium {
    /// A browser with an empty page; `None`, with a printed line, where there is none.
    pub(super) fn start() -> Option<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<_> = std::env::split_paths(&path).collect();
        let programs = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        let Some(program) = programs.into_iter().find(|program| program.is_file()) else {
            println!("skipped: there is no Chromium");
            return None;
        };
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#]).arg(program);
        command.args(["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu"]);
        // It runs in containers, as root too; what it opens is ours.
        command.args(["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let to = child.stdin.take().unwrap();
        let (tell, from) = channel();
        let messages = BufReader::new(child.stdout.take().unwrap()).split(0);
        std::thread::spawn(move || {
            for message in messages.map_while(Result::ok) {
                let _ = tell.send(serde_json::from_slice(&message).unwrap());
            }
        });
        let (events, session) = (Vec::new(), None);
        let mut chromium = Self { child, to, from, asked: 0, session, events, _profile: profile, _turn: turn };
        let target = chromium.ask("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        chromium.session = chromium.ask("Target.attachToTarget", attach)["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            chromium.ask(&format!("{domain}.enable"), json!({}));
        }
        Some(chromium)
    }

    /// Asks for something and waits for the answer.
    #[track_caller]
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let mut question = json!({"id": self.asked, "method": method, "params": params});
        if let Some(session) = &self.session {
            question["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{question}\0").as_bytes()).unwrap();
        loop {
            let mut message = self.hear();
            if message["id"] == self.asked {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].take();
            }
            self.events.push(message);
        }
    }

    #[track_caller]
    fn hear(&self) -> Value {
        self.from.recv_timeout(PATIENCE).expect("Chromium says nothing")
    }

    /// A window of this size, in these colours: `light` or `dark`.
    pub(super) fn looks(&mut self, width: u32, scheme: &str) {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500});
        self.ask("Emulation.setDeviceMetricsOverride", size);
        let scheme = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.ask("Emulation.setEmulatedMedia", scheme);
    }

    /// No script of any page runs from now on.
    pub(super) fn runs_no_script(&mut self) {
        self.ask("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    }

    /// Opens a page from disk, and waits until all of it is there.
    pub(super) fn opens(&mut self, page: &Path) {
        self.events.clear();
        self.ask("Page.navigate", json!({"url": format!("file://{}", page.display())}));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.hear();
            self.events.push(event);
        }
    }

    /// What an expression in the page comes to.
    #[track_caller]
    pub(super) fn finds(&mut self, expression: &str) -> Value {
        let question = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.ask("Runtime.evaluate", question);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// Clicks in the middle of the first element that `expression` comes to, and waits until the page has taken it in.
    #[track_caller]
    pub(super) fn clicks(&mut self, expression: &str) {
        let place = self.finds(&format!(
            "(async () => {{ const e = {expression}; e.scrollIntoView({{block: 'center'}});
             await new Promise(requestAnimationFrame); const r = e.getBoundingClientRect();
             return [r.x + Math.min(r.width, 60) / 2, r.y + r.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", event);
        }
        self.rests();
    }

    /// Types a text where the cursor is.
    pub(super) fn types(&mut self, text: &str) {
        self.ask("Input.insertText", json!({"text": text}));
        self.rests();
    }

    /// Presses a key, by its name.
    pub(super) fn presses(&mut self, key: &str, code: u32) {
        let text = if key.chars().count() == 1 { json!(key) } else { Value::Null };
        let mut down = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if !text.is_null() {
            down["text"] = text;
        }
        self.ask("Input.dispatchKeyEvent", down);
        self.ask("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}));
        self.rests();
    }

    fn rests(&mut self) {
        self.finds("new Promise(done => setTimeout(done, 50))");
    }

    /// Fails if it complained of anything since the page was opened, or asked for anything but the page.
    #[track_caller]
    pub(super) fn is_content(&mut self) {
        self.rests();
        let method = |event: &Value| event["method"].as_str().unwrap_or_default().to_owned();
        let loud =
            ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening"];
        let complaints: Vec<&Value> = self.events.iter().filter(|e| loud.contains(&method(e).as_str())).collect();
        assert!(complaints.is_empty(), "{complaints:#?}");
        let requests = self.events.iter().filter(|event| method(event) == "Network.requestWillBeSent");
        let urls: Vec<&str> = requests.map(|event| event["params"]["request"]["url"].as_str().unwrap()).collect();
        assert!(urls.len() == 1 && urls[0].starts_with("file://"), "{urls:?}");
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
