//! The command line that is written into a host's configuration, and how it is recognised there.

use std::path::{Path, PathBuf};

/// `PROGRAM hook HOST` as a shell reads it.
pub(super) fn line(program: &Path, host: &str) -> String {
    format!("{} hook {host}", quoted(&program.to_string_lossy()))
}

/// The program in a command line that calls our hook for `host`; `None` for any other command.
pub(super) fn program(command: &str, host: &str) -> Option<PathBuf> {
    let program = unquoted(command.trim().strip_suffix(host)?.strip_suffix(" hook ")?)?;
    let path = PathBuf::from(program);
    is_ours(&path).then_some(path)
}

/// Whether a program is this one: by its name, or because it is the one that runs.
fn is_ours(path: &Path) -> bool {
    let named = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("afterword"));
    named || std::env::current_exe().is_ok_and(|own| own == path)
}

/// Words that no shell reads anything into.
fn is_plain(text: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ':' | '@' | '%' | ',');
    !text.is_empty() && text.chars().all(plain)
}

fn quoted(text: &str) -> String {
    if is_plain(text) {
        text.to_owned()
    } else if cfg!(windows) {
        // No path on Windows holds a double quote.
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

fn unquoted(text: &str) -> Option<String> {
    if is_plain(text) {
        return Some(text.to_owned());
    }
    if let Some(inner) = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        return Some(inner.replace(r"'\''", "'"));
    }
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_into_a_shell_and_comes_back() {
        for path in ["/usr/bin/afterword", "/home/a b/afterword", "/home/o'neil/$x/afterword", "/家/afterword-2"] {
            let line = line(Path::new(path), "codex");
            assert_eq!(program(&line, "codex"), Some(PathBuf::from(path)), "{line}");
            assert_eq!(program(&line, "gemini"), None);
        }
        assert_eq!(line(Path::new("/home/a b/afterword"), "codex"), "'/home/a b/afterword' hook codex");
    }

    #[test]
    fn a_renamed_program_knows_itself() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(program(&line(&own, "codex"), "codex"), Some(own));
    }

    #[test]
    fn commands_of_others_are_not_ours() {
        for other in
            ["my-logger hook codex", "echo afterword hook codex ", "afterword extract x", "sh -c 'x' hook codex"]
        {
            assert_eq!(program(other, "codex"), None, "{other}");
        }
    }
}
