//! Take-and-break games by their codes: octal, and hexadecimal where three heaps may be left.
//!
//! R. K. Guy, C. A. B. Smith, *The G-values of various games* (1956). Kayles is H. Dudeney's and S. Loyd's, Dawson's chess T. R. Dawson's.

use std::fmt;
use std::sync::Arc;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::HeapReason;
use crate::game::EndRule;
use crate::games::heap_rule::{HeapRule, Taking};
use crate::games::heaps::Heaps;
use crate::games::working::{
    by_period, misere_lines, options_text, table_lines, value_lines, wild_lines,
};
use crate::notation::{NotationCode, NotationError, Word, heap_name};
use crate::theory::breaks::{self, Numbers};
use crate::theory::heap_values::HeapValues;
use crate::theory::take_and_break::{self, Rule};
use crate::theory::{Goal, Meter, MoveList, Stopped, misere_heaps};

/// The largest number of digits of a code.
const MAX_DIGITS: usize = 1_000;

const METHOD: &str = "a table of values with a proved period (Guy-Smith bound); misere play by a verified quotient, or by exhaustive search";
const COMPLEXITY: &str = "about O(heap x rare values) for the table by sparse space until a period is proved, then O(1) a heap";
const LIMITS: &str = "100,000 heaps of up to 10^18; tables of 25,165,824 values, larger heaps only if a period is proved";
const SOURCE: &str = "R. K. Guy, C. A. B. Smith, The G-values of various games, 1956";
const MOVES: &str = "A-2 takes 2 stones from heap A and leaves the rest as one heap; A-2/1,4 splits the rest into heaps of 1 and 4";

const PIN_MOVES: &str = "A-2 takes 2 pins from an end of row A, or the whole row; A-2/1,4 takes 2 pins from inside row A and leaves rows of 1 and 4";

/// What the registry says of codes.
pub static INFO: GameInfo = GameInfo {
    name: "octal",
    title: "Octal game",
    rule: "Take stones from one heap as the code of the game allows. Digit i after the dot says what a move that takes i stones may leave of the heap, the digit before the dot what a move that takes none may leave. A digit adds up all that is allowed: 1 for nothing, 2 for one heap, 4 for two heaps, 8 for three; none of these heaps is empty. The player who makes the last move wins.",
    notation: "octal.0.77:5,1 has heaps of 5 and 1 stones; in 0.77 a move takes 1 or 2 stones and leaves nothing of the heap, one heap or two, as 7 = 1 + 2 + 4; digits are 0-9 and a-f, the first only 0, 4, 8 or c",
    move_notation: MOVES,
    examples: &[
        "octal.0.77:5,1",
        "octal.0.137:9,4",
        "octal.4.3:6",
        "octal.0.f:7",
        "octal.0.33:8,3",
        "octal.8.7:6",
        "octal.0.007:9",
        "octal.4:5,2",
        "octal.c.05:6",
        "octal.0.6:7",
    ],
    example_move: "A-2/1,2",
    method: METHOD,
    complexity: COMPLEXITY,
    limits: LIMITS,
    source: SOURCE,
    board: BoardKind::Heaps,
    read: erased::read::<Heaps<Octal>>,
};

/// What the registry says of Kayles.
pub static KAYLES: GameInfo = GameInfo {
    name: "kayles",
    title: "Kayles",
    rule: "Take one pin, or two pins that stand side by side, from a row. A gap stays a gap: taking pins from inside a row leaves two rows. The player who takes the last pin wins.",
    notation: "kayles:7 is a row of seven pins; the same game as octal.0.77",
    move_notation: PIN_MOVES,
    examples: &["kayles:7", "kayles:1,5", "kayles:5,3,1", "kayles:8"],
    example_move: "A-2/1,4",
    method: METHOD,
    complexity: COMPLEXITY,
    limits: LIMITS,
    source: SOURCE,
    board: BoardKind::Pins,
    read: erased::read::<Heaps<Octal>>,
};

/// What the registry says of Dawson's Kayles.
pub static DAWSON_KAYLES: GameInfo = GameInfo {
    name: "dawsonkayles",
    title: "Dawson's Kayles",
    rule: "Take two pins that stand side by side from a row. A gap stays a gap: taking pins from inside a row leaves two rows. The player who makes the last move wins.",
    notation: "dawsonkayles:9 is a row of nine pins; the same game as octal.0.07",
    move_notation: PIN_MOVES,
    examples: &["dawsonkayles:9", "dawsonkayles:12", "dawsonkayles:5,4"],
    example_move: "A-2/1,6",
    method: METHOD,
    complexity: COMPLEXITY,
    limits: LIMITS,
    source: SOURCE,
    board: BoardKind::Pins,
    read: erased::read::<Heaps<Octal>>,
};

