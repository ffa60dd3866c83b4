//! What the published implementation tested, and the defects found in it (`reflexio-embedded`), one test each. Ids and
//! expiry stand in `memory`, the form of the files in `markdown`, crashes in `laws`, order and readings in `order`.

use super::*;

fn day(text: &str) -> chrono::NaiveDate {
    text.parse().unwrap()
}

/// A profile as another program writes it.
fn foreign(front: &str, body: &str) -> String {
    format!("---\ntype: profile\nid: prof_ab12\ncreated: 2026-01-01T00:00:00Z\n{front}---\n\n{body}\n")
}

fn put(root: &Path, name: &str, text: &str) {
    fs::create_dir_all(root.join("profiles")).unwrap();
    fs::write(root.join("profiles").join(name), text).unwrap();
}

#[test]
fn no_file_in_the_making_is_left() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "Use npm."), said(2, "Use pnpm.")], now()).unwrap();
    assert!(tree(&root).keys().all(|name| !name.ends_with(".tmp")), "{:?}", tree(&root).keys());
}

#[test]
fn an_existing_file_is_never_overwritten() {
    let (_folder, root) = store();
    let outcome = apply(&root, vec![said(1, "Use npm.")], now()).unwrap();
    let id = outcome.plan.decisions[0].id.clone().unwrap();
    let file = format!("profiles/topic-{}.md", id.suffix());
    forget(&root, &[id], "asked", now()).unwrap();
    fs::write(root.join(&file), "My own notes.\n").unwrap();
    let later = Candidate { said_at: now() + chrono::Duration::days(1), ..said(9, "Use npm.") };
    apply(&root, vec![later], now()).unwrap();
    assert_eq!(memories(&root)[&file], "My own notes.\n");
    assert_eq!(memories(&root).len(), 2);
}

#[test]
fn a_file_that_was_put_back_by_hand_after_it_had_left_stays() {
    let (_folder, root) = store();
    let outcome = apply(&root, vec![said(1, "Use npm.")], now()).unwrap();
    let before = memories(&root);
    forget(&root, &[outcome.plan.decisions[0].id.clone().unwrap()], "asked", now()).unwrap();
    let (name, text) = before.first_key_value().unwrap();
    fs::write(root.join(name), text).unwrap();
    apply(&root, vec![said(2, "User has a dog.")], now()).unwrap();
    assert_eq!(memories(&root).get(name), Some(text));
}

#[test]
fn two_memories_of_one_topic_have_two_files() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User has a dog."), said(2, "User plays chess.")], now()).unwrap();
    assert_eq!(memories(&root).len(), 2);
}

#[test]
fn removing_what_is_gone_already_is_no_error() {
    let (_folder, root) = store();
    let outcome = apply(&root, vec![said(1, "Use npm.")], now()).unwrap();
    let (name, _) = memories(&root).pop_first().unwrap();
    let view = look(&root).unwrap();
    let page = view.pages[outcome.plan.decisions[0].id.as_ref().unwrap()].clone();
    fs::remove_file(root.join(name)).unwrap();
    perform(&root, &Step::Remove(page)).unwrap();
    assert!(memories(&root).is_empty());
}

#[test]
fn a_memory_lives_through_its_last_day() {
    let (_folder, root) = store();
    put(&root, "on-call-ab12.md", &foreign("ttl: one_day\nexpires: 2026-01-02\n", "User is on call."));
    assert!(sweep(&root, day("2026-01-02"), now()).unwrap().is_empty());
    assert_eq!(sweep(&root, day("2026-01-03"), now()).unwrap().len(), 1);
}

#[test]
fn sweeping_takes_profiles_that_say_when_they_expire_and_nothing_else() {
    let (_folder, root) = store();
    let stay = [
        ("never-aa11.md", foreign("expires: never\n", "User likes tea.")),
        ("silent-bb22.md", foreign("", "User plays chess.")),
        // Not in the front matter, so it is a part of what is remembered.
        ("body-cc33.md", foreign("", "The header of the file is\nexpires: 2020-01-01")),
        ("broken-dd44.md", foreign("expires: soon\n", "User has a dog.")),
        ("bare-ee55.md", "expires: 2020-01-01\n".to_owned()),
    ];
    for (number, (name, text)) in stay.iter().enumerate() {
        put(&root, name, &text.replace("prof_ab12", &format!("prof_n{number}")));
    }
    fs::create_dir_all(root.join("playbooks")).unwrap();
    let playbook =
        "---\ntype: playbook\nid: pbk_ff66\ncreated: 2020-01-01T00:00:00Z\nexpires: 2020-01-02\n---\n\n## When\nx\n";
    fs::write(root.join("playbooks/old-ff66.md"), playbook).unwrap();
    let before = memories(&root);
    assert!(sweep(&root, day("2026-06-01"), now()).unwrap().is_empty());
    assert_eq!(memories(&root), before);
}

