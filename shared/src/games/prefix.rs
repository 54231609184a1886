//! Prefix-free strings: the leaves of a binary tree, one more in each move.
//!
//! Each missing branch of the tree is a game of its own. With h levels to its deepest strings it is worth the largest
//! power of two that divides h: taking a string k levels down leaves branches of h - 1, ..., h - k levels, whose xor runs
//! through the Gray code, so that every smaller number comes once before that power itself could.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, PartKind, Sized};
use crate::game::{EndRule, Game};
use crate::ids::Seat;
use crate::notation::{
    MAX_NUMBER, MoveError, NotationCode, NotationError, Shown, Word, write_list,
};
use crate::theory::coins::low_bit;
use crate::theory::{Goal, Meter, MoveList, Stopped};

const EXAMPLE: &str = "prefix.3:01";

/// Letters of winning strings that are listed for one branch.
const LISTED_LETTERS: u64 = 1 << 22;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "prefix",
    title: "Prefix-free strings",
    rule: "Add a string of one or more 0s and 1s, no longer than the number after the name. No string may be the beginning of another: beside 01, neither 0 nor 010 can be added. The player who adds the last string wins.",
    notation: "prefix.3:01 has the string 01, and new strings have 1 to 3 digits; commas separate strings; prefix.3:_ is the empty start",
    move_notation: "110 adds the string 110",
    examples: &[
        EXAMPLE,
        "prefix.2:_",
        "prefix.3:1,011",
        "prefix.1:0",
        "prefix.4:0,10,110",
    ],
    example_move: "000",
    method: "the value of a missing branch of h levels is the largest power of two dividing h; misere play by exhaustive search",
    complexity: "O(letters)",
    limits: "lengths up to 10^18, 100,000 strings; winning strings of up to 4,194,304 letters are listed",
    source: "tries and the Gray code, checked by plain recursion; R. Sprague 1935, P. M. Grundy 1939",
    board: BoardKind::Strings,
    read: erased::read::<Prefix>,
};

/// The longest length.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Prefix {
    longest: u64,
}

/// What has been added so far.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Strings {
    /// The strings in their order, and the missing branches from left to right.
    Named {
        /// The strings.
        strings: Vec<Box<str>>,
        /// The branches that no string uses.
        branches: Vec<Branch>,
    },
    /// Missing branches by their levels, wherever they are: what a part is. The strings of its moves begin at the branch.
    Loose(Vec<u64>),
}

/// A missing branch: it leaves string number `string` after `at` letters, with the other letter there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Branch {
    /// `None` where there is no string at all.
    string: Option<u32>,
    at: usize,
    letter: char,
}

/// Adds a string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adding {
    branch: usize,
    string: String,
}

impl fmt::Display for Adding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.string)
    }
}

impl Prefix {
    /// The levels of each missing branch.
    fn levels(&self, state: &Strings) -> Vec<u64> {
        match state {
            Strings::Loose(levels) => levels.clone(),
            Strings::Named { branches, .. } => branches
                .iter()
                .map(|branch| self.longest - branch.at as u64)
                .collect(),
        }
    }

    /// The letters that lead to a branch, its own included.
    fn stem(state: &Strings, branch: usize) -> String {
        match state {
            Strings::Loose(_) => String::new(),
            Strings::Named { strings, branches } => {
                let Branch { string, at, letter } = branches[branch];
                let before = string.map_or("", |string| &strings[string as usize][..at]);
                format!("{before}{letter}")
            }
        }
    }
}

impl Strings {
    /// The strings sorted share most with their neighbours: a branch is missing where the one next to it on that side shares less.
    fn new(strings: Vec<Box<str>>) -> Self {
        let mut order: Vec<u32> = (0..strings.len() as u32).collect();
        order.sort_unstable_by_key(|index| &strings[*index as usize]);
        let shared = |a: u32, b: u32| shared(&strings[a as usize], &strings[b as usize]);
        let mut branches = Vec::new();
        for (place, index) in order.iter().enumerate() {
            let letters = strings[*index as usize].as_bytes();
            let before = place
                .checked_sub(1)
                .map_or(0, |before| shared(order[before], *index) + 1);
            let after = order
                .get(place + 1)
                .map_or(0, |after| shared(*index, *after) + 1);
            let branch = |at: usize, letter: char| Branch {
                string: Some(*index),
                at,
                letter,
            };
            let left = (before..letters.len()).filter(|at| letters[*at] == b'1');
            branches.extend(left.map(|at| branch(at, '0')));
            let right = (after..letters.len())
                .rev()
                .filter(|at| letters[*at] == b'0');
            branches.extend(right.map(|at| branch(at, '1')));
        }
        if strings.is_empty() {
            branches.extend(['0', '1'].map(|letter| Branch {
                string: None,
                at: 0,
                letter,
            }));
        }
        Self::Named { strings, branches }
    }
}

