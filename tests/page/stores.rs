//! Stores that pages are made of.

use crate::support::sandbox::Sandbox;
use crate::support::sessions::{saying, session, ward};

/// A sandbox with two stores: `harbour`, where things were learned, corrected, replaced and left waiting, and `lighthouse`
/// with one memory.
pub(crate) fn lived_in() -> Sandbox {
    let sandbox = Sandbox::new();
    let waiting = session("plan", "2026-05-06T10:00:00Z")
        .says("Write the berth plan, please.")
        .answers("Done: the plan is in plan.csv.")
        .says("No, use markdown instead of CSV for plans.");
    let report = ward();
    for (store, script) in [
        ("harbour", &saying("old", "2026-01-05T10:00:00Z", "My timezone is Europe/Lisbon.")),
        ("harbour", &report),
        ("harbour", &saying("dark", "2026-04-05T23:00:00Z", "我更喜欢深色模式。")),
        ("harbour", &saying("new", "2026-05-04T10:00:00Z", "My timezone is Asia/Tokyo.")),
        ("harbour", &waiting),
        ("lighthouse", &saying("repo", "2026-03-04T10:00:00Z", "Our logs are always in UTC.")),
    ] {
        let file = sandbox.write("session.jsonl", script.jsonl());
        sandbox.run(["extract", "--store", store, file.to_str().unwrap()]).exits(0);
    }
    // What the report's session also taught is of no use here.
    sandbox.run(["forget", "nurse", "--yes", "--store", "harbour"]).exits(0);
    sandbox
}

/// A sandbox whose `store` holds what somebody wrote who means harm, and a word that no line holds.
pub(crate) fn hostile() -> Sandbox {
    let sandbox = Sandbox::new();
    let texts = [
        "</script><script>window.owned = 1</script>",
        "<img src=x onerror=\"window.owned = 1\">",
        "\"><svg onload='window.owned = 1'>",
        "</h3></article></main><style>* { display: none }</style>",
        "[x](javascript:window.owned=1) javascript:window.owned=1",
        "{{ style }} {% for x in y %} ${window.owned = 1} `",
        "]]> --> <!-- & &lt; &#60;script&#62;",
        &"anchor".repeat(400),
        &"港口".repeat(400),
    ];
    for (number, text) in texts.iter().enumerate() {
        let head = format!(
            "type: profile\nid: prof_hostile{number}\ncreated: 2026-01-0{}T00:00:00Z\nttl: infinity\nexpires: never",
            number + 1
        );
        sandbox.write(&format!("store/profiles/<b>x-hostile{number}.md"), format!("---\n{head}\n---\n\n{text}\n"));
        let head = format!("type: playbook\nid: pbk_hostile{number}\ncreated: 2026-02-0{}T00:00:00Z", number + 1);
        let body = format!("## When\n{text}\n\n## What\n{text}\n\n## Why\n{text}");
        sandbox.write(&format!("store/playbooks/x-hostile{number}.md"), format!("---\n{head}\n---\n\n{body}\n"));
    }
    sandbox
}

/// A sandbox in whose `store` four corrections wait.
pub(crate) fn with_much_that_waits() -> Sandbox {
    let sandbox = Sandbox::new();
    let scripts = ["plans", "reports", "tides", "invoices"].map(|what| {
        let script = session(what, "2026-05-06T10:00:00Z")
            .says(&format!("Write the {what}, please."))
            .answers("Done: they are in a CSV file.")
            .says(&format!("No, use markdown instead of CSV for {what}."));
        sandbox.write(&format!("{what}.jsonl"), script.jsonl())
    });
    sandbox.extract(&scripts.each_ref().map(|path| path.as_path())).exits(0);
    sandbox
}
