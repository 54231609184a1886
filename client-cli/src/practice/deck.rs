//! The deck: the exercises of the user, with how they went. As a file it is NDJSON: a header, then one line for each match that has been
//! gone through, each exercise, each puzzle that was solved and each exercise that was forgotten.

use std::collections::{BTreeMap, BTreeSet};

use grundy_shared::ids::MatchId;
use grundy_shared::practice::{Exercise, Key, Origin, Performance, Theme};
use grundy_shared::rated::Family;
use serde::{Deserialize, Serialize};

use super::schedule::{Day, Memory, next};
use crate::failure::Failure;

/// The form of the file.
const SCHEMA: &str = "grundy/deck/1";
/// What the schemas of all versions begin with.
const SCHEMAS: &str = "grundy/deck/";
/// What is wrong with a line that was cut.
const INCOMPLETE: &str = "the line is not complete";
/// Matches from which one exercise comes that are remembered.
const ORIGINS: usize = 8;
/// New exercises that are taken from one match at once: a long match does not bury the others.
const NEW_AT_ONCE: usize = 100;

/// How often an exercise went how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tries {
    /// A winning move was found at once.
    pub(crate) at_once: u32,
    /// A winning move was found after hints.
    pub(crate) after_hints: u32,
    /// A winning move was found after a wrong one.
    pub(crate) after_wrong: u32,
    /// The solution was shown.
    pub(crate) shown: u32,
}

impl Tries {
    /// Counts one more.
    pub(crate) fn add(&mut self, performance: Performance) {
        let count = match performance {
            Performance::AtOnce => &mut self.at_once,
            Performance::AfterHints => &mut self.after_hints,
            Performance::AfterWrong => &mut self.after_wrong,
            Performance::Shown => &mut self.shown,
        };
        *count = count.saturating_add(1);
    }

    /// Adds those of another exercise.
    pub(crate) fn add_all(&mut self, other: Self) {
        self.at_once = self.at_once.saturating_add(other.at_once);
        self.after_hints = self.after_hints.saturating_add(other.after_hints);
        self.after_wrong = self.after_wrong.saturating_add(other.after_wrong);
        self.shown = self.shown.saturating_add(other.shown);
    }

    /// How many there were.
    pub(crate) fn total(self) -> u64 {
        let all = [self.at_once, self.after_hints, self.after_wrong, self.shown];
        all.into_iter().map(u64::from).sum()
    }
}

/// One exercise in the deck.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Card {
    /// The position and who is to move, as the text of a [`Key`].
    pub(crate) position: String,
    /// The idea that wins.
    pub(crate) theme: Theme,
    /// How hard it is to find a winning move by chance.
    pub(crate) bits: f64,
    /// The matches in which it was missed, the first ones.
    pub(crate) origins: Vec<Origin>,
    /// How it went.
    pub(crate) tries: Tries,
    /// How well it is remembered; absent before the first try.
    pub(crate) memory: Option<Memory>,
    /// The day of the last try.
    pub(crate) last_day: Option<Day>,
    /// The day on which it is due.
    pub(crate) due_day: Option<Day>,
}

impl Card {
    /// The exercise; `None` if the position is no position.
    pub(crate) fn exercise(&self) -> Option<Exercise> {
        let (position, to_move) = self.position.parse::<Key>().ok()?.position().ok()?;
        Some(Exercise {
            family: Family::of(&position),
            theme: self.theme,
            bits: self.bits,
            legal_moves: u64::try_from(position.move_count(to_move)).ok()?,
            origin: self.origins.first()?.clone(),
            to_move,
            position,
        })
    }

    /// Whether it is due on this day. An exercise that was never tried is always due.
    pub(crate) fn is_due(&self, today: Day) -> bool {
        self.due_day.is_none_or(|due| due <= today)
    }

    /// Whether it was tried before.
    pub(crate) fn is_new(&self) -> bool {
        self.memory.is_none()
    }

    /// The chance that the player solves it on this day at once or after hints, from 0 to 1. Right after a try without success that is 0, although
    /// the model of memory, which knows only whole days, would say 1. Also 0 before the first try.
    pub(crate) fn recall(&self, today: Day) -> f64 {
        let (Some(memory), Some(last)) = (self.memory, self.last_day) else {
            return 0.0;
        };
        let was_missed_today = last >= today && self.due_day <= self.last_day;
        match was_missed_today {
            true => 0.0,
            false => f64::from(memory.recall(today.since(last))),
        }
    }

    /// Whether the mistake was made by a player of this name.
    pub(crate) fn is_by(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let mut players = self
            .origins
            .iter()
            .filter_map(|origin| origin.player.as_ref());
        players.any(|player| player.to_lowercase() == name)
    }

    fn is_valid(&self) -> bool {
        let same_key = self.position.parse::<Key>();
        let days = [self.last_day, self.due_day];
        same_key.is_ok_and(|key| key.as_str() == self.position)
            && self.exercise().is_some()
            && self.bits.is_finite()
            && self.bits > 0.0
            && self.memory.is_none_or(|memory| memory.is_valid())
            && days
                .iter()
                .all(|day| day.is_some() == self.memory.is_some())
    }
}