/// What the registry says of Dawson's chess.
pub static DAWSON_CHESS: GameInfo = GameInfo {
    name: "dawsonchess",
    title: "Dawson's chess",
    rule: "Take a pin that is a row by itself, two pins from an end of a row, or three pins that stand side by side anywhere in a row. A gap stays a gap: taking pins from inside a row leaves two rows. The player who makes the last move wins.",
    notation: "dawsonchess:9 is a row of nine pins; the same game as octal.0.137",
    move_notation: "A-1 takes row A if it is a single pin; A-2 takes 2 pins from an end of row A, or the whole row; A-3/1,5 takes 3 pins from inside row A and leaves rows of 1 and 5",
    examples: &["dawsonchess:9", "dawsonchess:1,9", "dawsonchess:6,3"],
    example_move: "A-3/1,5",
    method: METHOD,
    complexity: COMPLEXITY,
    limits: LIMITS,
    source: SOURCE,
    board: BoardKind::Pins,
    read: erased::read::<Heaps<Octal>>,
};

/// The games that have a name of their own.
const NAMED: [(&GameInfo, &[u8]); 3] = [
    (&KAYLES, &[0, 7, 7]),
    (&DAWSON_KAYLES, &[0, 0, 7]),
    (&DAWSON_CHESS, &[0, 1, 3, 7]),
];

/// The digits of a game by its canonical name and parameters, such as `kayles` or `octal.0.77`; `None` where it has no code.
pub(crate) fn digits_of(game: &str) -> Option<Vec<u8>> {
    if let Some((_, digits)) = NAMED.iter().find(|(info, _)| info.name == game) {
        return Some(digits.to_vec());
    }
    let code = game.strip_prefix("octal.")?;
    let digits = code.chars().filter(|letter| *letter != '.');
    digits
        .map(|letter| letter.to_digit(16).map(|digit| digit as u8))
        .collect()
}

/// A code, with the name under which it was asked for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Octal {
    info: &'static GameInfo,
    rule: Arc<Rule>,
}

impl Octal {
    /// The amounts that may be taken, with what the code says of them and what they leave of this heap: (taken, digit, rest).
    fn rows(&self, heap: u64) -> impl Iterator<Item = (u64, u8, u64)> {
        let digits = self.rule.digits().iter();
        digits.map_while(move |(taken, digit)| Some((*taken, *digit, heap.checked_sub(*taken)?)))
    }

    /// The moves that leave heaps whose numbers fit, the first `want` of them. Every heap up to this one has a number.
    fn leaving(
        &self,
        heap: u64,
        numbers: &impl Numbers,
        want: usize,
        meter: &mut Meter<'_>,
        fits: impl Fn(&[u64]) -> bool,
    ) -> Result<MoveList<Taking>, Stopped> {
        let mut replies = MoveList::default();
        for (taken, digit, rest) in self.rows(heap) {
            meter.work(1)?;
            if leaves_one(taken, digit, rest) && numbers.number(rest).is_some_and(|x| fits(&[x])) {
                replies.push(want, || Taking::leaving(heap, rest));
            }
            if digit & 4 != 0 {
                let room = want - replies.first.len();
                let splits = 1..=self.rule.splits(rest);
                let fit = |x, y| fits(&[x, y]);
                let pairs = breaks::pairs(numbers, rest, splits, room, meter, fit)?;
                replies.append(pairs.map(|(a, b)| split(taken, &[a, b])));
            }
            if digit & 8 != 0 {
                let room = want - replies.first.len();
                let fit = |x, y, z| fits(&[x, y, z]);
                let triples = breaks::triples(numbers, rest, room, meter, fit)?;
                replies.append(triples.map(|parts| split(taken, &parts)));
            }
        }
        Ok(replies)
    }
}

/// Whether taking may leave one heap of this size, or nothing where it is 0.
fn leaves_one(taken: u64, digit: u8, rest: u64) -> bool {
    taken > 0 && digit & if rest == 0 { 1 } else { 2 } != 0
}

