//! The page as text: what is in it, what never is, and how the file is written.

use std::fs;
use std::path::Path;

use afterword::explain::Archive;
use afterword::page::{Project, render};
use afterword::redact::Redactor;
use chrono::{DateTime, FixedOffset, TimeZone, Utc};

use super::stores::{hostile, lived_in};
use crate::support::sandbox::Sandbox;
use crate::support::secrets::secrets;
use crate::support::sessions::saying;

/// A page of stores in a sandbox, as of June 2026.
pub(crate) fn page<Z: TimeZone>(sandbox: &Sandbox, stores: &[&str], zone: &Z) -> String {
    let now: DateTime<Utc> = "2026-06-01T12:00:00Z".parse().unwrap();
    let open = |name: &&str| Project {
        name: (*name).to_owned(),
        archive: Archive::open(&sandbox.path(name), now.date_naive()).unwrap(),
    };
    let projects: Vec<Project> = stores.iter().map(open).collect();
    render(&projects, &now.with_timezone(zone), Redactor::builtin()).unwrap().html
}

#[test]
fn its_days_are_those_of_the_person() {
    let sandbox = lived_in();
    let said = |html: &str, day: &str| html.contains(&format!("<time datetime=\"{day}\""));
    let here = page(&sandbox, &["harbour"], &Utc);
    assert!(said(&here, "2026-04-05") && !said(&here, "2026-04-06"));
    let there = page(&sandbox, &["harbour"], &FixedOffset::east_opt(8 * 3600).unwrap());
    assert!(said(&there, "2026-04-06") && !said(&there, "2026-04-05"));
    assert!(there.contains("Written 1 Jun 2026, 20:00"));
}

#[test]
fn nothing_that_a_memory_says_stands_in_it_as_markup() {
    let html = page(&hostile(), &["store"], &Utc);
    assert_eq!((html.matches("<script>").count(), html.matches("</script>").count()), (1, 1));
    assert_eq!((html.matches("<style>").count(), html.matches("</main>").count()), (1, 1));
    assert!(html.contains("&#60;/script&#62;&#60;script&#62;window.owned"), "it is there, as text");
    for tag in ["<img", "<svg onload", "<b>x"] {
        assert!(!html.contains(tag), "{tag}");
    }
}

#[test]
fn only_its_own_stylesheet_and_script_are_put_in_as_they_stand() {
    let template = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page/page.html")).unwrap();
    let bare: Vec<&str> =
        template.split("{{ ").skip(1).filter_map(|rest| rest.split_once("|safe")).map(|(name, _)| name).collect();
    assert_eq!(
        bare.iter().filter(|name| !name.contains('}')).collect::<Vec<_>>(),
        [&"mark", &"own.style", &"own.script"]
    );
    assert_eq!(template.matches("safe").count(), 3);
}

#[test]
fn a_secret_that_a_hand_wrote_into_the_store_is_not_in_it() {
    let sandbox = Sandbox::new();
    for (number, secret) in secrets().iter().enumerate() {
        let head =
            format!("type: profile\nid: prof_s{number}\ncreated: 2026-01-01T00:00:00Z\nttl: infinity\nexpires: never");
        let text = format!("---\n{head}\n---\n\nThe key of the gate is {secret} now.\n");
        sandbox.write(&format!("store/profiles/s{number}.md"), text);
    }
    let html = page(&sandbox, &["store"], &Utc);
    assert!(html.contains("[redacted:"));
    assert!(secrets().iter().all(|secret| !html.contains(secret)));
}

#[test]
fn memories_that_took_each_others_place_are_told_once() {
    let sandbox = Sandbox::new();
    for (id, other) in [("a1b2", "c3d4"), ("c3d4", "a1b2")] {
        let head = format!(
            "type: profile\nid: prof_{id}\ncreated: 2026-01-01T00:00:00Z\nttl: infinity\nexpires: never\nsupersedes: [prof_{other}]"
        );
        sandbox.write(&format!("store/profiles/x-{id}.md"), format!("---\n{head}\n---\n\nUser sails {id}.\n"));
    }
    let html = page(&sandbox, &["store"], &Utc);
    assert_eq!(html.matches("It took the place of 2 others").count(), 2);
}

#[test]
fn a_year_is_drawn_and_the_rest_is_said_to_be_left_out() {
    let sandbox = Sandbox::new();
    for (id, day) in [("a", "2024-03-04"), ("b", "2026-05-27")] {
        let text = if id == "a" { "I'm allergic to peanuts." } else { "My editor is Helix." };
        let file = sandbox.write("s.jsonl", saying(id, &format!("{day}T10:00:00Z"), text).jsonl());
        sandbox.extract(&[&file]).exits(0);
    }
    let html = page(&sandbox, &["store"], &Utc);
    assert_eq!(html.matches("class=\"week\"").count(), 52);
    assert!(html.contains("1 learned and 0 corrected in the 52 weeks from 9 Jun 2025 to the week of 1 Jun 2026."));
    assert!(html.contains("0 corrected, in the last year"));
}

#[test]
fn what_was_taken_back_is_history_and_counts_as_learned_nowhere() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("s.jsonl", saying("a", "2026-05-27T10:00:00Z", "My editor is Helix.").jsonl());
    sandbox.extract(&[&file]).exits(0);
    assert!(page(&sandbox, &["store"], &Utc).contains("1 learned and 0 corrected"));
    sandbox.run(["undo", "--store", "store"]).exits(0);
    let html = page(&sandbox, &["store"], &Utc);
    assert!(html.contains("<span class=\"status\">taken back</span>") && !html.contains("class=\"weeks\""));
}
