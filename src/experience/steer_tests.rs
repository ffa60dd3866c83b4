//! Blocks in files of every ending, put in and taken out.

use proptest::prelude::*;

use super::*;

const SNIPPET: &str = "## Experience\n\nRead memory.md.\n";

#[test]
fn every_file_is_given_back_byte_for_byte() {
    for text in [
        None,
        Some(""),
        Some("\n"),
        Some("# Rules"),
        Some("# Rules\n"),
        Some("# Rules\n\n\n"),
        Some("# Rules\r\n\r\nBe kind.\r\n"),
        Some("# Rules\r\n\r\nBe kind."),
        Some("\u{feff}# Rules\n"),
        Some("```\n<!-- /afterword: steering, no -->\n```\n"),
    ] {
        let with = put(text, SNIPPET).unwrap().unwrap();
        assert!(with.starts_with(text.unwrap_or_default()) && with.contains("Read memory.md."), "{with:?}");
        assert_eq!(put(Some(&with), SNIPPET), Ok(None), "{text:?}");
        assert_eq!(take(&with), Ok(Some(text.map(str::to_owned))), "{text:?}");
        // A newer snippet takes the place of the older one, and what is given back stays the same.
        let newer = put(Some(&with), "## Experience\n\nOther words.\n").unwrap().unwrap();
        assert_eq!(take(&newer), Ok(Some(text.map(str::to_owned))), "{text:?}");
        // Words around the block stay.
        let around = format!("Above.\n{with}Below.\n");
        assert!(take(&around).unwrap().unwrap().is_some_and(|rest| rest.contains("Above.") && rest.contains("Below.")));
    }
}

#[test]
fn a_block_that_is_broken_doubled_or_edited_is_left_alone() {
    let with = put(Some("# Rules\n"), SNIPPET).unwrap().unwrap();
    for (text, words) in [
        (with.replace("Read", "Never read"), "changed by hand"),
        (format!("{with}{with}"), "there twice"),
        (with.replace(CLOSE, ""), "marks is missing"),
        (format!("# Rules\n{CLOSE}\n"), "marks is missing"),
    ] {
        let refusal = take(&text).unwrap_err();
        assert!(refusal.what.contains(words) && refusal.line.is_some(), "{refusal:?}");
        assert_eq!(put(Some(&text), SNIPPET).unwrap_err(), refusal);
    }
    assert!(put(Some("# A\n```\nopen\n"), SNIPPET).unwrap_err().what.contains("never ends"));
}

#[test]
fn the_snippets_stand_on_their_own() {
    for (file, snippet) in SNIPPETS {
        assert!(snippet.starts_with("## Experience\n") && snippet.ends_with('\n'), "{file}");
        assert_eq!(take(&put(None, snippet).unwrap().unwrap()), Ok(Some(None)), "{file}");
    }
}

proptest! {
    #[test]
    fn whatever_it_is_put_into_is_given_back(text in "(?s)(# A|```|<!--|-->|\r?\n| |x|## B){0,20}") {
        if let Ok(Some(with)) = put(Some(&text), SNIPPET) {
            prop_assert_eq!(take(&with), Ok(Some(Some(text))));
        }
    }
}
