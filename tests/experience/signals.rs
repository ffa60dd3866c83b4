//! The learning signals of the seed, each in a sentence made up for it.

use serde_json::json;

use crate::support::sandbox::Sandbox;

/// What each turn does, said after this turn of the agent.
#[track_caller]
fn acts(before: &str, said: &[&str]) -> Vec<Vec<String>> {
    let lines: String =
        said.iter().map(|text| format!("{}\n", json!({"id": text, "assistant": before, "text": text}))).collect();
    let told = Sandbox::new().feed(["try", "classify", "--format", "jsonl"], lines).exits(0).json();
    assert_eq!(told.len(), said.len());
    told.iter()
        .map(|told| told["acts"].as_array().unwrap().iter().map(|act| act.as_str().unwrap().to_owned()).collect())
        .collect()
}

#[track_caller]
fn all_are(wanted: &[&str], before: &str, said: &[&str]) {
    for (text, acts) in said.iter().zip(acts(before, said)) {
        assert!(acts.iter().any(|act| wanted.contains(&act.as_str())), "{text}: {acts:?}");
    }
}

const DONE: &str = "Done: I have changed the report.";
const ASKS: &str = "What should I use?";

#[test]
fn corrections_are_seen_in_english_chinese_and_pinyin() {
    all_are(
        &["correction", "preference"],
        DONE,
        &[
            "No, that's not right, the total is in cents.",
            "Actually, it should be sorted by date.",
            "You're wrong about the port.",
            "I prefer tabs, not spaces.",
            "Remember that I always sign letters with my full name.",
            "I told you before, no tables in the notes.",
            "Stop doing that with the headers.",
            "Why do you keep adding emojis?",
            "不对，不是这样的，金额的单位是分。",
            "实际上，应该是按日期排序。",
            "你搞错了端口。",
            "我更喜欢表格，不是列表。",
            "记住我永远都要用全名署名。",
            "我之前跟你说过，不要用表格。",
            "别再做表格了。",
            "bu dui, bu shi zhe yang de, dan wei shi fen.",
            "shi ji shang, ying gai shi an ri qi pai xu.",
            "ni gao cuo le duan kou.",
            "wo geng xi huan biao ge, bu shi lie biao.",
            "ji zhu wo yong yuan dou yao yong quan ming.",
            "wo zhi qian gen ni shuo guo, bu yao yong biao ge.",
            "bie zai zuo biao ge le.",
        ],
    );
}

#[test]
fn preferences_are_seen_in_english_chinese_and_pinyin() {
    let preferences = ["preference", "constraint", "config", "correction"];
    all_are(
        &preferences,
        DONE,
        &[
            "I like when you show the diff first.",
            "Always run the linter for me.",
            "Never push to main.",
            "My style is short sentences.",
            "永远不要直接推到主分支。",
            "在商店项目中要用 Postgres。",
            "ni zhe yang xie de shi hou wo jue de hen hao.",
            "yi ding yao bang wo pao ce shi.",
            "yong yuan bu yao tui dao zhu fen zhi.",
            "wo de feng ge shi duan ju.",
            "zai shop xiang mu zhong yao yong Postgres.",
        ],
    );
    all_are(
        &preferences,
        ASKS,
        &[
            "For shop, use Postgres, not MySQL.",
            "你这样先列大纲的时候我觉得很好。",
            "一定要帮我每次都跑测试。",
            "我的风格是短句。",
        ],
    );
}

#[test]
fn what_holds_for_the_moment_is_not_learned() {
    for acts in acts(DONE, &["Do the export now.", "In this file, use tabs.", "What if we used Rust?"]) {
        assert_eq!(acts, [""; 0]);
    }
}