/// A puzzle that was solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solved {
    /// How it went the first time.
    pub(crate) performance: Performance,
    /// The day of that.
    pub(crate) day: Day,
}

/// One line of the file after the header.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Line<C> {
    /// A match that has been gone through.
    Match {
        /// Its id.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// An exercise.
    Card {
        /// The exercise.
        card: C,
    },
    /// An exercise that is not to come back.
    Forgotten {
        /// The position and who is to move, as the text of a [`Key`].
        position: String,
    },
    /// A puzzle that was solved.
    Puzzle {
        /// The position and who is to move, as the text of a [`Key`].
        position: String,
        /// How.
        solved: Solved,
    },
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Header<'h> {
    schema: &'h str,
}

/// Where a file is not a deck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Damage {
    /// The number of the line, from 1.
    pub(crate) line: usize,
    /// The character of the line, from 1; 0 if the whole line is meant.
    pub(crate) column: usize,
    /// What is wrong.
    pub(crate) words: String,
    /// Whether nothing is wrong, but a newer version wrote it.
    pub(crate) is_newer: bool,
}

impl Damage {
    /// What is wrong with a line that does not parse.
    fn of(number: usize, line: &str, error: &serde_json::Error) -> Self {
        let kind = serde_json::from_str::<Kind>(line.trim_end());
        let unknown = kind.ok().filter(|kind| !KINDS.contains(&&*kind.kind));
        let words = match (&unknown, error.classify()) {
            (Some(kind), _) => {
                format!(
                    "this version does not know entries of the type '{}'",
                    kind.kind
                )
            }
            (None, serde_json::error::Category::Data) => {
                let words = error.to_string();
                let words = words.split(" at line ").next().unwrap_or_default();
                format!("the entry is not valid: {words}")
            }
            (None, _) => "the line is not valid JSON".to_owned(),
        };
        Self {
            line: number,
            column: error.column(),
            words,
            is_newer: unknown.is_some(),
        }
    }
}

/// The types of [`Line`].
const KINDS: [&str; 4] = ["match", "card", "puzzle", "forgotten"];

/// The type of a line, whatever else it has.
#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
}

/// The exercises of the user.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Deck {
    /// The matches that have been gone through.
    pub(crate) matches: BTreeSet<MatchId>,
    /// The exercises in the order in which they were added.
    pub(crate) cards: Vec<Card>,
    /// The puzzles that were solved, by their keys.
    puzzles: BTreeMap<String, Solved>,
    /// The keys of the exercises that are not to come back.
    forgotten: BTreeSet<String>,
}

