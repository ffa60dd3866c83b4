//! Global files as people, products and accidents leave them.

use proptest::prelude::*;

use super::*;

const STAMP: &str = "2026-11-30T22:00:00Z";
const LATER: &str = "2026-12-01T08:00:00Z";

fn lines(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| format!("- [tools] {word}")).collect()
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    /// The block is put in, and taking it out gives the same bytes.
    New,
    /// The lines of the block that is there are replaced.
    Replaced,
    /// It is left alone, with these words.
    Refused(&'static str),
}
use Fate::{New, Refused, Replaced};

/// The block as an earlier sync left it.
fn ours() -> String {
    let old = lines(&["Old."]);
    format!("## Learnings\n\n### Patterns\n{}\n", core(&old, "2026-01-01T00:00:00Z", "\n"))
}

fn hostile() -> Vec<(String, Fate)> {
    let ours = ours();
    let block = ours.strip_prefix("## Learnings\n\n").unwrap_or_default();
    let mut files: Vec<(String, Fate)> = [
        ("", New),
        ("\n", New),
        ("\n\n\n", New),
        ("   ", New),
        ("\u{feff}", New),
        ("\u{feff}# Rules\r\n\r\nBe kind.\r\n", New),
        ("# Rules\n\nBe kind.\n", New),
        ("# Rules\n\nBe kind.", New),
        ("# Rules\r\n\r\nBe kind.\r\n", New),
        ("# Rules\r\n\r\nBe kind.", New),
        ("# Rules\r\n\nmixed\nline\r\nends\n", New),
        ("Rules\n=====\n\nBe kind.\n", New),
        ("no heading at all", New),
        ("- a list\n- that ends the file", New),
        ("> a quote", New),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", New),
        ("1. one\n2. two\n   - three\n\n     deep\n", New),
        ("text with <!-- a comment --> inside\n", New),
        ("<!-- a comment -->\n", New),
        ("<!--\n### Patterns\n-->\n", New),
        ("<!--\n## Learnings\n\n### Patterns\n- [x] hidden\n-->\n\n# Real\n", New),
        ("<!-- other-tool:start -->\n- x\n<!-- other-tool:end -->\n", New),
        ("# A\n\n## Learnings\n\n<!-- other-tool:start -->\n### Rules\n- x\n<!-- other-tool:end -->\n", New),
        ("```\n### Patterns\n```\n", New),
        ("```md\n## Learnings\n\n### Patterns\n- [x] example\n```\n", New),
        ("~~~~\n```\n## Learnings\n~~~\n### Patterns\n~~~~\n", New),
        ("    ## Learnings\n\n    ### Patterns\n", New),
        ("<details>\n## Learnings\n### Patterns\n</details>\n", New),
        ("<pre>\n## Learnings\n\n### Patterns\n</pre>\n", New),
        ("<script>\n\n### Patterns\n\n</script>\n", New),
        ("---\ntitle: x\n# no heading\n---\n\n# Real\n", New),
        ("Learnings are good.\nPatterns too.\n", New),
        ("# Learnings\n\nAn essay.\n", New),
        ("## Code\n\n### Patterns\n\nUse the factory pattern.\n", New),
        ("### Patterns\n\nOf my garden.\n", New),
        ("## Patterns\n\nOf the whole house.\n", New),
        ("#### Patterns\n", New),
        ("###Patterns\n", New),
        ("\\### Patterns\n", New),
        ("`### Patterns`\n", New),
        ("## Learnings in general\n\nx\n", New),
        ("## Learnings", New),
        ("## Learnings\n", New),
        ("## Learnings\r\n", New),
        ("## Learnings ##\n\nWhat I learned.\n", New),
        ("  ## Learnings\n\n  indented\n", New),
        ("Learnings\n---\n\nsetext\n", New),
        ("Learnings\n---\n\nsetext\n\nNext\n---\n\nmore\n", New),
        ("## LEARNINGS\n\n## Next\n", New),
        ("## Learnings\n## Next\n", New),
        ("## Learnings\n\nText.\n\n### Other\n\nMore.\n\n# Next\n", New),
        ("## Learnings\n\n```\n## Not next\n```\n\n## Next\n\nText.", New),
        ("## Learnings\n\nText\nNext\n---\n", New),
        ("## Learnings\n\n- a\n- b\n## Next\n", New),
        ("## Learnings\n\n### Patterns\n", New),
        ("## Learnings\n\n### Patterns", New),
        ("## Learnings\r\n\r\n### Patterns\r\n\r\n## Next\r\n", New),
        ("## Learnings\n\n### Patterns\n\n\n\n## Next\n", New),
        ("## Learnings\n\n### Patterns\n## Next\n", New),
        ("## Learnings\n\n### Patterns\nNext\n---\n", New),
        ("## Learnings\n\n### Patterns ###\n\n### Others\n", New),
        ("## Learnings\n\n### **Patterns**\n\n### Others\n", New),
        ("## Learnings\n\nPatterns\n===\n", New),
        ("# Emoji 🎉 \u{200d}中文\n\n文字。\n", New),
        ("nul \0 and bell \u{7}\n", New),
        ("## Learnings\n\n### Patterns\n\nMy own words.\n", Refused("did not write")),
        ("## Learnings\n\n### Patterns\n- a list of mine\n", Refused("did not write")),
        ("## Learnings\n\n### Patterns\n- [tag] looks alike\n", Refused("did not write")),
        ("## Learnings\n\n### Patterns\n<!-- a note -->\n- [a] b\n", Refused("did not write")),
        ("## Learnings\n\n### Patterns\n```\ncode\n```\n", Refused("did not write")),
        ("## Learnings\n\n### Patterns\n\n#### Deeper\n", Refused("did not write")),
        ("## Learnings\n\n### Patterns\n> ## Quoted\n", Refused("did not write")),
        ("## Learnings\n\n### Patterns\n\n### Patterns\n", Refused("more than one `### Patterns`")),
        ("## Learnings\n\n### Patterns\n\n## Learnings\n\n### Patterns\n", Refused("more than one `### Patterns`")),
        ("## Learnings\n\n## Learnings\n", Refused("more than one `## Learnings`")),
        ("## Learnings\n\n> ### Patterns\n", Refused("quote or a list")),
        ("## Learnings\n\n- ### Patterns\n", Refused("quote or a list")),
        ("## Learnings\n\n1. x\n   ### Patterns\n", Refused("quote or a list")),
        ("# Rules\n\n```\nnever closed\n", Refused("never ends")),
        ("# Rules\n\n<!-- never closed\n\n## Learnings\n", Refused("never ends")),
        ("# Rules\n\n<pre>\nnever closed\n", Refused("never ends")),
        ("## Learnings\n\n~~~\n### Patterns\n", Refused("never ends")),
        ("## Learnings\n\n### Patterns\n<!-- last synced: 2026-01-01 -->\n- [a] b\n- [c] d\n\n## Next\n", Replaced),
        (
            "## Learnings\n\n### Patterns\n<!-- Sync timestamp: 2026-01-01 -->\n- [a] b\n\nMine.\n",
            Refused("did not write"),
        ),
    ]
    .into_iter()
    .map(|(text, fate)| (text.to_owned(), fate))
    .collect();
    let crlf = ours.replace('\n', "\r\n");
    let (edited, added) = (ours.replace("Old.", "Changed."), format!("{ours}- mine\n"));
    files.extend([
        (ours.clone(), Replaced),
        (ours.trim_end().to_owned(), Replaced),
        (crlf, Replaced),
        (format!("# A\n\n{ours}\n## B\n\ntext"), Replaced),
        (format!("# A\n\n{ours}### Others\n\ntext"), Replaced),
        (format!("# A\n\n{ours}\n\n\n"), Replaced),
        // Another tool's marks above ours, and below the next heading.
        (format!("<!-- other:start -->\n- x\n<!-- other:end -->\n\n{ours}\n## B\n\n<!-- other:start -->\n<!-- other:end -->\n"), Replaced),
        (format!("{ours}\n<!-- other:start -->\n- x\n<!-- other:end -->\n"), Refused("changed by hand")),
        // Moved by the person to another section: it is still ours.
        (format!("# A\n\n## Mine\n\n{block}"), Replaced),
        (format!("```\n{ours}```\n"), New),
        ("<!--\n## Learnings\n\n### Patterns\n\n- [a] b\n-->\n".to_owned(), New),
        (edited, Refused("changed by hand")),
        (added, Refused("changed by hand")),
        (format!("{ours}\n{ours}"), Refused("more than one `### Patterns`")),
        (format!("{ours}\n## Elsewhere\n\n{block}"), Refused("more than one `### Patterns`")),
        (format!("{ours}\n---\n"), Refused("changed by hand")),
        (format!("{ours}Title\n---\n"), Refused("changed by hand")),
    ]);
    files
}

