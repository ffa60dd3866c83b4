//! What the published implementation (`reflexio-embedded`) tests, and what is wrong with it: each case with the test of
//! ours that holds it, or why there is none.
//!
//! | its test | ours |
//! |---|---|
//! | **io** |  |
//! | the suffix matches `[a-z0-9]`, and differs across calls | `src/memory.rs::ids_come_from_content` |
//! | slugs: diet-vegetarian, abc, a1b2 pass; empty, capitals, leading hyphen, slash, 49 letters do not | `src/dictate/tests.rs::slugs_are_checked_as_in_the_original` |
//! | all six TTLs pass, one_millennium does not | `src/dictate/tests.rs::a_ttl_is_needed_for_profiles_and_refused_for_playbooks` |
//! | expiry: never for infinity; 2026-04-17 with one_year is 2027-04-17, with one_day 2026-04-18 | `src/dictate/tests.rs::every_ttl_of_the_seed_gives_its_last_day` |
//! | a profile's front matter is right | `src/store/markdown.rs::a_profile_looks_as_in_the_seed` |
//! | `supersedes` is there | `src/dictate/tests.rs::what_is_named_is_superseded_whatever_it_says` |
//! | `supersedes` is left out where it is empty | `src/store/tests.rs::a_new_store_holds_the_memory_the_ledger_and_the_ignore_file` |
//! | no file in the making is left | `src/store/tests/seed.rs::no_file_in_the_making_is_left` |
//! | a playbook has neither ttl nor expires | `src/dictate/tests.rs::a_playbook_has_neither_ttl_nor_expiry` |
//! | delete what is there | `src/store/tests/amend.rs::what_expired_or_was_forgotten_by_name_needs_a_newer_statement` |
//! | delete what is not there: no error | `src/store/tests/seed.rs::removing_what_is_gone_already_is_no_error` |
//! | **dedup and write** |  |
//! | query rewritten; raw text when that fails or is empty | — no model rewrites a query; see `tests/search/quality.rs` |
//! | supersede | `src/dictate/tests.rs::a_contradiction_supersedes` |
//! | keep both, for different topics | `src/dictate/tests.rs::different_topics_both_stay` |
//! | merge keeps what is not contradicted | `src/reconcile/consolidate/tests.rs::facts_that_nothing_contradicts_survive_one_a_file` |
//! | keep both when the model fails, is malformed, empty, or says something else | — no model is asked, so none can fail |
//! | an id is taken out of prof_ and pbk_ names, and out of nothing else | `src/memory.rs::ids_come_from_content` |
//! | no neighbours: it is written | `src/store/tests.rs::a_new_store_holds_the_memory_the_ledger_and_the_ignore_file` |
//! | below the threshold nothing is superseded | `src/reconcile/tests.rs::the_table_of_pairs` |
//! | supersede writes `supersedes` and deletes the old file | `src/store/tests/seed.rs::all_that_a_statement_replaces_leaves_not_only_the_nearest` |
//! | still writes when the search fails | `tests/search/index.rs::a_store_that_cannot_hold_an_index_is_searched_all_the_same` |
//! | a playbook takes the old one's place | `src/reconcile/tests.rs::playbooks_are_compared_by_rule_and_situation` |
//! | **search** |  |
//! | returns what fits | `tests/search/quality.rs::a_question_in_other_words_finds_its_memory_among_two_thousand` |
//! | filters by type | `tests/search/index.rs::a_kind_is_not_crowded_out_by_the_other` |
//! | is empty on failure | `tests/search/index.rs::an_index_that_is_broken_or_gone_is_made_anew` |
//! | the query is prepared before the search | `src/search/units.rs::filler_is_dropped_in_both_languages` |
//! | **consolidate** |  |
//! | nothing with fewer than two files | `src/reconcile/consolidate/tests.rs::fewer_than_two_memories_are_left_alone` |
//! | clusters by relative path | — clusters are made of ids |
//! | keep all | `src/reconcile/consolidate/tests.rs::distinct_facts_are_never_merged` |
//! | skips a cluster when the model fails | — no model is asked |
//! | a memory is no neighbour of itself: two clustered, one written, two deleted | `src/store/tests/consolidate.rs::two_files_of_one_fact_become_one_that_names_both` |
//! | **smoke and sweep** |  |
//! | what expired is removed, what is fresh stays | `src/store/tests/seed.rs::sweeping_takes_profiles_that_say_when_they_expire_and_nothing_else` |
//! | (untested there) it lives through its last day | `src/store/tests/seed.rs::a_memory_lives_through_its_last_day` |
//! | an empty transcript is nothing | `src/store/tests.rs::preview_and_idle_runs_touch_nothing` |
//! | **bats** |  |
//! | usage on no arguments | tests/cli/help.rs |
//! | front matter, then the body, beyond ASCII too | `src/store/tests/seed.rs::words_that_mean_something_to_programs_are_stored_as_they_are` |
//! | the body from a flag, a file, standard input | `tests/cli/write.rs::the_body_comes_by_flag_from_a_file_or_from_standard_input` |
//! | a missing ttl, and a ttl for a playbook, are refused | `tests/cli/write.rs::a_ttl_for_a_playbook_and_a_missing_one_for_a_profile_are_refused` |
//! | one supersedes is [a], many are [a, b] | `tests/cli/write.rs::one_and_many_can_be_superseded` |
//! | no .tmp, for profile and playbook | `tests/cli/write.rs::nothing_is_left_in_the_making` |
//! | complete or absent | `src/store/tests/laws.rs::a_crash_after_any_step_is_completed_by_the_next_run` |
//! | .tmp removed when the rename fails | `src/store/tests/laws.rs::a_crash_after_any_step_is_completed_by_the_next_run` |
//! | **fixtures of the server** |  |
//! | location_move, superseded_state (5432, 5433) | `src/reconcile/tests.rs::the_table_of_pairs` |
//! | diet_reversal (beef, vegetarian), dev_role_change, code_review_depth_flip | — that one rules the other out is knowledge of the world; both stay, and `consolidate` or the person decides |
//! | mixed_ttl: a role and this week's duty | `src/compose/ttl.rs::words_decide_before_the_class_does` |
//! | a request to forget removes what it names, stores nothing, and spares the rest | `src/store/tests/seed.rs::a_request_to_forget_stores_nothing_and_spares_the_rest` |
//! | a request without a match leaves nothing | `src/store/tests/seed.rs::a_request_to_forget_what_is_not_known_leaves_no_trace_in_the_folders` |
//!
//! | its defect | our test that we do not have it |
//! |---|---|
//! | 1. the newer TTL wins, and a lasting fact expires | `src/store/tests/seed.rs::a_short_lived_statement_never_shortens_a_lasting_one` |
//! | 2. a merged playbook loses When, What and Why | `src/reconcile/consolidate/tests.rs::playbooks_keep_when_what_and_why` |
//! | 3. a note outside of the store can be deleted | `src/store/tests/consolidate.rs::files_that_are_no_memories_are_never_touched` |
//! | 4. ids of three letters; a collision overwrites | `src/store/tests/seed.rs::an_existing_file_is_never_overwritten` |
//! | 5. `$&` in a text changes the prompt; a memory can give orders | `src/dictate/tests.rs::dollar_signs_stay_as_they_are` |
//! | 5. a memory can give orders | `src/dictate/tests.rs::nothing_secret_and_nothing_that_acts_is_written` |
//! | 6. a file without front matter is judged as empty | `src/store/tests/seed.rs::a_file_without_front_matter_is_judged_by_nobody` |
//! | 7. no look for secrets | `tests/cli/write.rs::no_secret_that_is_handed_in_is_written_or_printed` |
//! | 8. consolidating stops midway at an odd name; fields are read outside of the front matter | `src/store/tests/consolidate.rs::odd_files_neither_stop_it_nor_mislead_it` |
//! | 9. only the nearest is compared | `src/store/tests/seed.rs::all_that_a_statement_replaces_leaves_not_only_the_nearest` |
//! | 9. the kind is filtered after the cut | `tests/search/index.rs::a_kind_is_not_crowded_out_by_the_other` |
//! | 10. no watermark: the same is learned twice | `tests/store/again.rs::a_second_run_changes_not_one_byte` |
//! | 10. it learns from its own and other machines' sessions | `src/host/note_tests.rs::sessions_of_machines_are_not_noted` |
//! | 11. a wish to forget becomes a memory | `src/store/tests/seed.rs::a_request_to_forget_stores_nothing_and_spares_the_rest` |
//! | 12. nothing can be listed, undone, exported or explained | `tests/cli/memories.rs::why_tells_the_words_the_line_the_confirmation_and_the_triggers` |
//! | 12. (undo) | `tests/cli/memories.rs::undo_takes_back_the_last_run_and_an_undo_of_it_too` |
//! | months overflow | `src/memory.rs::months_clamp_to_their_end` |

use std::fs;
use std::path::Path;

#[test]
fn every_test_that_the_tables_name_is_there() {
    let named: Vec<(&str, &str)> = include_str!("reflexio.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//! |")?.split('`').find_map(|part| part.split_once(".rs::")))
        .collect();
    assert!(named.len() > 50, "the tables were not read");
    for (file, test) in named {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{file}.rs"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let function = format!("#[test]fn{test}(){{");
        let is_there = text.split_whitespace().collect::<String>().contains(&function);
        assert!(is_there, "{file}.rs has no test {test}");
    }
}
