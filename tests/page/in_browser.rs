//! The page in a real Chromium: it filters, searches, unfolds and follows links, on a phone too, and lets nothing in.
//!
//! Where there is no Chromium, these tests say so and pass.

use std::path::PathBuf;

use serde_json::json;

use super::chromium::Chromium;
use super::stores::{hostile, lived_in, with_much_that_waits};
use crate::support::sandbox::Sandbox;

/// The texts of the memories that are shown, in order.
const SHOWN: &str = "[...document.querySelectorAll('.memory')].filter(m => m.checkVisibility()).map(m => m.querySelector('h3').textContent)";

/// How much wider the page is than the window.
const OVERFLOW: &str = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/// The texts that stand out from their background less than WCAG's AA asks for.
const PALE: &str = r"(() => {
  const rgb = text => text.match(/[\d.]+/g).map(Number);
  const light = colour => {
    const [r, g, b] = rgb(colour).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (rgb(colour)[3] !== 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const pale = [];
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest('svg, .skip')) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) pale.push(element.outerHTML.slice(0, 120));
  }
  return pale;
})()";

const UNFOLD: &str = "document.querySelectorAll('details').forEach(details => details.open = true)";

fn radio(name: &str, value: &str) -> String {
    format!("document.querySelector('[name={name}][value=\"{value}\"]')")
}

fn report(sandbox: &Sandbox, stores: &[&str]) -> PathBuf {
    let args = [&["report", "--out", "page.html", "--store"], stores].concat();
    sandbox.run(args).exits(0);
    sandbox.path("page.html").canonicalize().unwrap()
}

#[test]
fn it_shows_what_is_active_first_and_its_filters_show_the_rest() {
    let Some(mut chromium) = Chromium::start() else { return };
    let sandbox = lived_in();
    chromium.opens(&report(&sandbox, &["harbour", "lighthouse"]));
    let now = [
        "No, use markdown instead of CSV for plans.",
        "User's timezone is Asia/Tokyo.",
        "用户更喜欢深色模式。",
        "The team's logs are always in UTC.",
        "User's team never uses CSV here, always write reports as markdown, because the office reads them on paper.",
    ];
    let old = ["User is a nurse.", "User's timezone is Europe/Lisbon."];
    assert_eq!(chromium.finds(SHOWN), json!(now));
    chromium.clicks(&radio("kind", "playbook"));
    assert_eq!(chromium.finds(SHOWN), json!([now[0], now[4]]));
    chromium.clicks(&radio("kind", "profile"));
    assert_eq!(chromium.finds(SHOWN), json!([now[1], now[2], now[3]]));
    chromium.clicks(&radio("state", "history"));
    assert_eq!(chromium.finds(SHOWN), json!(old));
    chromium.clicks(&radio("state", "all"));
    assert_eq!(chromium.finds(SHOWN), json!([now[1], now[2], now[3], old[0], old[1]]));
    assert_eq!(chromium.finds("document.getElementById('count').value"), "5 of 7 shown");
    chromium.clicks("document.querySelector('button[type=reset]')");
    assert_eq!(chromium.finds(SHOWN), json!(now));
    let choose = "document.querySelector('select').value = 'lighthouse'; document.querySelector('select').dispatchEvent(new Event('input', {bubbles: true}))";
    chromium.finds(choose);
    assert_eq!(chromium.finds(SHOWN), json!([now[3]]));
    chromium.is_content();
}

#[test]
fn its_search_finds_words_of_any_language_and_the_words_that_were_said() {
    let Some(mut chromium) = Chromium::start() else { return };
    chromium.opens(&report(&lived_in(), &["harbour"]));
    for (words, found) in [
        ("TIMEZONE tokyo", json!(["User's timezone is Asia/Tokyo."])),
        ("深色", json!(["用户更喜欢深色模式。"])),
        (
            "exactly right",
            json!([
                "User's team never uses CSV here, always write reports as markdown, because the office reads them on paper."
            ]),
        ),
        ("lisbon tokyo utc", json!([])),
    ] {
        chromium.clicks("document.getElementById('words')");
        chromium.types(words);
        assert_eq!(chromium.finds(SHOWN), found, "{words}");
        assert_eq!(chromium.finds("document.getElementById('nothing').hidden"), found != json!([]));
        chromium.clicks("document.querySelector('button[type=reset]')");
    }
    chromium.is_content();
}

#[test]
fn what_waits_is_folded_away_where_it_is_much_until_a_search_finds_it() {
    let Some(mut chromium) = Chromium::start() else { return };
    chromium.opens(&report(&with_much_that_waits(), &["store"]));
    let folded =
        "document.querySelector('.waiting .memory:not([hidden])').checkVisibility({contentVisibilityAuto: true})";
    assert_eq!(chromium.finds(folded), false);
    chromium.clicks("document.querySelector('.waiting summary')");
    assert_eq!(chromium.finds(folded), true);
    chromium.clicks("document.querySelector('.waiting summary')");
    chromium.clicks("document.getElementById('words')");
    chromium.types("tides");
    assert_eq!(chromium.finds(folded), true);
    assert_eq!(chromium.finds("document.getElementById('count').value"), "1 of 4 shown");
    chromium.is_content();
}

