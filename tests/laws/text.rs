//! Laws of folding and cutting.

use afterword::text::Speech;
use afterword::text::fold::Folded;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_folded_span_maps_back_to_whole_characters(text in "\\PC{0,40}|[Ａ-Ｚａ-ｚ０-９ﬁ㍿İ’「」臺灣軟體]{0,20}") {
        let folded = Folded::new(&text);
        let mut bounds: Vec<usize> = folded.as_str().char_indices().map(|(at, _)| at).collect();
        bounds.push(folded.as_str().len());
        for (n, &start) in bounds.iter().enumerate() {
            for &end in &bounds[n..] {
                let span = folded.original(start..end);
                prop_assert!(text.get(span.clone()).is_some(), "{start}..{end} gives {span:?} of {text:?}");
            }
        }
    }

    #[test]
    fn sentences_stand_in_the_text_in_order(text in "(\\PC|\n){0,120}") {
        let speech = Speech::new(&text, &[]);
        let mut end = 0;
        for (index, sentence) in speech.sentences().iter().enumerate() {
            prop_assert!(sentence.span.start >= end, "sentence {index} overlaps in {text:?}");
            prop_assert!(text.get(sentence.span.clone()).is_some());
            end = sentence.span.end;
        }
    }
}