impl Deck {
    /// Reads a file.
    ///
    /// # Errors
    /// The first damage.
    pub(crate) fn read(text: &str) -> Result<Self, Damage> {
        let damage = |line: usize, column: usize, words: &str| Damage {
            line,
            column,
            words: words.to_owned(),
            is_newer: false,
        };
        let mut lines = (1..).zip(text.split_inclusive('\n'));
        let first = lines.next().map_or("", |(_, line)| line);
        match serde_json::from_str::<Header<'_>>(first.trim_end()) {
            Ok(header) if header.schema == SCHEMA && first.ends_with('\n') => {}
            Ok(header) if header.schema == SCHEMA => {
                return Err(damage(1, first.chars().count(), INCOMPLETE));
            }
            Ok(header) if header.schema.starts_with(SCHEMAS) => {
                let words = format!(
                    "the deck has the form {}, and this version reads {SCHEMA}",
                    header.schema
                );
                return Err(Damage {
                    is_newer: true,
                    ..damage(1, 0, &words)
                });
            }
            _ => return Err(damage(1, 0, "this is not the first line of a deck")),
        }
        let mut deck = Self::default();
        let mut keys = BTreeSet::new();
        for (number, line) in lines {
            if !line.ends_with('\n') {
                return Err(damage(number, line.chars().count(), INCOMPLETE));
            }
            let read: Result<Line<Card>, _> = serde_json::from_str(line.trim_end());
            match read {
                Err(error) => return Err(Damage::of(number, line, &error)),
                Ok(Line::Match { match_id }) => {
                    deck.matches.insert(match_id);
                }
                Ok(Line::Puzzle { position, solved }) => {
                    if !position
                        .parse::<Key>()
                        .is_ok_and(|key| key.as_str() == position)
                    {
                        return Err(damage(number, 0, "the puzzle is not valid"));
                    }
                    deck.puzzles.insert(position, solved);
                }
                Ok(Line::Forgotten { position }) => {
                    deck.forgotten.insert(position);
                }
                Ok(Line::Card { card }) if !card.is_valid() => {
                    return Err(damage(number, 0, "the exercise is not valid"));
                }
                Ok(Line::Card { card }) => {
                    if !keys.insert(card.position.clone()) {
                        return Err(damage(number, 0, "the exercise is there twice"));
                    }
                    deck.cards.push(card);
                }
            }
        }
        Ok(deck)
    }

    /// The file.
    pub(crate) fn to_text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string(&Header { schema: SCHEMA })?;
        let matches = self.matches.iter().map(|id| Line::Match { match_id: *id });
        let cards = self.cards.iter().map(|card| Line::Card { card });
        let puzzles = self.puzzles.iter().map(|(key, solved)| Line::Puzzle {
            position: key.clone(),
            solved: *solved,
        });
        let forgotten = self.forgotten.iter().map(|key| Line::Forgotten {
            position: key.clone(),
        });
        for line in matches.chain(cards).chain(puzzles).chain(forgotten) {
            text.push('\n');
            text.push_str(&serde_json::to_string(&line)?);
        }
        text.push('\n');
        Ok(text)
    }

    /// Adds the exercises of a match of the library, which need not be gone through again. Returns how many are left out, as [`add`](Self::add) does.
    pub(crate) fn add_match(&mut self, match_id: MatchId, exercises: &[Exercise]) -> u64 {
        self.matches.insert(match_id);
        self.add(exercises)
    }

    /// Takes an exercise out.
    pub(crate) fn remove(&mut self, key: &Key) {
        self.cards.retain(|card| card.position != key.as_str());
    }

    /// Takes an exercise out, for good: it is not added again.
    pub(crate) fn forget(&mut self, key: &Key) {
        self.remove(key);
        self.forgotten.insert(key.to_string());
    }

    /// Whether this exercise is not to come back.
    pub(crate) fn is_forgotten(&self, key: &Key) -> bool {
        self.forgotten.contains(key.as_str())
    }

    /// Adds the exercises of one match: one that is there already gets one more origin, and keeps its progress. One that was forgotten is left out.
    /// At most [`NEW_AT_ONCE`] new ones are added, the first ones; returns how many more there are. Cost: linear in the deck and the exercises, but for logarithms.
    pub(crate) fn add(&mut self, exercises: &[Exercise]) -> u64 {
        let (mut added, mut left_out) = (0, BTreeSet::new());
        let places = self.cards.iter().enumerate();
        let mut places: BTreeMap<String, usize> = places
            .map(|(place, card)| (card.position.clone(), place))
            .collect();
        for exercise in exercises {
            let key = exercise.key().to_string();
            if self.forgotten.contains(&key) {
                continue;
            }
            match places.get(&key) {
                Some(place) => {
                    let origins = &mut self.cards[*place].origins;
                    if origins.len() < ORIGINS && !origins.contains(&exercise.origin) {
                        origins.push(exercise.origin.clone());
                    }
                }
                None if added == NEW_AT_ONCE => {
                    left_out.insert(key);
                }
                None => {
                    added += 1;
                    places.insert(key.clone(), self.cards.len());
                    self.cards.push(Card {
                        position: key,
                        theme: exercise.theme,
                        bits: exercise.bits,
                        origins: vec![exercise.origin.clone()],
                        tries: Tries::default(),
                        memory: None,
                        last_day: None,
                        due_day: None,
                    });
                }
            }
        }
        left_out.len() as u64
    }

    /// How this puzzle went, if it was solved or its solution was shown.
    pub(crate) fn puzzle(&self, key: &Key) -> Option<&Solved> {
        self.puzzles.get(key.as_str())
    }

    /// How this puzzle was solved. A puzzle whose solution was shown is not solved.
    pub(crate) fn solved(&self, key: &Key) -> Option<&Solved> {
        let solved = self.puzzle(key);
        solved.filter(|solved| solved.performance != Performance::Shown)
    }

    /// Notes how a puzzle went, unless it was solved before: only the first time is a test. The solution that was shown earlier is a hint.
    pub(crate) fn solve_puzzle(&mut self, key: &Key, performance: Performance, day: Day) {
        let performance = match (self.puzzle(key), performance) {
            (Some(earlier), _) if earlier.performance != Performance::Shown => return,
            (Some(_), Performance::Shown) => return,
            (Some(_), Performance::AtOnce) => Performance::AfterHints,
            (_, performance) => performance,
        };
        let solved = Solved { performance, day };
        self.puzzles.insert(key.to_string(), solved);
    }

    /// Notes how an exercise went, and returns the days until it is due again. An exercise that is not in the deck is no error: it needs no next
    /// day.
    ///
    /// # Errors
    /// Its memory is not valid.
    pub(crate) fn grade(
        &mut self,
        key: &Key,
        performance: Performance,
        today: Day,
    ) -> Result<Option<u32>, Failure> {
        let mut cards = self.cards.iter_mut();
        let Some(card) = cards.find(|card| card.position == key.as_str()) else {
            return Ok(None);
        };
        let days = card.last_day.map_or(0, |last| today.since(last));
        let (memory, wait) = next(card.memory, days, performance)?;
        card.tries.add(performance);
        card.memory = Some(memory);
        card.last_day = Some(today);
        card.due_day = Some(Day(today.0.saturating_add(wait)));
        Ok(Some(wait))
    }
}
