//! Projects: where a session was held, and which sessions a replay is asked for.

use std::fmt;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use crate::store::git_root;
use crate::transcript::{Host, Session};

/// The git root of a session's folder; the folder itself where there is none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Project(Option<PathBuf>);

impl Project {
    /// The project of a session.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        let cwd = session.cwd.as_ref().filter(|cwd| !cwd.as_os_str().is_empty());
        Self(cwd.map(|cwd| git_root(cwd).unwrap_or(cwd).to_path_buf()))
    }

    /// Its folder, where a session has one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.0.as_deref()
    }
}

impl fmt::Display for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(folder) => write!(f, "{}", folder.display()),
            None => f.write_str("no folder"),
        }
    }
}

/// Which sessions count; an empty one lets all pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Those of one of these hosts.
    pub hosts: Vec<Host>,
    /// Those in this folder or below it; a single name stands for any project that is called so.
    pub project: Option<PathBuf>,
    /// Those that began at this time or later.
    pub since: Option<DateTime<Utc>>,
}

impl Wanted {
    /// Whether a session counts.
    #[must_use]
    pub fn takes(&self, session: &Session) -> bool {
        (self.hosts.is_empty() || self.hosts.contains(&session.host))
            && self.since.is_none_or(|since| session.started >= since)
            && self.project.as_deref().is_none_or(|project| is_in(session, project))
    }

    /// Whether a file that was last written to then can hold a session that counts.
    pub(super) fn may_be_in(&self, changed: DateTime<Utc>) -> bool {
        self.since.is_none_or(|since| changed >= since)
    }
}

fn is_in(session: &Session, project: &Path) -> bool {
    let Some(cwd) = &session.cwd else { return false };
    let is_name = project.components().count() == 1 && project.is_relative();
    if is_name {
        return Project::of(session).folder().is_some_and(|folder| folder.file_name() == Some(project.as_os_str()));
    }
    cwd.starts_with(project)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(cwd: Option<&str>) -> Session {
        Session {
            host: Host::Codex,
            id: "s".into(),
            cwd: cwd.map(PathBuf::from),
            started: "2026-02-03T10:00:00Z".parse().unwrap(),
            source: PathBuf::new(),
            turns: Vec::new(),
            repeats: false,
        }
    }

    #[test]
    fn each_wish_leaves_out_what_it_does_not_name() {
        let here = session(Some("/nowhere/harbour"));
        let wanted = |project: &str| Wanted { project: Some(project.into()), ..Wanted::default() };
        assert!(Wanted::default().takes(&session(None)));
        assert!(wanted("/nowhere").takes(&here) && wanted("harbour").takes(&here));
        assert!(!wanted("/nowhere/harb").takes(&here) && !wanted("nowhere").takes(&here));
        assert!(!wanted("harbour").takes(&session(None)));
        let hosts = |host| Wanted { hosts: vec![host], ..Wanted::default() };
        assert!(hosts(Host::Codex).takes(&here) && !hosts(Host::Openclaw).takes(&here));
        let since = |time: &str| Wanted { since: Some(time.parse().unwrap()), ..Wanted::default() };
        assert!(since("2026-02-03T10:00:00Z").takes(&here) && !since("2026-02-03T10:00:01Z").takes(&here));
    }

    #[test]
    fn a_project_is_the_git_root_else_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("src/deep");
        std::fs::create_dir_all(&inside).unwrap();
        let project = || Project::of(&session(inside.to_str()));
        assert_eq!(project().folder(), Some(inside.as_path()));
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        assert_eq!(project().folder(), Some(folder.path()));
        assert_eq!(Project::of(&session(None)).to_string(), "no folder");
    }
}
