//! What redaction promises, in tables and laws.
//!
//! Keys are put together at run time, so that no scanner finds a whole one in the source.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;

fn redacted(text: &str) -> String {
    Redactor::builtin().redact(text).text.into_owned()
}

/// A shape of the rules' examples, filled in.
fn made(shape: &str) -> String {
    sample::fill(shape)
}

#[test]
fn the_built_in_rules_hold() {
    assert_eq!(Redactor::builtin().check(), Vec::<String>::new());
}

#[test]
fn the_built_in_rules_load_as_a_users_file_would() {
    assert!(Redactor::from_toml(BUILTIN, Path::new("secrets.toml")).is_ok());
}

#[test]
fn each_family_is_replaced_and_the_sentence_stays() {
    for (before, secret, after, kind) in [
        ("use ", "ghp_{b62:36}", " for CI", "github-token"),
        ("令牌是", "glpat-{b62:20}", "，别忘了", "gitlab-token"),
        ("export K=", "sk-ant-api03-{b62:95}", "\n", "anthropic-key"),
        ("id ", "AKIA{up:16}", ".", "aws-key"),
        ("see ", "eyJ{b62:30}.eyJ{b62:40}.{b62:43}", " ok", "jwt"),
        ("psql postgres://app:", "{b62:12}", "@db/x", "credentials"),
        ("password: ", "hunter{=2}!", "", "password"),
        ("密码是", "ab{=12}cd34", "，记住", "password"),
        ("client_secret = \"", "{b62:40}", "\"", "secret"),
        ("curl -H 'Authorization: Bearer ", "{b62:32}", "' x", "authorization"),
        ("POST ", "https://hooks.slack.com/services/T{up:8}/B{up:8}/{b62:24}", " now", "webhook"),
        (
            "x ",
            "-----BEGIN{= }PRIVATE{= }KEY-----\n{b64:64}\n{b64:20}\n-----END{= }PRIVATE{= }KEY-----",
            "\ny",
            "private-key",
        ),
    ] {
        let text = format!("{before}{}{after}", made(secret));
        let placeholder = format!("{before}[redacted:{kind}]{after}");
        assert_eq!(redacted(&text), placeholder, "{secret}");
    }
}

#[test]
fn ordinary_text_comes_back_borrowed() {
    for text in [
        "we use pnpm in this repo, not npm",
        "the password field is required, and the token expires after 15 minutes",
        "reset the password when the user forgets it; passwords must be 8-16 characters",
        "password: string; token: Option<String>; apiKey?: string",
        "const token = req.headers.authorization; password = get_password(user)",
        "API_KEY=${API_KEY} and process.env.OPENAI_API_KEY, os.environ['TOKEN']",
        "set api_key = \"your-api-key-here\" or <your-token>, password=********",
        "max_tokens: 128000, key: value, cacheKey = user-profile-v2",
        "git checkout 3f786850e387550fdab836ed7e6dc881de23001b",
        "id 123e4567-e89b-12d3-a456-426614174000",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "src/components/authentication/password-reset-token.service.ts",
        "http://localhost:8080/@vite/client and git@github.com:owner/repo.git",
        "密码不能为空，令牌过期了要重新登录，密钥放在 .env 里",
        "把密码字段改成 string 类型，密码用 bcrypt 加密",
        "scikit-learn, task-force, risk-averse, AKIA is a prefix, 192.168.0.1",
    ] {
        let redacted = Redactor::builtin().redact(text);
        assert_eq!(redacted.text, text);
        assert!(matches!(redacted.text, Cow::Borrowed(_)), "{text}");
        assert!(redacted.found.is_empty(), "{text}");
    }
}

#[test]
fn said_in_a_sentence_it_is_found_too() {
    for (before, secret, after) in [
        ("我的密码是", "12{=34}56", "。"),
        ("以后密码都用", "12{=34}56", "。"),
        ("密码一律设成", "Passw{=0}rd!", ""),
        ("我习惯用", "hunter{=2}Zq9", "做密码。"),
        ("", "hunter{=2}Zq9", "就是我的密码。"),
        ("wo de mima shi ", "hunter{=2}Zq9", ""),
        ("the password must be ", "hunter{=2}Zq9", ", not the old one"),
        ("the wifi password is always ", "Sommer{=20}24", ""),
        ("Our database password is ", "12{=34}56", ", never the old one"),
        ("I always type ", "hunter{=2}Zq9", " as the password"),
        ("we use ", "Sommer{=20}24", " as our password"),
        ("my api key, which is ", "zq7{=K}p2Lm9", ", stays"),
        ("deploy with token ", "zq7{=K}p2Lm9", ", please"),
        ("the passphrase is \"", "correct horse{= }battery staple", "\""),
        ("Authorization: Bearer ", "abc{=1}23", ""),
        ("https://user:", "abc{=/}def", "@host"),
        ("mysql -p", "AKIA{up:16}", ""),
        ("密码是", "ｈｕｎｔｅｒ{=２}Ｚｑ９", "，记住"),
        ("the password is ", "ｇｈｐ＿{=ａｂｃ}１２３", ""),
    ] {
        let secret = made(secret);
        let text = redacted(&format!("{before}{secret}{after}"));
        assert!(text.starts_with(before) && text.contains("[redacted:") && text.ends_with(after), "{text}");
        assert!(!text.contains(&secret), "{text}");
    }
}

