//! The three sections of a playbook.

/// The headings, in the seed's order.
const PARTS: [&str; 3] = ["## When", "## What", "## Why"];

/// A playbook's text with its sections in the seed's order and form; or what is wrong with it, in one clause.
pub(super) fn playbook(text: &str) -> Result<String, String> {
    let mut parts: [Option<String>; 3] = [None, None, None];
    let mut open = None;
    for line in text.lines() {
        if let Some(part) = heading(line) {
            if parts[part].is_some() {
                return Err(format!("the playbook has `{}` twice", PARTS[part]));
            }
            parts[part] = Some(String::new());
            open = Some(part);
            continue;
        }
        match open.and_then(|part: usize| parts[part].as_mut()) {
            Some(text) => text.extend([line, "\n"]),
            None if line.trim().is_empty() => {}
            None => return Err("a playbook begins with `## When`; something stands before it".to_owned()),
        }
    }
    let mut whole = Vec::new();
    for (name, part) in PARTS.iter().zip(parts) {
        let part = part.unwrap_or_default();
        if part.trim().is_empty() {
            return Err(format!("the playbook lacks its `{name}`: When, What and Why are needed"));
        }
        whole.push(format!("{name}\n{}", part.trim()));
    }
    Ok(whole.join("\n\n"))
}

/// Which of the headings a line is, however it is written.
fn heading(line: &str) -> Option<usize> {
    let name = line.trim().strip_prefix("##")?.trim().trim_end_matches([':', '：']);
    let plain = |part: &&str| part.trim_start_matches("## ").eq_ignore_ascii_case(name);
    PARTS.iter().position(plain)
}