/// How many ways the rest may be left as one heap or none, as two, as three.
fn ways(taken: u64, digit: u8, rest: u64) -> [u128; 3] {
    [
        u128::from(leaves_one(taken, digit, rest)),
        if digit & 4 != 0 {
            breaks::pair_count(rest)
        } else {
            0
        },
        if digit & 8 != 0 {
            breaks::triple_count(rest)
        } else {
            0
        },
    ]
}

impl HeapRule for Octal {
    fn parse(name: Word<'_>, parameters: Option<Word<'_>>) -> Result<Self, NotationError> {
        if let Some((info, digits)) = NAMED.iter().find(|(info, _)| info.name == name.text) {
            if let Some(word) = parameters {
                let message = format!("{} has no parameters", info.name);
                return word.refuse(
                    NotationCode::BadGameCode,
                    message,
                    "a colon and the heaps",
                    info.examples[0],
                );
            }
            let rule = Arc::new(Rule::code(digits));
            return Ok(Self { info, rule });
        }
        let code = parameters.unwrap_or_else(|| name.end());
        let rule = Arc::new(Rule::code(&read_code(code)?));
        Ok(Self { info: &INFO, rule })
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.info.name != INFO.name {
            return f.write_str(self.info.name);
        }
        write!(f, "octal.{:x}", self.rule.digit(0))?;
        if self.rule.reach() > 0 {
            f.write_str(".")?;
        }
        (1..=self.rule.reach()).try_for_each(|taken| write!(f, "{:x}", self.rule.digit(taken)))
    }

    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn count(&self, heap: u64) -> u128 {
        let rows = self
            .rows(heap)
            .flat_map(|(taken, digit, rest)| ways(taken, digit, rest));
        rows.fold(0, u128::saturating_add)
    }

    fn nth(&self, heap: u64, mut n: u128) -> Taking {
        for (taken, digit, rest) in self.rows(heap) {
            for (kind, count) in ways(taken, digit, rest).into_iter().enumerate() {
                if n < count {
                    return match kind {
                        0 => Taking::leaving(heap, rest),
                        1 => split(taken, &[n as u64 + 1, rest - n as u64 - 1]),
                        _ => split(taken, &breaks::nth_triple(rest, n)),
                    };
                }
                n -= count;
            }
        }
        unreachable!("moves are asked for by numbers below their count")
    }

    fn objection(&self, heap: u64, taking: &Taking) -> Option<String> {
        let taken = taking.taken.unwrap_or(0);
        let digit = self.rule.digit(taken);
        if digit == 0 {
            return Some(format!("cannot give {taken} in this game"));
        }
        let rest = heap - taken;
        let bit = match taking.split.len() {
            0 if leaves_one(taken, digit, rest) => return None,
            0 if taken == 0 => return Some("must be split when nothing is taken".to_owned()),
            0 if rest == 0 => {
                return Some(format!(
                    "has {heap}: {taken} may not be taken when nothing is left"
                ));
            }
            0 => return Some(format!("has {heap}: taking {taken} may not leave one heap")),
            parts => parts as u32,
        };
        let allowed = bit <= 3 && digit >> bit & 1 == 1;
        (!allowed).then(|| format!("may not be left as {bit} heaps when {taken} are taken"))
    }

    fn values(&self, heaps: &[u64], meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        let largest = heaps.iter().copied().max().unwrap_or(0);
        let table = take_and_break::table(&self.rule, largest, meter);
        Ok(heaps.iter().map(|heap| table.value(*heap)).collect())
    }

