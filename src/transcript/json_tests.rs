//! Tests of the one-pass reader.

use super::*;

fn text_of(json: &str, limit: usize) -> String {
    Cursor::new(json.as_bytes()).value().unwrap().text_up_to(limit).unwrap().into_owned()
}

#[test]
fn strings_decode_to_the_end_or_the_limit() {
    let table = [
        (r#""plain""#, usize::MAX, "plain"),
        (r#""a\n\t\"b\"""#, usize::MAX, "a\n\t\"b\""),
        (r#""\u4f60\ud83d\ude00""#, usize::MAX, "你😀"),
        (r#""lone \ud83d here""#, usize::MAX, "lone \u{fffd} here"),
        (r#""\ud83d\u0041""#, usize::MAX, "\u{fffd}A"),
        (r#""\u12""#, usize::MAX, "\u{fffd}12"),
        (r#""你好""#, 4, "你"),
        (r#""a\n你好""#, 6, "a\n你"),
    ];
    for (json, limit, want) in table {
        assert_eq!(text_of(json, limit), want, "{json}");
    }
}

#[test]
fn malformed_texts_are_told_apart_from_odd_types() {
    for bad in ["", "{", "{\"a\":1", "{\"a\" 1}", "[1,2", "\"open", "{\"a\":hello}", "\0\0", "{a:1}"] {
        assert_eq!(Cursor::new(bad.as_bytes()).object(|_, at| at.skip()), Err(Malformed), "{bad}");
    }
    for odd in ["3", "\"text\"", "null", "[{}]", "{}", "{ }"] {
        assert_eq!(Cursor::new(odd.as_bytes()).object(|_, at| at.skip()), Ok(()), "{odd}");
    }
}

#[test]
fn depth_is_no_matter() {
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    assert_eq!(Cursor::new(deep.as_bytes()).skip(), Ok(()));
    assert_eq!(Cursor::new("[".repeat(20_000).as_bytes()).skip(), Err(Malformed));
}

#[test]
fn members_and_items_are_found_by_name_and_place() {
    let value = Cursor::new(br#" {"a": [1, {"b": "x"}], "c": true} "#).value().unwrap();
    assert_eq!(value.get("a").items().len(), 2);
    assert_eq!(value.get("a").items()[1].get("b").text().unwrap(), "x");
    assert!(value.get("c").is_true());
    assert!(!value.get("d").is_some());
}

proptest::proptest! {
    #[test]
    fn whatever_serde_writes_is_read_back(text: String, limit in 0_usize..64) {
        let json = serde_json::to_string(&text).unwrap();
        let value = Cursor::new(json.as_bytes()).value().unwrap();
        proptest::prop_assert_eq!(value.text().unwrap(), text.as_str());
        let short = value.text_up_to(limit).unwrap();
        proptest::prop_assert!(text.starts_with(&*short), "{:?}", short);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>) {
        if let Ok(value) = Cursor::new(&bytes).value() {
            let _ = (value.text(), value.items(), value.get("a"), value.number());
        }
    }
}
