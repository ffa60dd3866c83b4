//! Files in, files with our entries out, files back: each form a configuration is found in.

mod files;
mod hosts;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::json::edit::{pull, push, set, unset};
use super::json::{Node, Shape, parse};
use super::*;
use crate::host::Places;

/// A home folder, a program, and the plan of a host in it.
struct Home {
    _folder: TempDir,
    places: Places,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let places = Places { home: folder.path().join("home"), vars: Default::default() };
        fs::create_dir(&places.home).unwrap();
        Self { _folder: folder, places }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.places.home.join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn state(&self) -> PathBuf {
        self.places.state()
    }

    fn plan_for(&self, host: Host, program: &Path, client: Option<&Client>) -> Result<Plan> {
        let (places, search, route) = (&self.places, Search::Unknown, Route::Fitting);
        plan(host, &Wish { places, program, agent: "main", client, search, route, recall: Recall::Off })
    }

    /// The plan with `--recall`.
    fn recalling(&self, host: Host) -> Plan {
        let (places, search, route) = (&self.places, Search::Unknown, Route::Fitting);
        let program = Path::new("/opt/my tools/afterword");
        plan(host, &Wish { places, program, agent: "main", client: None, search, route, recall: Recall::On }).unwrap()
    }

    fn plan(&self, host: Host) -> Result<Plan> {
        self.plan_for(host, Path::new("/opt/my tools/afterword"), None)
    }

    /// Agrees to the steps that `agrees` picks; returns how many changed something.
    fn install_some(&self, host: Host, agrees: impl Fn(&Step) -> bool) -> Result<usize> {
        self.commit(host, &self.plan(host)?, agrees)
    }

    fn commit(&self, host: Host, plan: &Plan, agrees: impl Fn(&Step) -> bool) -> Result<usize> {
        let mut draft = Draft::open(host, &self.state())?;
        let mut changed = 0;
        for step in plan.steps.iter().filter(|step| agrees(step)) {
            let (next, differences) = draft.with(step)?;
            changed += usize::from(!differences.is_empty());
            draft = next;
        }
        if changed > 0 {
            draft.commit()?;
        }
        Ok(changed)
    }

    fn install(&self, host: Host) -> usize {
        self.install_some(host, |_| true).unwrap()
    }

    fn uninstall(&self, host: Host) {
        removal(host, &self.state()).unwrap().expect("something was installed").commit().unwrap();
    }

    /// Every file and folder below the home folder with its bytes, except the state folder.
    fn tree(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.places.home.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path == self.path(".local") {
                    continue;
                }
                if path.is_dir() {
                    found.push((path.clone(), None));
                    folders.push(path);
                } else {
                    found.push((path.clone(), Some(fs::read(&path).unwrap())));
                }
            }
        }
        found.sort();
        found
    }
}

/// The text without comments and trailing commas, as a value: what the host reads.
fn value(text: &str) -> Value {
    fn plain(node: &Node) -> Value {
        match &node.shape {
            Shape::Object(items) => items.iter().map(|i| (i.key.clone().unwrap().name, plain(&i.value))).collect(),
            Shape::Array(items) => items.iter().map(|item| plain(&item.value)).collect(),
            Shape::Text(text) => text.as_str().into(),
            Shape::Number(number) => serde_json::from_str(number).unwrap_or(Value::Null),
            Shape::Bool(truth) => (*truth).into(),
            Shape::Null => Value::Null,
        }
    }
    plain(&parse(text).unwrap_or_else(|fault| panic!("{fault:?}\n{text}")))
}

fn path(names: &str) -> Vec<String> {
    names.split('.').map(str::to_owned).collect()
}

