//! How well a memory fits a question, and whether it fits at all.
//!
//! BM25 picks the candidates; here each is weighed as a whole. Two shares count, both from 0 to 1:
//!
//! - of what was asked for, how much the memory speaks of; rare words weigh more than common ones (`asked`);
//! - of what the memory is about, how much was asked for (`about`).
//!
//! A long message that mentions a commit in passing fits a memory about commits by the second, a question of three words
//! fits a long memory by the first. One shared word out of many is chance on both sides.

use std::collections::{HashMap, HashSet};

use super::fuzzy::near;
use super::index::{Candidate, Index};
use super::lexicon::Lexicon;
use super::units::{Token, Unit, units};
use crate::text::sentence::sentences;

/// What a word is worth by where it stands: anchor, what, why, name.
const FIELDS: [f32; 4] = [1.0, 0.8, 0.5, 0.9];
/// A word that may be meant.
const MISSPELT: f32 = 0.6;
/// A store is taken for a part of so many memories of everyday life, in which any word stands a few times: so what a word
/// weighs, known or not, hardly depends on how large the store is.
const WORLD: u32 = 2_000;
const ANYWHERE: u32 = 5;
/// A pair of Han characters that stands nowhere is as likely no word.
const NO_WORD: f32 = 0.5;
/// A message of several sentences is judged by the one that fits best, if that has this many words, at a discount.
const ENOUGH: f32 = 1.5;
const BY_SENTENCE: f32 = 0.9;
/// What a word weighs that is rare: the measure for how much of what was asked for a memory has.
const RARE: f32 = 6.0;
/// What an answer has to reach: the share of the question, and a little for every rare word's worth, up to three. Fitted on
/// the questions of `tests/search/data` but those of `kept.toml`.
const FLOOR: f32 = 0.65;
const BY_WORD: f32 = 0.3;
const MOST_WORDS: f32 = 3.0;
/// Words that stand in more memories than this, together, are not looked for as long as there are rarer ones: in a large
/// store they would cost time and tell little.
const BROAD: u32 = 60_000;

/// What is looked for: the question's units, with what they weigh in this store.
#[derive(Debug)]
pub(super) struct Question {
    wanted: Vec<Wanted>,
    /// All tokens that count as asked for; a topic does not.
    tokens: HashSet<String>,
    parts: Vec<Part>,
}

/// The whole question, or one sentence of it.
#[derive(Debug)]
struct Part {
    /// Which of the question's units it holds.
    wanted: Vec<usize>,
    /// What these weigh together.
    whole: f32,
    discount: f32,
}

#[derive(Debug)]
struct Wanted {
    unit: Unit,
    /// Of how many memories it could be.
    frequency: u32,
    weight: f32,
}

/// How well a memory fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fit {
    /// The share of the question that it speaks of.
    pub(super) asked: f32,
    /// The share of its anchor that was asked for.
    pub(super) about: f32,
    /// How much of the question it holds, in rare words.
    pub(super) words: f32,
}

impl Wanted {
    /// Weighs a word, and every token of it by its own rarity: a broad topic tells less than the word itself.
    fn new(mut unit: Unit, count: u32, index: &Index) -> rusqlite::Result<Self> {
        let mut frequency = 0;
        let mut frequencies = Vec::new();
        for token in &unit.tokens {
            let found = index.frequency(&token.text)?;
            frequency = if token.is_topic() { frequency } else { frequency.max(found) };
            frequencies.push(found);
        }
        if frequency == 0 {
            let own = unit.tokens.first().map(|token| token.text.clone()).unwrap_or_default();
            for (text, found) in near(&own, index)? {
                frequency = frequency.max(found);
                unit.tokens.push(Token { text, closeness: MISSPELT });
                frequencies.push(found);
            }
        }
        let rarest = rarity(frequency, count);
        for (token, found) in unit.tokens.iter_mut().zip(&frequencies) {
            token.closeness *= (rarity(*found, count) / rarest).min(1.0);
        }
        if frequency == 0 && unit.is_piece() {
            unit.weight *= NO_WORD;
        }
        let found = frequencies.iter().copied().max().unwrap_or(0);
        Ok(Self { weight: unit.weight * rarest, unit, frequency: found })
    }

    /// How much of it a memory has that holds these tokens.
    fn worth(&self, holds: &HashMap<&str, f32>) -> f32 {
        let worth = |token: &Token| holds.get(token.text.as_str()).map_or(0.0, |worth| worth * token.closeness);
        self.unit.tokens.iter().map(worth).fold(0.0, f32::max)
    }
}

impl Part {
    fn new(part: Vec<usize>, wanted: &[Wanted], discount: f32) -> Self {
        Self { whole: sum(&part, wanted, |wanted| wanted.weight), wanted: part, discount }
    }
}

