//! The changes inside a host's file: how each is put in, how it is recognised, and how it is taken out again.

use serde::{Deserialize, Serialize};

use super::command;
use super::json::edit::{drop_empty, pull, push, set, unset, walk};
use super::json::{Fault, Node, parse, slice};
use super::toml;

/// A change inside a file that is not ours. Values are JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub enum Edit {
    /// An entry at the end of a list.
    Append {
        /// The names that lead to the list.
        path: Vec<String>,
        /// The entry.
        value: String,
        /// The host whose hook command tells that an entry is ours; without it an entry is ours that says the same.
        mark: Option<String>,
    },
    /// A value under a name.
    Set {
        /// The names that lead to it.
        path: Vec<String>,
        /// The value.
        value: String,
    },
    /// The `notify` line of a TOML file.
    Notify {
        /// The program and its arguments.
        program: Vec<String>,
    },
    /// An MCP server in a TOML file: the table `mcp_servers.<name>`.
    Server {
        /// Its name.
        name: String,
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
    },
}

/// A change that was made, with what it takes to undo it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// The change.
    #[serde(flatten)]
    pub edit: Edit,
    /// Objects and lists that were made for it, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<Vec<String>>,
    /// The text of the value that it took the place of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}

impl Edit {
    /// An entry in the list at a path like `hooks.SessionEnd`, ours if it calls our hook for `host`.
    pub(super) fn hook(path: &[&str], host: &str, value: String) -> Self {
        Self::Append { path: owned(path), value, mark: Some(host.to_owned()) }
    }

    /// An entry in a list.
    pub(super) fn append(path: &[&str], value: String) -> Self {
        Self::Append { path: owned(path), value, mark: None }
    }

    /// A value under a name.
    pub(super) fn set(path: &[&str], value: &str) -> Self {
        Self::Set { path: owned(path), value: value.to_owned() }
    }

    /// The text of a file that is not there yet.
    pub(super) fn blank(&self) -> &'static str {
        match self {
            Self::Append { .. } | Self::Set { .. } => "{}\n",
            Self::Notify { .. } | Self::Server { .. } => "",
        }
    }

    /// Whether both change the same place.
    fn same_place(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Append { path: a, mark: m, value: v }, Self::Append { path: b, mark: n, value: w }) => {
                a == b && m == n && (m.is_some() || v == w)
            }
            (Self::Set { path: a, .. }, Self::Set { path: b, .. }) => a == b,
            (Self::Notify { .. }, Self::Notify { .. }) => true,
            (Self::Server { name: a, .. }, Self::Server { name: b, .. }) => a == b,
            _ => false,
        }
    }

    /// The text with the change; `None` if it stands there already.
    pub(super) fn apply(&self, text: &str) -> Result<Option<(String, Done)>, Fault> {
        match self {
            Self::Append { path, value, mark } => {
                let wanted = parse(value)?;
                let root = parse(text)?;
                let entries = walk(&root, path).map(Node::items).unwrap_or_default();
                if entries.iter().any(|entry| entry.value.says_the_same(&wanted)) {
                    return Ok(None);
                }
                let mut cleared = text.to_owned();
                if let Some(host) = mark {
                    // An entry of an older place of the program gives way.
                    while let Some(next) = pull(&cleared, path, |node| is_ours(node, host))? {
                        cleared = next;
                    }
                }
                let changed = push(&cleared, path, value)?;
                Ok(Some((changed.text, Done { edit: self.clone(), made: changed.made, before: None })))
            }
            Self::Set { path, value } => {
                let root = parse(text)?;
                if walk(&root, path).is_some_and(|node| says(node, value)) {
                    return Ok(None);
                }
                let (changed, before) = set(text, path, value)?;
                Ok(Some((changed.text, Done { edit: self.clone(), made: changed.made, before })))
            }
            Self::Notify { program } => {
                let changed = toml::notify(text, program)?;
                Ok(changed.map(|text| (text, Done { edit: self.clone(), made: Vec::new(), before: None })))
            }
            Self::Server { name, command, args } => {
                let changed = toml::server(text, name, command, args)?;
                Ok(changed.map(|text| (text, Done { edit: self.clone(), made: Vec::new(), before: None })))
            }
        }
    }
}

impl Done {
    /// The text without the change, and without the containers that were made for it and are empty now. What the person
    /// put in its place stays.
    pub(super) fn undo(&self, text: &str) -> Result<String, Fault> {
        let mut text = match &self.edit {
            Edit::Append { path, value, mark } => {
                let wanted = parse(value)?;
                let ours = |node: &Node| match mark {
                    Some(host) => is_ours(node, host),
                    None => node.says_the_same(&wanted),
                };
                pull(text, path, ours)?.unwrap_or_else(|| text.to_owned())
            }
            Edit::Set { path, value } => {
                let root = parse(text)?;
                match (walk(&root, path), &self.before) {
                    (Some(node), Some(before)) if says(node, value) => {
                        [slice(text, 0..node.span.start), before, slice(text, node.span.end..text.len())].concat()
                    }
                    (Some(node), None) if says(node, value) => unset(text, path)?,
                    _ => text.to_owned(),
                }
            }
            Edit::Notify { program } => toml::without_notify(text, program)?,
            Edit::Server { name, args, .. } => toml::without_server(text, name, args)?,
        };
        for path in self.made.iter().rev() {
            text = drop_empty(&text, path)?;
        }
        Ok(text)
    }
}

/// Adds a change to the list; one for the same place gives way, and leaves what it knew of the text before it.
pub(super) fn remember(list: &mut Vec<Done>, mut done: Done) {
    if let Some(at) = list.iter().position(|old| old.edit.same_place(&done.edit)) {
        let old = list.remove(at);
        done.made = if done.made.is_empty() { old.made } else { done.made };
        done.before = old.before;
    }
    list.push(done);
}

/// Whether an entry of a list of hooks calls our hook for this host.
pub(super) fn is_ours(node: &Node, host: &str) -> bool {
    command_in(node).is_some_and(|command| command::program(command, host).is_some())
        || node.items().iter().any(|item| is_ours(&item.value, host))
}

fn command_in(node: &Node) -> Option<&str> {
    node.get("command")?.text()
}

fn says(node: &Node, value: &str) -> bool {
    parse(value).is_ok_and(|value| node.says_the_same(&value))
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|&name| name.to_owned()).collect()
}
