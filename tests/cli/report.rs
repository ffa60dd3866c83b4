//! `report`: the page, written as a file.

use std::fs;

use chrono::Utc;

use crate::page::html::page;
use crate::page::stores::lived_in;
use crate::support::sandbox::Sandbox;
use crate::support::snapshot::snapshot;
use crate::support::tree::tree;

/// A page without what stands in files of its own anyway.
fn without_style_and_script(html: &str) -> String {
    let cut = |text: &str, from: &str, to: &str| {
        let (before, rest) = text.split_once(from).unwrap();
        format!("{before}{from}…{to}{}", rest.split_once(to).unwrap().1)
    };
    let html = cut(html, "<style>", "</style>");
    let html = cut(&html, "<script>", "</script>");
    let html = cut(&html, "style-src &#39;sha256-", "&#39;");
    let html = cut(&html, "script-src &#39;sha256-", "&#39;");
    html.replace(env!("CARGO_PKG_VERSION"), "[VERSION]")
}

#[test]
fn it_shows_the_timeline_the_words_the_chains_and_what_waits() {
    // What the ledger tells of a command's own time does not reach the page, but for the day of the wish to forget.
    let html = page(&lived_in(), &["harbour", "lighthouse"], &Utc);
    let today = Utc::now().format("%-d %b %Y").to_string();
    snapshot("cli", "report", &without_style_and_script(&html).replace(&today, "[TODAY]"));
}

#[test]
fn it_says_where_the_page_is_and_what_is_in_it() {
    let sandbox = lived_in();
    let told = sandbox.run(["report", "--store", "harbour", "lighthouse"]).exits(0).out;
    assert_eq!(told, "[DIR]/afterword-report.html\n  4 memories, 1 waiting, 2 in history, from 2 stores\n");
    let record = sandbox.run(["report", "--store", "harbour", "--format", "jsonl"]).exits(0).json();
    assert_eq!(
        (&record[0]["active"], &record[0]["waiting"], &record[0]["written"]),
        (&3.into(), &1.into(), &true.into())
    );
}

#[test]
fn a_dry_run_writes_nothing() {
    let sandbox = lived_in();
    let before = tree(&sandbox.path(""));
    let told = sandbox.run(["report", "--store", "harbour", "--dry-run"]).exits(0).out;
    assert!(told.contains("(dry run: nothing was written)"), "{told}");
    assert_eq!(tree(&sandbox.path("")), before);
}

#[test]
fn an_earlier_report_is_written_over_and_nothing_else_unless_forced() {
    let sandbox = lived_in();
    let report = |more: &[&str]| sandbox.run([&["report", "--store", "harbour", "--out", "page.html"], more].concat());
    report(&[]).exits(0);
    report(&[]).exits(0);
    for foreign in ["<!doctype html>\n<title>My own</title>\n", ""] {
        sandbox.write("page.html", foreign);
        let refused = report(&[]).exits(2).err;
        assert!(
            refused.contains("page.html: it is there and is no report") && refused.contains("--force"),
            "{refused}"
        );
        report(&["--dry-run"]).exits(2);
        assert_eq!(fs::read_to_string(sandbox.path("page.html")).unwrap(), foreign);
    }
    report(&["--force"]).exits(0);
    assert!(fs::read_to_string(sandbox.path("page.html")).unwrap().contains("Asia/Tokyo"));
    let missing = sandbox.run(["report", "--store", "harbour", "--out", "no/such/page.html"]).exits(2).err;
    assert!(missing.contains("no/such/page.html: could not write") && missing.contains("hint:"), "{missing}");
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_it() {
    let sandbox = lived_in();
    sandbox.run(["report", "--store", "harbour"]).exits(0);
    let found = fs::metadata(sandbox.path("afterword-report.html")).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o777, 0o600);
}

#[test]
fn projects_are_called_by_the_folder_their_store_is_in_and_stores_count_once() {
    let sandbox = Sandbox::new();
    for place in ["shop", "other/shop", "quay", "home"] {
        let args = ["write", "profile", "x", "infinity", "--body", "User plays chess.", "--store"];
        sandbox.run([&args[..], &[&format!("{place}/.reflexio")]].concat()).exits(0);
    }
    let title = |stores: &[&str]| {
        sandbox.run([&["report", "--store"], stores].concat()).exits(0);
        let html = fs::read_to_string(sandbox.path("afterword-report.html")).unwrap();
        html.split("<title>").nth(1).unwrap().split("</title>").next().unwrap().to_owned()
    };
    assert_eq!(title(&["quay/.reflexio", "home/.reflexio", "./quay/.reflexio"]), "What was learned: quay, home");
    let both = title(&["shop/.reflexio", "other/shop/.reflexio"]);
    assert!(both.contains("/shop/.reflexio, ") && both.ends_with("/other/shop/.reflexio"), "{both}");
}

#[test]
fn without_a_store_the_page_says_that_nothing_is_there_yet() {
    let sandbox = Sandbox::new();
    sandbox.run(["report"]).exits(0);
    let html = fs::read_to_string(sandbox.path("afterword-report.html")).unwrap();
    assert!(html.contains("Nothing yet.") && !html.contains("<script"), "{html}");
    assert!(!sandbox.path("home/.reflexio").exists());
}