#[test]
fn every_hostile_file_keeps_its_bytes_or_is_left_alone() {
    let files = hostile();
    assert!(files.len() >= 60, "{}", files.len());
    for (text, fate) in files {
        let filled = fill(&text, &lines(&["Use pnpm.", "别用 npm。"]), STAMP);
        match (fate, filled) {
            (Refused(words), Err(refusal)) => {
                assert!(refusal.what.contains(words), "{text:?}: {refusal:?}");
                assert!(refusal.line.is_some(), "{text:?}");
            }
            (New, Ok(Some(filled))) => {
                assert_ne!(filled.setting, Setting::default(), "{text:?}");
                assert_eq!(clear(&filled.text, &filled.setting), Ok(Some(text.clone())), "{text:?}");
            }
            (Replaced, Ok(Some(filled))) => {
                assert_eq!(filled.setting, Setting::default(), "{text:?}");
                let (old, new) = (outside(&text), outside(&filled.text));
                assert_eq!(old, new, "{text:?}");
            }
            (_, other) => panic!("{text:?} should be {fate:?}: {other:?}"),
        }
    }
}

/// What is left of a file without the lines of its block.
fn outside(text: &str) -> (String, String) {
    let Ok(Place::Block { body }) = find(text, &Outline::new(text)) else { panic!("no block in {text:?}") };
    (text.split_at(body.start).0.to_owned(), text.split_at(body.end).1.to_owned())
}

