//! Text as the detectors see it: what is not speech masked, cut into sentences and clauses, folded for matching.
//!
//! ```
//! use afterword::text::Speech;
//!
//! let speech = Speech::new("Use `npm ci`. No, wait: we use pnpm here, not npm.", &[]);
//! let said: Vec<&str> = speech.sentences().iter().map(|s| speech.original(&s.span)).collect();
//! assert_eq!(said, ["Use `npm ci`.", "No, wait: we use pnpm here, not npm."]);
//! ```

pub mod fold;
pub mod mask;
pub mod pattern;
pub mod script;
pub mod sentence;
pub mod terms;

use std::ops::Range;

use fold::Folded;
use sentence::Sentence;

/// One turn's words, prepared: the original, what of it is speech, its sentences, and each sentence folded.
#[derive(Debug, Clone)]
pub struct Speech<'t> {
    original: &'t str,
    sentences: Vec<Sentence>,
    folded: Vec<Folded>,
    /// How much of the turn is not speech, as counted by [`mask::mask`].
    pub masked: mask::Masked,
}

impl<'t> Speech<'t> {
    /// Prepares `original`. `echoes` are lines that the agent wrote before: the person only pasted them back.
    #[must_use]
    pub fn new(original: &'t str, echoes: &[Range<usize>]) -> Self {
        let (speech, masked) = mask::mask(original, echoes);
        let sentences = sentence::sentences(&speech);
        let folded = sentences.iter().map(|s| Folded::new(speech.get(s.span.clone()).unwrap_or_default())).collect();
        Self { original, sentences, folded, masked }
    }

    /// The sentences, in order.
    #[must_use]
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    /// Sentence `index` as the matcher sees it.
    #[must_use]
    pub fn folded(&self, index: usize) -> &Folded {
        &self.folded[index]
    }

    /// The original text of a span.
    #[must_use]
    pub fn original(&self, span: &Range<usize>) -> &'t str {
        self.original.get(span.clone()).unwrap_or_default().trim()
    }

    /// Whether no speech is left: only pastes, code, quotes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }
}
