//! Asking a host's own program: its version, and how OpenClaw's memory search works. Never longer than a limit.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::program;
use crate::host::Places;
use crate::transcript::Host;

/// What a version may take.
const VERSION_LIMIT: Duration = Duration::from_secs(10);
/// What a look at the memory may take: OpenClaw starts, and asks the provider of embeddings.
const MEMORY_LIMIT: Duration = Duration::from_secs(60);

/// A host's own program.
#[derive(Debug, Clone)]
pub struct Client {
    /// Where it was found.
    pub path: PathBuf,
    /// What it says its version is: the first word with digits and dots.
    pub version: Option<String>,
}

impl Client {
    /// The version's numbers.
    pub(super) fn number(&self) -> Option<Vec<u32>> {
        self.version.as_deref().map(numbers).filter(|numbers| !numbers.is_empty())
    }
}

/// The numbers of a version such as `2026.9.6` or `0.114.0-alpha.1`.
pub(super) fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.split('-').next()?.parse().ok()).collect()
}

/// How OpenClaw searches its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// By meaning and by words.
    Vectors,
    /// By words only: no provider of embeddings is set up.
    FullText,
    /// It could not be asked.
    Unknown,
}

/// The host's program on the `PATH`, with its version.
#[must_use]
pub fn client(host: Host, places: &Places) -> Option<Client> {
    let path = on_path(program(host), places)?;
    let said = said(&path, &["--version"], VERSION_LIMIT).map(|(_, said)| said).unwrap_or_default();
    let is_version = |word: &&str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
    let version = said.split_whitespace().map(|word| word.trim_start_matches('v')).find(is_version);
    Some(Client { path, version: version.map(str::to_owned) })
}

/// Asks OpenClaw how it searches its memory (`openclaw memory status --deep`). It fails where no key for embeddings is
/// set up, and then finds by words all the same.
#[must_use]
pub fn memory_search(client: &Client, agent: &str) -> Search {
    let Some((ended_well, said)) = said(&client.path, &["memory", "status", "--deep", "--agent", agent], MEMORY_LIMIT)
    else {
        return Search::Unknown;
    };
    let said = said.to_lowercase();
    let no_key = ["no api key", "no embedding", "embeddings: unavailable", "provider: none", "fts-only", "fts only"];
    if no_key.iter().any(|phrase| said.contains(phrase)) {
        Search::FullText
    } else if ended_well && said.contains("embeddings: ready") {
        Search::Vectors
    } else {
        Search::Unknown
    }
}

fn on_path(name: &str, places: &Places) -> Option<PathBuf> {
    let path = places.vars.iter().find(|(variable, _)| variable.eq_ignore_ascii_case("PATH"))?.1;
    let names = if cfg!(windows) { vec![format!("{name}.exe"), format!("{name}.cmd")] } else { vec![name.to_owned()] };
    std::env::split_paths(path)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
        .find(|path| path.is_file())
}

/// What a command printed, to either side, and whether it ended well; `None` if it could not be started or did not end.
fn said(program: &Path, args: &[&str], limit: Duration) -> Option<(bool, String)> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    let readers = [listen(child.stdout.take()), listen(child.stderr.take())];
    let begun = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begun.elapsed() < limit => thread::sleep(Duration::from_millis(20)),
            _ => {
                // It is past its time, and what it would still say does not matter.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    let said: Vec<String> = readers.into_iter().filter_map(|reader| reader.join().ok()).collect();
    Some((status.success(), said.join("\n")))
}

fn listen(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is as good as there is.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