#[test]
fn a_memory_unfolds_its_words_and_leads_to_what_it_took_the_place_of() {
    let Some(mut chromium) = Chromium::start() else { return };
    chromium.opens(&report(&lived_in(), &["harbour"]));
    let tokyo = "[...document.querySelectorAll('.memory')].find(m => m.textContent.includes('Asia/Tokyo'))";
    let quote = format!("{tokyo}.querySelector('blockquote').checkVisibility({{contentVisibilityAuto: true}})");
    assert_eq!(chromium.finds(&quote), false);
    chromium.clicks(&format!("{tokyo}.querySelector('summary')"));
    assert_eq!(chromium.finds(&quote), true);
    chromium.clicks(&format!("{tokyo}.querySelector('.chain summary')"));
    chromium.clicks(&format!("{tokyo}.querySelector('.chain a')"));
    let target = "document.querySelector('.memory:target')";
    assert_eq!(
        chromium.finds(&format!("{target}.querySelector('h3').textContent")),
        "User's timezone is Europe/Lisbon."
    );
    assert_eq!(chromium.finds(&format!("{target}.checkVisibility()")), true, "it was filtered out until then");
    chromium.is_content();
}

#[test]
fn it_can_be_used_with_the_keyboard_alone() {
    let Some(mut chromium) = Chromium::start() else { return };
    chromium.opens(&report(&lived_in(), &["harbour"]));
    chromium.presses("/", 191);
    assert_eq!(chromium.finds("document.activeElement.id + document.activeElement.value"), "words");
    chromium.types("timezone");
    chromium.presses("Tab", 9);
    assert_eq!(chromium.finds("document.activeElement.name"), "kind");
    chromium.presses("Tab", 9);
    chromium.presses("ArrowRight", 39);
    assert_eq!(chromium.finds(SHOWN), json!(["User's timezone is Europe/Lisbon."]), "the arrow went on to history");
    for _ in 0..2 {
        chromium.presses("Tab", 9);
    }
    let focused = "document.activeElement.tagName + document.activeElement.parentElement.open";
    assert_eq!(
        chromium.finds("document.activeElement.tagName"),
        "A",
        "behind the reset button comes what took its place"
    );
    chromium.presses("Tab", 9);
    assert_eq!(chromium.finds(focused), "SUMMARYfalse");
    chromium.presses("Enter", 13);
    chromium.is_content();
}

#[test]
fn nothing_is_wider_than_a_phone_and_nothing_is_pale() {
    let Some(mut chromium) = Chromium::start() else { return };
    for (sandbox, stores) in [(lived_in(), &["harbour", "lighthouse"][..]), (hostile(), &["store"][..])] {
        let page = report(&sandbox, stores);
        for (width, scheme) in [(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")] {
            chromium.looks(width, scheme);
            chromium.opens(&page);
            chromium.clicks(&radio("state", "all"));
            chromium.finds(UNFOLD);
            assert_eq!(chromium.finds(OVERFLOW), 0, "{stores:?} {width}");
            assert_eq!(chromium.finds(PALE), json!([]), "{stores:?} {scheme}");
            chromium.is_content();
        }
    }
}

#[test]
fn without_a_script_all_of_it_is_there_to_read() {
    let Some(mut chromium) = Chromium::start() else { return };
    chromium.runs_no_script();
    chromium.opens(&report(&lived_in(), &["harbour"]));
    assert_eq!(chromium.finds(&format!("{SHOWN}.length")), 6);
    assert_eq!(chromium.finds("document.getElementById('filters').checkVisibility()"), false);
}

#[test]
fn what_a_memory_says_is_never_markup_nor_script() {
    let Some(mut chromium) = Chromium::start() else { return };
    let sandbox = hostile();
    chromium.opens(&report(&sandbox, &["store"]));
    chromium.clicks(&radio("state", "all"));
    chromium.finds(UNFOLD);
    assert_eq!(chromium.finds("typeof window.owned"), "undefined");
    assert_eq!(
        chromium.finds("[document.scripts.length, document.images.length, document.styleSheets.length]"),
        json!([1, 0, 1])
    );
    assert_eq!(
        chromium.finds("document.querySelectorAll('a:not([href^=\"#\"]), iframe, object, form:not(#filters)').length"),
        0
    );
    assert!(
        chromium.finds("document.querySelector('main').textContent").as_str().unwrap().contains("</script><script>")
    );
    chromium.is_content();
}

#[test]
fn its_policy_stops_what_would_get_in() {
    let Some(mut chromium) = Chromium::start() else { return };
    let sandbox = lived_in();
    let page = report(&sandbox, &["harbour"]);
    let html = std::fs::read_to_string(&page).unwrap();
    let worse = html.replace(
        "</main>",
        "<script>window.owned = 1</script><img src='http://127.0.0.1:9/x' onerror='window.owned = 1'></main>",
    );
    assert_ne!(worse, html);
    std::fs::write(&page, worse).unwrap();
    chromium.opens(&page);
    assert_eq!(chromium.finds("typeof window.owned"), "undefined");
    assert_eq!(chromium.finds("document.getElementById('filters').hidden"), false, "its own script runs");
    assert_eq!(chromium.finds("fetch('http://127.0.0.1:9/').then(() => 'fetched', error => error.name)"), "TypeError");
}
