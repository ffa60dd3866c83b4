//! Pages as the program and people write them.

use proptest::prelude::*;

use super::*;

const PAGE: &str = "\
# Memory

My own words, with <!-- a comment --> and `code`.

## Confirmed Preferences

### package-manager | high <!-- l_0000000001 -->
Use pnpm, not npm.
### Tone | HIGH | 0.9

Be brief.
In two lines.

## Patterns

- [tests] Run the tests first. <!-- l_0000000002 -->
  A note of mine.
- mine without an id

```
- [no] not one <!-- l_0000000003 -->
```

## To Confirm

- [x] [docs] Write docs. <!-- l_0000000004 -->

## Elsewhere

- not one of ours
- [moved] Moved here by hand. <!-- l_0000000005 -->
";

#[test]
fn entries_are_read_as_people_left_them() {
    let page = Page::new(PAGE);
    let told: Vec<_> = page
        .entries()
        .into_iter()
        .map(|e| (e.id.unwrap_or_default(), e.section, e.tag, e.text, e.rank, e.is_ticked, e.line))
        .collect();
    let expect = |id: &str, section, tag: &str, text: &str, rank: &str, ticked, line| {
        let id = if id.is_empty() { String::new() } else { format!("l_000000000{id}") };
        (id, section, tag.to_owned(), text.to_owned(), rank.to_owned(), ticked, line)
    };
    assert_eq!(
        told,
        [
            expect("1", Section::Confirmed, "package-manager", "Use pnpm, not npm.", "high", false, 7),
            expect("", Section::Confirmed, "Tone", "Be brief. In two lines.", "HIGH | 0.9", false, 9),
            expect("2", Section::Patterns, "tests", "Run the tests first.", "", false, 16),
            expect("", Section::Patterns, "", "mine without an id", "", false, 18),
            expect("4", Section::Asked, "docs", "Write docs.", "", true, 26),
            expect("5", Section::Patterns, "moved", "Moved here by hand.", "", false, 31),
        ]
    );
}

#[test]
fn what_is_taken_out_leaves_the_rest_as_it_was() {
    let page = Page::new(PAGE);
    let entries = page.entries();
    let tests = entries.iter().find(|e| e.tag == "tests").unwrap();
    let expected = PAGE.replace("- [tests] Run the tests first. <!-- l_0000000002 -->\n  A note of mine.\n", "");
    assert_eq!(page.without(&tests.span).text(), expected);
}

#[test]
fn what_is_put_in_stands_at_the_end_of_its_section() {
    let line = written(Section::Patterns, "l_00000000aa", "new", "New one.", "");
    for (before, after) in [
        ("", "## Patterns\n\n- [new] New one. <!-- l_00000000aa -->\n"),
        ("# Memory", "# Memory\n\n## Patterns\n\n- [new] New one. <!-- l_00000000aa -->\n"),
        ("## Patterns\n", "## Patterns\n\n- [new] New one. <!-- l_00000000aa -->\n"),
        ("## Patterns\n\n- a\n\n## B\n", "## Patterns\n\n- a\n- [new] New one. <!-- l_00000000aa -->\n\n## B\n"),
        ("## Patterns\r\n\r\n- a\r\n", "## Patterns\r\n\r\n- a\r\n- [new] New one. <!-- l_00000000aa -->\r\n"),
        ("## Patterns\n- a", "## Patterns\n- a\n- [new] New one. <!-- l_00000000aa -->\n"),
    ] {
        assert_eq!(Page::new(before).with(Section::Patterns, &line).unwrap().text(), after, "{before:?}");
    }
}

#[test]
fn behind_code_that_never_ends_nothing_is_put() {
    let line = written(Section::Patterns, "l_00000000aa", "new", "New one.", "");
    assert_eq!(Page::new("# A\n\n```\nopen\n").with(Section::Patterns, &line), None);
}

#[test]
fn a_confirmed_text_that_looks_like_markdown_stays_one_entry() {
    for text in ["# not a heading", "- a list", "```", "> quoted", "1. one", "*bold* start", "--- x", "<div>"] {
        let lines = written(Section::Confirmed, "l_00000000aa", "odd", text, "medium");
        let page = Page::new("# M\n\n## Confirmed Preferences\n\n### a | high\nText.\n\n## Next\n");
        let page = page.with(Section::Confirmed, &lines).unwrap_or_else(|| panic!("{text}"));
        let ids: Vec<_> = page.entries().into_iter().map(|e| e.id).collect();
        assert_eq!(ids, [None, Some("l_00000000aa".to_owned())], "{text}");
        assert!(page.text().ends_with("\n\n## Next\n"), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unknown_text_is_kept_byte_for_byte(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "## Patterns\n", "## Confirmed Preferences\n", "### t | high\n", "### t <!-- l_0000000001 -->\r\n", "text\n", "\n", "- a\n",
            "- [t] b <!-- l_0000000002 -->\n", "  deeper\n", "```\n", "<!-- c\n", "-->\n", "# T\r\n", "> q\n", "---\n", "==\n", "\u{feff}", "no end",
        ]), 0..16),
    ) {
        let text = pieces.concat();
        let page = Page::new(text.clone());
        prop_assert_eq!(page.text(), &text);
        let entries = page.entries();
        // Entries stand in order, apart, on whole lines.
        let mut end = 0;
        for entry in &entries {
            prop_assert!(entry.span.start >= end && entry.span.end > entry.span.start);
            prop_assert!(entry.span.start == 0 || text.as_bytes()[entry.span.start - 1] == b'\n');
            end = entry.span.end;
        }
        // What is put in and taken out again leaves every line that was there, in order.
        let line = written(Section::Patterns, "l_00000000aa", "new", "New one.", "");
        if let Some(more) = page.with(Section::Patterns, &line) {
            let ours = more.entries().into_iter().find(|e| e.id.as_deref() == Some("l_00000000aa"));
            prop_assert!(ours.is_some());
            let rest = more.without(&ours.unwrap().span);
            let full = |text: &str| -> Vec<String> {
                text.lines().map(str::to_owned).filter(|l| !l.is_empty() && l != "## Patterns").collect()
            };
            prop_assert_eq!(full(rest.text()), full(&text));
        }
    }
}
