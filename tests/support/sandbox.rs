//! A folder of its own in which the binary runs, with no environment but a home.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A temporary folder with a `home` in it.
pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("home")).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The command, not yet started: in this folder, at home in `home`, with nothing else in the environment.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterword"));
        command
            .args(args)
            .env_clear()
            .env("HOME", self.path("home"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs it to its end.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Finished {
        self.finish(self.command(args).output().unwrap())
    }

    /// Runs it with `input` on standard input.
    pub(crate) fn feed<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>, input: impl AsRef<[u8]>) -> Finished {
        let mut child =
            self.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        let writer = std::thread::spawn(move || {
            // It may end before it has read everything.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        self.finish(output)
    }

    /// Learns from these transcripts into the folder `store`, and returns how it went.
    pub(crate) fn extract(&self, transcripts: &[&Path]) -> Finished {
        let store = self.path("store");
        let mut args = vec![OsStr::new("extract"), "--store".as_ref(), store.as_ref()];
        args.extend(transcripts.iter().map(|t| t.as_os_str()));
        self.run(args)
    }

    pub(crate) fn finish(&self, output: Output) -> Finished {
        let plain =
            |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(self.folder.path().to_str().unwrap(), "[DIR]");
        Finished { code: output.status.code(), out: plain(output.stdout), err: plain(output.stderr) }
    }
}

/// How a run ended; the sandbox's path is replaced by `[DIR]`.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Finished {
    /// Fails unless it ended with this exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    /// The output as JSON lines.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    }

    /// The bodies of the decisions with this `op`, sorted.
    #[track_caller]
    pub(crate) fn bodies(&self, op: &str) -> Vec<String> {
        let mut bodies: Vec<String> = self
            .json()
            .iter()
            .filter(|record| record["op"] == op)
            .map(|record| record["body"].as_str().unwrap().to_owned())
            .collect();
        bodies.sort();
        bodies
    }

    /// Standard output, then standard error, for a snapshot.
    pub(crate) fn both(&self) -> String {
        format!("exit {}\n--- out\n{}--- err\n{}", self.code.unwrap_or(-1), self.out, self.err)
    }
}