/// What the units of a part weigh together.
fn sum(part: &[usize], wanted: &[Wanted], weight: impl Fn(&Wanted) -> f32) -> f32 {
    part.iter().filter_map(|&at| wanted.get(at)).map(weight).sum()
}

impl Question {
    /// Weighs the words of a question by how rare they are in the store.
    pub(super) fn new(text: &str, index: &Index, lexicon: &Lexicon) -> rusqlite::Result<Self> {
        let count = index.len()?;
        let mut wanted: Vec<Wanted> = Vec::new();
        let mut parts = Vec::new();
        for sentence in sentences(text) {
            let mut part = Vec::new();
            for unit in units(text.get(sentence.span).unwrap_or_default(), lexicon) {
                let word = |unit: &Unit| unit.tokens.first().map(|token| token.text.clone());
                let known = wanted.iter().position(|known| word(&known.unit) == word(&unit));
                let at = known.unwrap_or(wanted.len());
                if at == wanted.len() {
                    wanted.push(Wanted::new(unit, count, index)?);
                }
                if !part.contains(&at) {
                    part.push(at);
                }
            }
            parts.push(part);
        }
        parts.retain(|part| sum(part, &wanted, |wanted| wanted.unit.weight) >= ENOUGH);
        let all = Part::new((0..wanted.len()).collect(), &wanted, 1.0);
        let parts =
            [all].into_iter().chain(parts.into_iter().map(|part| Part::new(part, &wanted, BY_SENTENCE))).collect();
        let tokens = wanted.iter().flat_map(|wanted| &wanted.unit.tokens).filter(|token| !token.is_topic());
        let tokens = tokens.map(|token| token.text.clone()).collect();
        Ok(Self { wanted, tokens, parts })
    }

    /// The tokens to look for, without those that would find half the store.
    pub(super) fn search_for(&self) -> Vec<&str> {
        let mut wanted: Vec<&Wanted> = self.wanted.iter().filter(|wanted| wanted.frequency > 0).collect();
        if wanted.iter().any(|wanted| !wanted.unit.is_light()) {
            wanted.retain(|wanted| !wanted.unit.is_light());
        }
        wanted.sort_by_key(|wanted| wanted.frequency);
        let mut broad = 0_u32;
        let mut tokens = Vec::new();
        for wanted in wanted {
            broad = broad.saturating_add(wanted.frequency);
            if broad > BROAD && !tokens.is_empty() {
                break;
            }
            tokens.extend(wanted.unit.tokens.iter().map(|token| token.text.as_str()));
        }
        tokens
    }

    /// How well a memory fits.
    pub(super) fn fit(&self, memory: &Candidate, lexicon: &Lexicon) -> Fit {
        let mut holds: HashMap<&str, f32> = HashMap::new();
        for (field, worth) in memory.fields.iter().zip(FIELDS) {
            for token in field.split(' ') {
                let best = holds.entry(token).or_default();
                *best = best.max(worth);
            }
        }
        let held: Vec<f32> = self.wanted.iter().map(|wanted| wanted.worth(&holds)).collect();
        let fits = self.parts.iter().map(|part| {
            let of = |weight: fn(&Wanted) -> f32| {
                let worth = |&at: &usize| Some(weight(self.wanted.get(at)?) * held.get(at)?);
                part.wanted.iter().filter_map(worth).sum::<f32>() * part.discount
            };
            (share(of(|wanted| wanted.weight), part.whole), of(|wanted| wanted.weight) / RARE)
        });
        let (asked, words) = fits.max_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or_default();
        let (mut met, mut all) = (0.0, 0.0);
        for unit in units(&memory.anchor, lexicon) {
            all += unit.weight;
            if unit.tokens.iter().any(|token| self.tokens.contains(&token.text)) {
                met += unit.weight;
            }
        }
        Fit { asked, about: share(met, all), words }
    }

    /// Whether a token was asked for, for highlights.
    pub(super) fn asks_for(&self, unit: &Unit) -> bool {
        unit.tokens.iter().any(|token| self.tokens.contains(&token.text))
    }
}

impl Fit {
    /// One number for the order, 0 to 1.
    pub(super) fn score(self) -> f32 {
        (self.asked + 0.2 * self.about + 0.05 * self.words.min(MOST_WORDS)) / 1.35
    }

    /// Whether it fits well enough to be shown.
    pub(super) fn is_enough(self) -> bool {
        self.asked + BY_WORD * self.words.min(MOST_WORDS) >= FLOOR
    }
}

/// How much a word tells that stands in `frequency` of `count` memories: BM25's inverse frequency, in the world.
fn rarity(frequency: u32, count: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "counts of memories")]
    let (frequency, count) = ((frequency + ANYWHERE) as f32, (count.max(frequency) + WORLD) as f32);
    (1.0 + (count - frequency + 0.5) / (frequency + 0.5)).ln()
}

fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