/// How many letters two strings have in common at their beginning.
fn shared(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

/// How many strings of a branch there are with at most so many levels: 2^levels - 1, saturating.
fn strings_within(levels: u64) -> u128 {
    match levels {
        0..=127 => (1 << levels) - 1,
        _ => u128::MAX,
    }
}

/// Number `n` as so many binary letters.
fn letters(n: u128, count: usize) -> String {
    let bit = |place: usize| place < 128 && n >> place & 1 == 1;
    (0..count)
        .rev()
        .map(|place| if bit(place) { '1' } else { '0' })
        .collect()
}

/// The binary-reflected Gray code and its inverse.
fn gray(n: u64) -> u64 {
    n ^ n >> 1
}

fn ungray(code: u64) -> u64 {
    [1, 2, 4, 8, 16, 32]
        .iter()
        .fold(code, |n, shift| n ^ n >> shift)
}

impl Game for Prefix {
    type State = Strings;
    type Move = Adding;

    fn parse(
        name: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Strings), NotationError> {
        let word = parameters.unwrap_or_else(|| name.end());
        let what = "the length of the longest strings";
        let longest = word.number(what, 1, MAX_NUMBER, NotationCode::BadGameCode, EXAMPLE)?;
        let words: Vec<Word<'_>> = match state.text {
            "_" => Vec::new(),
            _ => state.split(',').collect(),
        };
        let bad = NotationCode::BadPosition;
        for word in &words {
            if word.text.is_empty()
                || !word
                    .text
                    .bytes()
                    .all(|letter| matches!(letter, b'0' | b'1'))
            {
                let message = match word.text {
                    "" => "a string is missing".to_owned(),
                    _ => format!("'{}' is not a string of 0s and 1s", word.shown()),
                };
                return word.refuse(
                    bad,
                    message,
                    "strings of 0s and 1s joined by commas, or _ for none",
                    EXAMPLE,
                );
            }
            if word.text.len() as u64 > longest {
                let message = format!("a string of {} letters is too long here", word.text.len());
                let expected = format!("strings of at most {longest} letters");
                return word.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
            }
        }
        let mut sorted = words.clone();
        sorted.sort_unstable_by_key(|word| word.text);
        for pair in sorted.windows(2) {
            if pair[1].text.starts_with(pair[0].text) {
                let later = if pair[0].column > pair[1].column {
                    pair[0]
                } else {
                    pair[1]
                };
                let message = format!(
                    "'{}' is the beginning of '{}'",
                    pair[0].shown(),
                    pair[1].shown()
                );
                return later.refuse(
                    bad,
                    message,
                    "strings of which none begins another",
                    EXAMPLE,
                );
            }
        }
        let strings = words.iter().map(|word| word.text.into()).collect();
        Ok((Self { longest }, Strings::new(strings)))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prefix.{}", self.longest)
    }

    fn write_state(&self, state: &Strings, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match state {
            Strings::Named { strings, .. } => write_list(f, strings),
            Strings::Loose(levels) => write_list(f, levels),
        }
    }

    fn move_count(&self, state: &Strings, _: Seat) -> u128 {
        let counts = self.levels(state).into_iter().map(strings_within);
        counts.fold(0, u128::saturating_add)
    }

    /// Branch by branch, shorter strings first.
    fn nth_move(&self, state: &Strings, _: Seat, mut n: u128) -> Option<Adding> {
        for (branch, levels) in self.levels(state).into_iter().enumerate() {
            let count = strings_within(levels);
            if n < count {
                let below = (n + 1).ilog2() as usize;
                let tail = letters(n + 1 - (1 << below), below);
                let string = Self::stem(state, branch) + &tail;
                return Some(Adding { branch, string });
            }
            n -= count;
        }
        None
    }

    fn read_move(&self, state: &Strings, _: Seat, text: &str) -> Result<Adding, MoveError> {
        let string: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let refuse = |message: String| Err(MoveError::at(1, message));
        if string.is_empty() || !string.bytes().all(|letter| matches!(letter, b'0' | b'1')) {
            return refuse("a move is a string of 0s and 1s".to_owned());
        }
        if string.len() as u64 > self.longest {
            return refuse(format!(
                "the string has {} letters: {} are the most",
                string.len(),
                self.longest
            ));
        }
        let Strings::Named { strings, branches } = state else {
            return refuse("a part has no strings to be typed".to_owned());
        };
        let common = strings
            .iter()
            .map(|other| shared(other, &string))
            .max()
            .unwrap_or(0);
        let leads = |branch: &Branch| {
            branch.at == common
                && string[common..].starts_with(branch.letter)
                && branch
                    .string
                    .is_none_or(|other| strings[other as usize][..common] == string[..common])
        };
        match branches.iter().position(leads) {
            Some(branch) => Ok(Adding { branch, string }),
            None => {
                let other = strings
                    .iter()
                    .find(|other| shared(other, &string) == common);
                let other = other.map_or("", |other| other);
                refuse(match other.len() <= common {
                    true => format!("'{}' is its beginning", Shown(other)),
                    false => format!("it is the beginning of '{}'", Shown(other)),
                })
            }
        }
    }

    fn play(&self, state: &Strings, adding: &Adding) -> Strings {
        match state {
            Strings::Named { strings, .. } => {
                let mut strings = strings.clone();
                strings.push(adding.string.as_str().into());
                Strings::new(strings)
            }
            Strings::Loose(levels) => {
                let mut levels = levels.clone();
                let taken = levels.remove(adding.branch);
                levels.extend((1..=adding.string.len() as u64).map(|below| taken - below));
                Strings::Loose(levels)
            }
        }
    }

    fn describe(&self, state: &Strings) -> String {
        const SHOWN: usize = 20;
        let Strings::Named { strings, .. } = state else {
            return "missing branches".to_owned();
        };
        let shown: Vec<String> = strings
            .iter()
            .take(SHOWN)
            .map(|string| Shown(string).to_string())
            .collect();
        let more = match strings.len() > SHOWN {
            true => format!(" and {} more", strings.len() - SHOWN),
            false => String::new(),
        };
        match shown.is_empty() {
            true => format!("no strings yet, lengths up to {}", self.longest),
            false => format!(
                "strings {}{more}, lengths up to {}",
                shown.join(", "),
                self.longest
            ),
        }
    }

    fn describe_move(&self, _: &Strings, adding: &Adding, prefix: &str) -> String {
        format!("added {prefix}{}", Shown(&adding.string))
    }

    fn parts(&self, state: &Strings) -> Vec<Strings> {
        let levels = self.levels(state).into_iter();
        levels.map(|levels| Strings::Loose(vec![levels])).collect()
    }

    fn values(&self, state: &Strings, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let levels = self.levels(state);
        meter.work(levels.len() as u64 / 16)?;
        Ok(levels
            .into_iter()
            .map(|levels| Some(low_bit(levels)))
            .collect())
    }

    fn keeps_values(&self, _: &Strings) -> bool {
        true
    }

    fn method(&self) -> &'static str {
        "missing branches"
    }

    fn bytes(&self, state: &Strings) -> u64 {
        match state {
            Strings::Named { strings, branches } => {
                let letters: usize = strings.iter().map(|string| string.len() + 16).sum();
                (letters + branches.len() * 24) as u64
            }
            Strings::Loose(levels) => levels.len() as u64 * 8,
        }
    }

    /// The xor of h - 1, ..., h - k is gray(h - 1) ^ gray(h - 1 - k): one k at most reaches a value.
    fn replies(
        &self,
        state: &Strings,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Adding>>, Stopped> {
        let Goal::Value(goal) = goal else {
            return Ok(None);
        };
        meter.work(1)?;
        let levels = match state {
            Strings::Loose(levels) => levels[part],
            Strings::Named { branches, .. } => self.longest - branches[part].at as u64,
        };
        let left = ungray(gray(levels - 1) ^ goal);
        let mut replies = MoveList::default();
        if left >= levels {
            return Ok(Some(replies));
        }
        let below = levels - 1 - left;
        replies.total = strings_within(below).saturating_add(1);
        let stem = Self::stem(state, part);
        let listed = LISTED_LETTERS / (below + stem.len() as u64 + 1);
        for n in 0..replies.total.min(want as u128).min(u128::from(listed)) {
            let string = format!("{stem}{}", letters(n, below as usize));
            replies.first.push(Adding {
                branch: part,
                string,
            });
        }
        Ok(Some(replies))
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Branch
    }

    fn part_name(&self, state: &Strings, part: usize) -> String {
        Shown(&Self::stem(state, part)).to_string()
    }

    fn facts(&self, state: &Strings, end: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        const BRANCHES: usize = 6;
        if end.is_misere() {
            return Vec::new();
        }
        let branches = self.levels(state).into_iter().enumerate();
        let facts = branches.map(|(branch, levels)| GameFact::FreeBranch {
            stem: self.part_name(state, branch),
            levels: Sized {
                size: levels,
                value: low_bit(levels),
            },
        });
        facts.take(BRANCHES).collect()
    }

    fn explain(&self, state: &Strings, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        const SHOWN: usize = 16;
        let levels = self.levels(state);
        let mut lines = vec!["Each branch of the tree that no string uses is a separate game. The value of a branch with h levels is the largest power of two dividing h.".to_owned()];
        for (branch, levels) in levels.iter().enumerate().take(SHOWN) {
            let stem = Self::stem(state, branch);
            lines.push(format!(
                "  from {:<12} {levels} levels  value {}",
                Shown(&stem).to_string(),
                low_bit(*levels)
            ));
        }
        if levels.len() > SHOWN {
            lines.push(format!("  and {} more branches", levels.len() - SHOWN));
        }
        let xor = levels.iter().fold(0, |xor, levels| xor ^ low_bit(*levels));
        lines.push(format!("  XOR of the values: {xor}"));
        if end.is_misere() {
            lines.push("Misere play: a string breaks its branch into several, so these values do not decide; only an exhaustive search does.".to_owned());
        }
        lines
    }
}