#[test]
fn what_is_said_about_secrets_stays() {
    for text in [
        "the password is wrong",
        "password must be 12 characters",
        "password field is required",
        "forgot my password again",
        "the token is expired",
        "use the token from env",
        "use user_id2 as the primary key",
        "use sha256 as the password hash",
        "Claude3.5 is the key to this",
        "the secret is k8s-managed",
        "the password was changed on 2024-05-01",
        "http://app:3000/a@b",
        "密码不对",
        "密码错误",
        "密码不能为空",
        "密码长度 8 到 16 位",
        "密码是2024年改的",
        "密码改为 8-20 位",
        "把密码框改成红色",
        "把令牌设置为 4096 个",
        "token 翻成令牌",
    ] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn a_key_broken_in_two_is_one() {
    for (shape, kind) in [
        ("AKIA{up:8}\n{up:8}", "aws-key"),
        ("AKIA{up:10} {up:6}", "aws-key"),
        ("ghp_{b62:20}\n{b62:16}", "github-token"),
        ("glpat-{b62:12}\n  {b62:12}", "gitlab-token"),
        ("sk-ant-api03-{b62:60}\n{b62:33}AA", "anthropic-key"),
    ] {
        assert_eq!(
            redacted(&format!("use {}, please", made(shape))),
            format!("use [redacted:{kind}], please"),
            "{shape}"
        );
    }
    for text in ["see sk-learn2 compatibility", "a ghp_ prefix comes first", "AKIA IS A PREFIX"] {
        assert_eq!(redacted(text), text);
    }
    let whole = made("ghp_{b62:36}\nNext2 comes");
    assert_eq!(redacted(&whole), "[redacted:github-token]\nNext2 comes");
}

#[test]
fn overlapping_finds_become_one_of_the_kind_that_weighs_most() {
    let text = made("GITHUB_TOKEN=\"ghp_{b62:36}\"");
    let redacted = Redactor::builtin().redact(&text);
    assert_eq!(redacted.text, "GITHUB_TOKEN=\"[redacted:github-token]\"");
    assert_eq!(redacted.found, ["github-token"]);
}

#[test]
fn a_refused_match_does_not_hide_the_next() {
    let text = made("password = password: \"ses{=a}me{=1}\"");
    assert_eq!(redacted(&text), "password = password: \"[redacted:password]\"");
}

#[test]
fn an_invisible_character_inside_a_key_does_not_save_it() {
    let text = made("use ghp_\u{200b}{b62:18}\u{2060}{b62:18}");
    let cleaned = Redactor::builtin().clean(&text);
    assert_eq!(cleaned.text, "use [redacted:github-token]");
}

#[test]
fn wrong_rule_files_are_told_with_their_place() {
    for (toml, told) in [
        ("[[rule]]\nid = 1", "r.toml:2: not a rule file: "),
        ("[[rule]]\nid='a'\nkind='A b'\nkeywords=['x']\npattern='x'", "r.toml: rule a: kind must be"),
        ("[[rule]]\nid='a'\nkind='a'\nkeywords=['x']\npattern='('", "r.toml: rule a: pattern: "),
        ("[[rule]]\nid='a'\nkind='a'\npattern='x'", "r.toml: rule a: it has neither keywords nor run"),
        (
            "[stop]\npatterns=['(']\n[[rule]]\nid='a'\nkind='a'\nkeywords=['x']\npattern='x'",
            "r.toml: a pattern in [stop] is wrong",
        ),
    ] {
        let error = Redactor::from_toml(toml, Path::new("r.toml")).unwrap_err();
        assert!(error.to_string().starts_with(told), "{error}");
    }
}

#[test]
fn the_check_names_each_fault() {
    let rule = |id, more| format!("[[rule]]\nid='{id}'\nkind='k'\nkeywords=['key']\npattern='key[0-9]'\n{more}\n");
    let toml = [
        rule("a", "examples=['key1']"),
        rule("a", "examples=['key1']"),
        rule("b", ""),
        rule("c", "examples=['keyx']\ncounter=['key2']"),
    ]
    .concat();
    let faults = Redactor::from_toml(&toml, Path::new("r.toml")).unwrap().check();
    assert_eq!(
        faults,
        [
            "rule a: its id is used twice",
            "rule b: it has no example",
            "rule c: does not fire on its example `keyx`",
            "rule c: fires on its counter-example `key2`",
        ]
    );
}

#[test]
fn hostile_text_takes_no_longer_than_its_length_asks() {
    let started = std::time::Instant::now();
    for piece in [
        "password=",
        "token: ",
        "://a:",
        "-----BEGIN PRIVATE KEY-----\n",
        "eyJaaaaaaaaaaaaaaa.",
        "key='",
        "user=a;",
        "[redacted:",
        "curl ",
        "curl -u a:$b ",
        "user=a;password=b;",
        "mysql -px ",
        "kind: Secret\ndata:\n",
        "user: a, ",
        "<system ",
        "<!-",
        "cookie=token=",
        "密码都",
        "用a1做密码",
        "mima shi ",
        "the password of a ",
        "use a1b2 as the password ",
        "a1!b is our ",
        "passphrase is a b c ",
        "http://a:b/",
        "ghp_a1 ",
        "ghp_a1\n",
        "ｇｈｐ＿",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        let _ = Redactor::builtin().redact(&text);
        let _ = inert(&text);
    }
    // Quadratic work on a megabyte takes hours; the bound only has to tell the two apart on a slow machine.
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

/// Pieces that rules look for, mixed with anything.
fn mixed() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[ -~]{0,40}",
        "[A-Za-z0-9_/+=-]{8,60}",
        Just("password=".to_owned()),
        Just("密码是".to_owned()),
        Just(" token: \"".to_owned()),
        Just("://user:".to_owned()),
        Just("@host".to_owned()),
        Just("[redacted:password]".to_owned()),
        Just("[redacted:".to_owned()),
        Just("'; ".to_owned()),
        Just(made("ghp_{b62:36}")),
        Just(made("AKIA{up:16}")),
        Just("<system-reminder>".to_owned()),
        Just("<!--".to_owned()),
        Just("-->".to_owned()),
        Just("\n---\n".to_owned()),
        Just("<|im_start|>".to_owned()),
        Just("\u{200b}".to_owned()),
        Just("\n".to_owned()),
        Just(made("ghp_{b62:20}\n{b62:16}")),
        Just("ｇｈｐ＿".to_owned()),
        Just("密码都用".to_owned()),
        Just(" as the password".to_owned()),
        Just("<".to_owned()),
        Just(">".to_owned()),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn redacting_twice_changes_nothing_more(text in mixed()) {
        let once = redacted(&text);
        prop_assert_eq!(redacted(&once), once);
    }

    #[test]
    fn making_inert_twice_changes_nothing_more(text in mixed()) {
        let once = inert(&text);
        prop_assert_eq!(inert(&once), once);
    }

    #[test]
    fn no_secret_survives_wherever_it_stands(before in ".{0,30}", after in ".{0,30}") {
        for shape in ["ghp_{b62:36}", "sk-ant-api03-{b62:93}", "glpat-{b62:20}", "xoxb-{dec:12}-{b62:24}"] {
            let secret = made(shape);
            let text = format!("{before}{secret}{after}");
            prop_assert!(!redacted(&text).contains(&secret));
        }
    }
}

/// Decodes standard base64; the cases are written in it so that no scanner stumbles over them.
fn base64(text: &str) -> Vec<u8> {
    let digit = |b: u8| match b {
        b'A'..=b'Z' => Some(b - b'A'),
        b'a'..=b'z' => Some(b - b'a' + 26),
        b'0'..=b'9' => Some(b - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut out, mut bits, mut held) = (Vec::new(), 0_u32, 0_u32);
    for value in text.bytes().filter_map(digit) {
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

/// Recall and precision on labelled cases of public detectors, where the file is present.
///
/// A text that one detector calls a secret and another does not (it tests another family's rule) counts as one.
#[test]
fn recall_and_precision_on_labelled_cases() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/cases/secrets.jsonl");
    let Ok(cases) = std::fs::read_to_string(path) else {
        println!("skipped: no {path}");
        return;
    };
    let mut labels: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = base64(case["text_b64"].as_str().unwrap());
        labels
            .entry(String::from_utf8_lossy(&text).trim().to_owned())
            .or_default()
            .push(case["has_secret"].as_bool().unwrap());
    }
    let [mut hit, mut missed, mut wrong] = [0_u32; 3];
    for (text, labels) in &labels {
        let secret = labels.contains(&true);
        let found = !Redactor::builtin().redact(text).found.is_empty();
        match (secret, found) {
            (true, true) => hit += 1,
            (true, false) => missed += 1,
            (false, true) => wrong += 1,
            (false, false) => {}
        }
    }
    let (recall, precision) = (f64::from(hit) / f64::from(hit + missed), f64::from(hit) / f64::from(hit + wrong));
    let mut told = String::new();
    let _ = write!(told, "recall {recall:.3}, precision {precision:.3} ({hit} hit, {missed} missed, {wrong} wrong)");
    println!("{told}");
    assert!(recall >= 0.92 && precision >= 0.905, "{told}");
}