/// A text, the same text with an entry in the list `a.b`, both as they are written.
const ADDED: [(&str, &str); 16] = [
    ("{}", "{\n  \"a\": {\n    \"b\": [\"x\"]\n  }\n}"),
    ("{}\n", "{\n  \"a\": {\n    \"b\": [\"x\"]\n  }\n}\n"),
    ("{\n}\n", "{\n  \"a\": {\n    \"b\": [\"x\"]\n  }\n}\n"),
    ("{\"c\":1}", "{\"c\":1,\"a\":{\"b\":[\"x\"]}}"),
    ("{\"c\": 1}", "{\"c\": 1, \"a\": {\"b\": [\"x\"]}}"),
    ("{\n\t\"c\": 1\n}\n", "{\n\t\"c\": 1,\n\t\"a\": {\n\t\t\"b\": [\"x\"]\n\t}\n}\n"),
    (
        "{\r\n    \"c\": 1, // why\r\n}\r\n",
        "{\r\n    \"c\": 1, // why\r\n    \"a\": {\r\n        \"b\": [\"x\"]\r\n    },\r\n}\r\n",
    ),
    ("{\n  c: 1 // why\n}", "{\n  c: 1, // why\n  a: {\n    b: [\"x\"]\n  }\n}"),
    ("{\n  // nothing yet\n}", "{\n  // nothing yet\n  \"a\": {\n    \"b\": [\"x\"]\n  }\n}"),
    ("{\"a\": {\"b\": [\"w\"]}}", "{\"a\": {\"b\": [\"w\", \"x\"]}}"),
    ("{\"a\": {\"b\": [\"w\",]}}", "{\"a\": {\"b\": [\"w\", \"x\",]}}"),
    (
        "{\n  \"a\": {\n    \"b\": [\n      \"w\"\n    ]\n  }\n}",
        "{\n  \"a\": {\n    \"b\": [\n      \"w\",\n      \"x\"\n    ]\n  }\n}",
    ),
    ("{\n  'a': {b: ['w' /* last */]}\n}", "{\n  'a': {b: ['w', \"x\" /* last */]}\n}"),
    ("{ \"a\": {\n  \"c\": 1 } }", "{ \"a\": {\n  \"c\": 1,\n  \"b\": [\"x\"] } }"),
    ("\u{feff}{\n   \"a\": {}\n}\n", "\u{feff}{\n   \"a\": {\n      \"b\": [\"x\"]\n   }\n}\n"),
    ("{\n  \"a\": {\n    \"b\": []\n  }\n}", "{\n  \"a\": {\n    \"b\": [\"x\"]\n  }\n}"),
];

#[test]
fn an_addition_is_written_in_the_manner_of_its_surroundings() {
    for (before, after) in ADDED {
        assert_eq!(push(before, &path("a.b"), "\"x\"").unwrap().text, after, "{before}");
    }
}

#[test]
fn a_cut_takes_out_what_an_addition_put_in() {
    for (before, _) in ADDED {
        let edit = Edit::append(&["a", "b"], "\"x\"".into());
        let (after, done) = edit.apply(before).unwrap().unwrap();
        let restored = done.undo(&after).unwrap();
        assert_eq!(value(&restored), value(before));
        // Only the blanks of an object or list without any entry may differ.
        let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(without_blanks(&restored), without_blanks(before));
        let had_entries =
            !parse(before).unwrap().items().is_empty() && !before.contains("{}") && !before.contains("[]");
        assert!(!had_entries || restored == before, "{before}\n{restored}");
        assert_eq!(edit.apply(&after).unwrap(), None, "it is not put in twice");
    }
}

#[test]
fn a_cut_in_the_middle_leaves_the_others_and_their_comments() {
    let x = |node: &Node| node.text() == Some("x");
    for (before, after) in [
        ("[[\"x\", \"y\"]]", "[[\"x\", \"y\"]]"),
        ("{\"l\": [\"x\", \"y\"]}", "{\"l\": [\"y\"]}"),
        ("{\"l\": [\"w\", \"x\", \"y\"]}", "{\"l\": [\"w\", \"y\"]}"),
        ("{\"l\": [\"w\",\"x\"]}", "{\"l\": [\"w\"]}"),
        ("{\"l\": [\n  \"x\", // mine\n  \"y\"\n]}", "{\"l\": [\n  // mine\n  \"y\"\n]}"),
        ("{\"l\": [\n  // of y\n  \"x\",\n  // of z\n  \"z\"\n]}", "{\"l\": [\n  // of y\n  // of z\n  \"z\"\n]}"),
        ("{\"l\": [\n  \"w\", // w\n  \"x\"\n]}", "{\"l\": [\n  \"w\" // w\n]}"),
        ("{\"l\": [\n  \"w\", // w\n  \"x\" ]}", "{\"l\": [\n  \"w\" // w\n   ]}"),
        ("{\"l\": [\r\n  \"w\",\r\n  \"x\",\r\n]}", "{\"l\": [\r\n  \"w\",\r\n]}"),
    ] {
        let cut = pull(before, &path("l"), x).unwrap().unwrap_or_else(|| before.to_owned());
        assert_eq!(cut, after);
    }
}