#[test]
fn the_same_lines_change_nothing_and_no_timestamp() {
    for (text, _) in hostile() {
        let words = lines(&["Use pnpm."]);
        if let Ok(Some(filled)) = fill(&text, &words, STAMP) {
            assert_eq!(fill(&filled.text, &words, LATER), Ok(None), "{text:?}");
        }
    }
}

#[test]
fn other_lines_and_none_leave_the_rest_as_it_was() {
    for (text, fate) in hostile() {
        let Ok(Some(first)) = fill(&text, &lines(&["Use pnpm."]), STAMP) else { continue };
        let second = fill(&first.text, &lines(&["Use yarn.", "Be brief."]), LATER).unwrap().unwrap();
        assert_eq!(outside(&first.text), outside(&second.text), "{text:?}");
        let third = fill(&second.text, &[], LATER).unwrap().unwrap();
        assert_eq!(outside(&first.text), outside(&third.text), "{text:?}");
        if fate == New {
            assert_eq!(clear(&third.text, &first.setting), Ok(Some(text.clone())), "{text:?}");
        }
    }
}

#[test]
fn what_moved_in_beside_the_block_stays() {
    let filled = fill("# A\n", &lines(&["Use pnpm."]), STAMP).unwrap().unwrap();
    let grown = format!("{}\n### Mine\n\nText.\n", filled.text);
    let cleared = clear(&grown, &filled.setting).unwrap().unwrap();
    assert_eq!(cleared, "# A\n\n## Learnings\n\n\n### Mine\n\nText.\n");
}

#[test]
fn a_file_without_a_block_has_nothing_to_clear() {
    assert_eq!(clear("# A\n", &Setting::default()), Ok(None));
    assert_eq!(clear("## Learnings\n\n### Patterns\n", &Setting::default()), Ok(None));
}

/// Pieces of markdown, good and bad, put together at random.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "# A",
        "## Learnings",
        "### Patterns",
        "## B",
        "#### C",
        "text",
        "- item",
        "  - deeper",
        "> quote",
        "> ## q",
        "```",
        "~~~",
        "<!--",
        "-->",
        "<!-- c -->",
        "<div>",
        "</div>",
        "<pre>",
        "</pre>",
        "---",
        "===",
        "    code",
        "",
        "",
        "",
        "1. one",
        "| a | b |",
        "|---|---|",
        "[x]: y",
        "`code",
        "<!-- synced: x -->",
        "- [a] b",
        "\u{feff}",
        "***",
        "\t# tab",
        "中文",
        "<script>",
        "</script>",
        "+++",
        "<?php",
        "?>",
        "<![CDATA[",
        "]]>",
        "<!X",
        "- ### Patterns",
    ]);
    let end = prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\n\n", "\r"]);
    (prop::collection::vec((piece, end), 0..14), any::<bool>()).prop_map(|(pieces, ends)| {
        let text: String = pieces.into_iter().flat_map(|(piece, end)| [piece, end]).collect();
        if ends { text } else { text.trim_end_matches(['\r', '\n']).to_owned() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_markdown_keeps_every_byte(text in markdown()) {
        let words = lines(&["Use pnpm.", "Be brief."]);
        if let Ok(Some(filled)) = fill(&text, &words, STAMP) {
            prop_assert_eq!(fill(&filled.text, &words, LATER), Ok(None));
            if filled.setting == Setting::default() {
                prop_assert_eq!(outside(&text), outside(&filled.text));
            } else {
                prop_assert_eq!(clear(&filled.text, &filled.setting), Ok(Some(text)));
            }
        }
    }

    #[test]
    fn any_text_at_all_is_filled_or_refused(text in "\\PC*|(?s).{0,200}") {
        if let Ok(Some(filled)) = fill(&text, &lines(&["Use pnpm."]), STAMP) {
            prop_assert!(filled.setting == Setting::default() || clear(&filled.text, &filled.setting) == Ok(Some(text)));
        }
    }
}