    fn method(&self) -> &'static str {
        "take-and-break table"
    }

    /// Where every digit is 0 or 3 nothing splits and any rest may be left: a subtraction game ([`Sub`](super::sub::Sub)).
    fn is_tame(&self) -> bool {
        self.rule.digits().iter().all(|(_, digit)| *digit == 3)
    }

    fn replies(
        &self,
        heap: u64,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Taking>>, Stopped> {
        if matches!(goal, Goal::MisereLoss(_)) && !self.is_tame() {
            return Ok(None);
        }
        let value = goal.of_one_part();
        let table = take_and_break::table(&self.rule, heap, meter);
        if table.value(heap).is_none() {
            return Ok(None);
        }
        let is_value = |parts: &[u64]| parts.iter().fold(0, |xor, part| xor ^ part) == value;
        let replies = self.leaving(heap, &*table, want, meter, is_value)?;
        Ok(Some(replies))
    }

    fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues> {
        let table = take_and_break::table(&self.rule, to, meter);
        Some(take_and_break::heap_values(table))
    }

    fn misere_rule(&self) -> Option<&Rule> {
        (!self.is_tame()).then_some(&*self.rule)
    }

    fn misere_replies(
        &self,
        heap: u64,
        beside: u16,
        table: &misere_heaps::Table,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Taking>>, Stopped> {
        let is_lost = |parts: &[u64]| table.is_lost_with(beside, parts);
        self.leaving(heap, table, want, meter, is_lost).map(Some)
    }

    fn reason(&self, heap: u64, meter: &mut Meter<'_>) -> Option<HeapReason> {
        by_period(
            take_and_break::table(&self.rule, heap, meter).period(),
            heap,
        )
    }

    fn explain(&self, heaps: &[u64], end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let largest = heaps.iter().copied().max().unwrap_or(0);
        let table = take_and_break::table(&self.rule, largest, meter);
        let values: Vec<Option<u64>> = heaps.iter().map(|heap| table.value(*heap)).collect();
        let mut lines = vec![
            "The value of a heap is the least number that no option has; heaps are added by xor."
                .to_owned(),
        ];
        lines.extend(table_lines(
            |heap| table.value(heap),
            table.period(),
            largest,
        ));
        lines.extend(value_lines(heaps, &values, heap_name, |heap| {
            self.options(heap, &table)
        }));
        if !end.is_misere() {
            return lines;
        }
        match self.is_tame() {
            true => lines.extend(misere_lines(&values, end)),
            false => lines.extend(wild_lines(&self.rule, heaps, meter)),
        }
        lines
    }
}

impl Octal {
    /// For each value below that of a heap a move that leaves it, in words; for large heaps where the value comes from.
    fn options(&self, heap: u64, table: &take_and_break::Table) -> String {
        let large = || {
            let folded = table.period().map(|period| period.fold(heap));
            match folded.filter(|folded| *folded != heap) {
                Some(folded) => format!("as a heap of {folded}, by the period"),
                None => "from the table".to_owned(),
            }
        };
        options_text(self, heap, |heap| table.value(heap), large)
    }
}

fn split(taken: u64, parts: &[u64]) -> Taking {
    Taking {
        taken: Some(taken),
        rest: 0,
        split: parts.to_vec(),
    }
}

/// Reads `0.77` or `4`: digit 0 before the dot, the others after it.
fn read_code(code: Word<'_>) -> Result<Vec<u8>, NotationError> {
    const EXAMPLE: &str = "octal.0.77:5,1";
    let bad = NotationCode::BadGameCode;
    let (head, tail) = match code.split_once('.') {
        None => (code, code.end()),
        Some((head, tail)) => (head, tail),
    };
    let first = match head.text {
        "0" => 0,
        "4" => 4,
        "8" => 8,
        "c" => 12,
        _ => {
            let message = match head.text {
                "" => "the code is missing".to_owned(),
                _ => format!("'{}' cannot stand before the dot", head.shown()),
            };
            return head.refuse(bad, message, "0, 4, 8 or c, a dot and more digits", EXAMPLE);
        }
    };
    if tail.text.len() > MAX_DIGITS {
        let beyond = tail.part(MAX_DIGITS, tail.text.len());
        let message = format!(
            "the code has {} digits, the limit is {MAX_DIGITS}",
            tail.text.len()
        );
        return beyond.refuse(
            bad,
            message,
            format!("at most {MAX_DIGITS} digits"),
            EXAMPLE,
        );
    }
    let mut digits = vec![first];
    for (index, byte) in tail.text.bytes().enumerate() {
        let place = tail.part(index, index + 1);
        match byte {
            b'0'..=b'9' => digits.push(byte - b'0'),
            b'a'..=b'f' => digits.push(byte - b'a' + 10),
            _ => {
                let message = format!("'{}' is not a digit of a code", place.text);
                return place.refuse(
                    bad,
                    message,
                    "0 to 7, or 8, 9, a to f where three heaps may be left",
                    EXAMPLE,
                );
            }
        }
    }
    let dotted = code.text.len() > head.text.len();
    if digits.last() == Some(&0) && (dotted || first == 0) || dotted && tail.text.is_empty() {
        let place = if tail.text.is_empty() {
            code.end()
        } else {
            tail.part(tail.text.len() - 1, tail.text.len())
        };
        return place.refuse(
            bad,
            "the code must not end with 0 or a dot",
            "a last digit that is not 0",
            EXAMPLE,
        );
    }
    Ok(digits)
}