#[test]
fn a_value_is_set_and_set_back() {
    let (changed, old) = set("{\n  a: {on: false /* no */}\n}", &path("a.on"), "true").unwrap();
    assert_eq!((changed.text.as_str(), old.as_deref()), ("{\n  a: {on: true /* no */}\n}", Some("false")));
    let (changed, old) = set("{}", &path("a.on"), "true").unwrap();
    assert_eq!((old, changed.made), (None, vec![path("a")]));
    assert_eq!(unset(&changed.text, &path("a.on")).unwrap(), "{\n  \"a\": {}\n}");
}

#[test]
fn a_file_that_leaves_doubts_is_refused_with_its_line() {
    for (text, line, what) in [
        ("", 1, "it is empty"),
        ("\u{feff} \n", 2, "it is empty"),
        ("{\n\"a\": 1,\n\"a\": 2}", 3, "stands twice"),
        ("{\n\"a\": 1\n\"b\": 2}", 3, "a comma is missing"),
        ("{\n\"a\": [1, 2}", 2, "`}` stands where `]` is missing"),
        ("{\n  \"a\": {\n", 2, "never closed"),
        ("{\"a\": \"b\n\"}", 1, "does not end on its line"),
        ("{\"a\": tru}", 1, "no value"),
        ("{\"a\" 1}", 1, "a colon is missing behind `a`"),
        ("{} {}", 1, "follows the end"),
        ("{\n/* x", 2, "a comment does not end"),
        ("{\"a\": \"\\ud800\\u0041\"}", 1, "escape"),
    ] {
        let fault = parse(text).unwrap_err();
        assert!(fault.what.contains(what), "{text}: {fault:?}");
        assert_eq!(json::line_of(text, fault.at), line, "{text}: {fault:?}");
    }
    assert!(parse(&"[".repeat(100_000)).unwrap_err().what.contains("too deeply"));
}

#[test]
fn json5_is_read() {
    let text =
        "// head\n{a: 'it\\'s', \"b\\u00e9\": 0x1F, c: +.5, d: -Infinity, e: NaN, f: 'a\\\nb', /**/ g: [1,], $h: null}";
    let read = value(text);
    assert_eq!((&read["a"], &read["bé"], &read["f"]), (&"it's".into(), &Value::Null, &"ab".into()));
    assert_eq!(read.as_object().unwrap().len(), 8);
}

mod laws {
    use proptest::prelude::*;

    use super::*;

    /// Configurations with blanks and comments strewn in.
    fn config() -> impl Strategy<Value = String> {
        let blank = || prop::sample::select(vec!["", " ", "\n", "\n  ", "\t", " // note\n", "/* note */", "\r\n    "]);
        let leaf = prop::sample::select(vec!["1", "true", "null", "\"x\"", "'y'", "\"…\"", "{}", "[]"])
            .prop_map(str::to_owned);
        let tree = leaf.prop_recursive(3, 24, 4, move |inner| {
            let entry = (blank(), inner, blank(), blank()).prop_map(|(a, value, b, c)| (a, value, b, c));
            (prop::collection::vec(entry, 1..4), blank(), any::<(bool, bool)>()).prop_map(
                |(entries, end, (object, comma))| {
                    let mut parts = Vec::new();
                    for (at, (a, value, b, _)) in entries.iter().enumerate() {
                        let name = if object { format!("\"k{at}\":") } else { String::new() };
                        parts.push(format!("{a}{name}{b}{value}"));
                    }
                    let (open, close) = if object { ('{', '}') } else { ('[', ']') };
                    format!("{open}{}{}{end}{close}", parts.join(","), if comma { "," } else { "" })
                },
            )
        });
        (blank(), tree, blank()).prop_map(|(a, tree, b)| format!("{a}{{\"root\": {tree}}}{b}"))
    }

    proptest! {
        #[test]
        fn what_is_put_in_is_read_and_taken_out(text in config()) {
            for edit in [
                Edit::append(&["hooks", "End"], "{\"c\": [1]}".into()),
                Edit::append(&["root", "own", "list"], "\"x\"".into()),
                Edit::set(&["root", "k0", "deep"], "true"),
                Edit::set(&["root", "k1"], "\"new\""),
            ] {
                let Ok(Some((after, done))) = edit.apply(&text) else { continue };
                prop_assert_ne!(value(&after), value(&text));
                prop_assert_eq!(edit.apply(&after).unwrap(), None);
                let restored = done.undo(&after).unwrap();
                prop_assert_eq!(value(&restored), value(&text), "{}\n---\n{}", after, restored);
                let comments = |text: &str| text.matches("note").count();
                prop_assert_eq!(comments(&restored), comments(&text));
                let replaced = done.before.as_deref().map_or(0, comments);
                prop_assert_eq!(comments(&after), comments(&text) - replaced);
            }
        }
    }
}
