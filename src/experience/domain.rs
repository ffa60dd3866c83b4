//! Where a lesson holds when it is first taught: its words decide (`rules/domains.toml`).

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::lesson::Scope;
use crate::memory::Class;
use crate::text::fold::fold;

#[derive(Deserialize)]
struct File {
    domain: Vec<Named>,
    project: Pattern,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    pattern: String,
}

#[derive(Deserialize)]
struct Pattern {
    pattern: String,
}

/// The domains in the order in which they are asked, and what speaks of a project.
type Compiled = (Vec<(String, Regex)>, Regex);

static DOMAINS: LazyLock<Option<Compiled>> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("../../rules/domains.toml")).ok()?;
    let compile = |named: Named| Some((named.name, Regex::new(&named.pattern).ok()?));
    Some((file.domain.into_iter().map(compile).collect::<Option<_>>()?, Regex::new(&file.project.pattern).ok()?))
});

/// The scope of a rule that was taught in `project`, or outside of one.
///
/// In doubt it holds in its project only: taught in a second one, it is widened. A preference is a person's, wherever it
/// was said, unless its words speak of the project.
#[must_use]
pub(super) fn scope(text: &str, class: Class, project: Option<&str>) -> Scope {
    let folded = fold(text);
    let compiled = DOMAINS.as_ref();
    let of_project = compiled.is_none_or(|(_, project)| project.is_match(&folded));
    match project {
        Some(project) if class != Class::Preference || of_project => Scope::Project(project.to_owned()),
        _ => {
            let domain = compiled.and_then(|(domains, _)| domains.iter().find(|(_, words)| words.is_match(&folded)));
            domain.map_or_else(Scope::general, |(name, _)| Scope::Domain(name.clone()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_and_the_place_decide_where_a_lesson_holds() {
        for (text, class, project, page) in [
            ("User prefers short answers.", Class::Preference, Some("shop"), "domains/writing.md"),
            ("User prefers dark mode.", Class::Preference, None, "domains/general.md"),
            ("User prefers tabs in this repo.", Class::Preference, Some("shop"), "projects/shop.md"),
            ("Use pnpm, not npm.", Class::Procedure, Some("shop"), "projects/shop.md"),
            ("Use pnpm, not npm.", Class::Procedure, None, "domains/code.md"),
            ("邮件里称呼用“您”。", Class::Preference, None, "domains/comms.md"),
            ("我们一律用 uv。", Class::Preference, Some("shop"), "projects/shop.md"),
        ] {
            let page_found = scope(text, class, project).page(crate::experience::lesson::Tier::Warm);
            assert_eq!(page_found, page, "{text}");
        }
    }
}