#[test]
fn what_was_swept_is_archived_and_comes_back_to_the_byte() {
    let (_folder, root) = store();
    put(
        &root,
        "on-call-ab12.md",
        &foreign("ttl: one_day\nexpires: 2026-01-02\nmood: fine # mine\n", "User is on call."),
    );
    let before = memories(&root);
    sweep(&root, day("2026-06-01"), now()).unwrap();
    assert!(memories(&root).is_empty());
    undo(&root, &Id::parse("prof_ab12").unwrap(), now()).unwrap();
    assert_eq!(memories(&root), before);
}

#[test]
fn a_short_lived_statement_never_shortens_a_lasting_one() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User is on call.")], now()).unwrap();
    let before = memories(&root);
    let short = Candidate { ttl: Ttl::OneDay, ..said(9, "User is on call.") };
    assert_eq!(ops(&apply(&root, vec![short], now()).unwrap()), [Op::Confirm]);
    assert_eq!(memories(&root), before);
}

#[test]
fn all_that_a_statement_replaces_leaves_not_only_the_nearest() {
    let (_folder, root) = store();
    put(&root, "one-ab12.md", &foreign("", "Use npm."));
    put(&root, "two-cd34.md", &foreign("", "Use yarn.").replace("prof_ab12", "prof_cd34"));
    let later = Candidate { said_at: now(), ..said(9, "Use pnpm.") };
    assert_eq!(ops(&apply(&root, vec![later], now()).unwrap()), [Op::Supersede]);
    assert_eq!(bodies(&root), ["Use pnpm."]);
    let (_, text) = memories(&root).pop_first().unwrap();
    assert!(text.contains("supersedes: [prof_ab12, prof_cd34]"), "{text}");
}

#[test]
fn words_that_mean_something_to_programs_are_stored_as_they_are() {
    let (_folder, root) = store();
    let body = "User writes `$&`, `$'` and `---` in templates — always.";
    apply(&root, vec![said(1, body)], now()).unwrap();
    assert_eq!(bodies(&root), [body]);
}

#[test]
fn a_file_without_front_matter_is_judged_by_nobody() {
    let (_folder, root) = store();
    put(&root, "note.md", "Use npm.\n");
    let outcome = apply(&root, vec![said(9, "Use pnpm.")], now()).unwrap();
    assert_eq!(ops(&outcome), [Op::Create]);
    assert_eq!(memories(&root)["profiles/note.md"], "Use npm.\n");
    assert_eq!(outcome.problems.len(), 1);
}

#[test]
fn a_request_to_forget_stores_nothing_and_spares_the_rest() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User likes green tea.")], now()).unwrap();
    let batch = vec![asks_to_forget(5, "that I like green tea"), said(6, "User has a dog.")];
    assert_eq!(ops(&apply(&root, batch, now()).unwrap()), [Op::Forget, Op::Create]);
    assert_eq!(bodies(&root), ["User has a dog."]);
}

#[test]
fn a_request_to_forget_what_is_not_known_leaves_no_trace_in_the_folders() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User has a dog.")], now()).unwrap();
    let before = memories(&root);
    apply(&root, vec![asks_to_forget(5, "that I like green tea")], now()).unwrap();
    assert_eq!(memories(&root), before);
}

#[test]
fn a_request_to_forget_that_could_mean_several_waits() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User likes green tea."), said(2, "User drinks tea at night.")], now()).unwrap();
    let before = memories(&root);
    let outcome = apply(&root, vec![asks_to_forget(5, "tea")], now()).unwrap();
    assert_eq!(ops(&outcome), [Op::Pending]);
    assert_eq!(memories(&root), before);
    let archive = crate::explain::Archive::open(&root, day("2026-03-01")).unwrap();
    assert_eq!(archive.pending()[0].could_mean.len(), 2);
    // Made clear by name, it waits no longer than for the rest.
    let ids: Vec<Id> = archive.pending()[0].could_mean.clone();
    forget(&root, &ids, "asked", now()).unwrap();
    assert!(crate::explain::Archive::open(&root, day("2026-03-01")).unwrap().pending().is_empty());
}

#[test]
fn of_several_the_one_that_says_just_that_is_meant() {
    let (_folder, root) = store();
    apply(&root, vec![said(1, "User likes tea."), said(2, "User's sister likes tea in bed.")], now()).unwrap();
    assert_eq!(ops(&apply(&root, vec![asks_to_forget(5, "User likes tea.")], now()).unwrap()), [Op::Forget]);
    assert_eq!(bodies(&root), ["User's sister likes tea in bed."]);
}
