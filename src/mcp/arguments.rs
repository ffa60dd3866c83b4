//! What the tools are called with. The descriptions are what an agent reads; the checks are [`crate::dictate`]'s.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;

use crate::memory::Kind;

/// A profile, as an agent hands it in.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Profile {
    /// The topic, in kebab-case: 1 to 48 of a-z, 0-9 and -. It becomes part of the file's name. Example: "diet-vegan".
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]{0,47}$"))]
    pub(super) slug: String,
    /// How long it will hold: one_day, one_week, one_month, one_quarter, one_year or infinity. In doubt the longer one.
    pub(super) ttl: String,
    /// One to three sentences about the person, in their language. Example: "User is vegan. No meat, no fish, no dairy."
    pub(super) body: String,
    /// Ids of memories whose place it takes, if you know of any; otherwise leave it out.
    #[serde(default)]
    pub(super) supersedes: Vec<String>,
}

/// A playbook, as an agent hands it in.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Playbook {
    /// The topic, in kebab-case: 1 to 48 of a-z, 0-9 and -. Example: "commit-no-ai-attribution".
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]{0,47}$"))]
    pub(super) slug: String,
    /// Three sections: "## When\n<the situation as a noun phrase; later searches find it by that>\n\n## What\n<what to do
    /// or not to do, as observed>\n\n## Why\n<the reason, and what the person accepted>".
    pub(super) body: String,
    /// Ids of memories whose place it takes, if you know of any; otherwise leave it out.
    #[serde(default)]
    pub(super) supersedes: Vec<String>,
}

/// What an agent looks for.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Wanted {
    /// The person's message, or a few words of the task.
    pub(super) query: String,
    /// Only memories of this kind; leave it out for both.
    #[serde(default)]
    pub(super) kind: Option<Sort>,
}

/// The kinds of memory.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
pub(super) enum Sort {
    /// What the person stated.
    Profile,
    /// How they want work done.
    Playbook,
}

impl From<Sort> for Kind {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Profile => Self::Profile,
            Sort::Playbook => Self::Playbook,
        }
    }
}

/// One memory.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ById {
    /// The memory's id, as reflexio_search gives it. Example: "prof_k3x9a0b7qz".
    pub(super) id: String,
}
