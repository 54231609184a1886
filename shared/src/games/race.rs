//! The race to a number: add 1 to m, whoever says the target wins. Bash's game on the distance that is left.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::GameFact;
use crate::game::{EndRule, Game};
use crate::games::bash::Bash;
use crate::games::heap_rule::HeapRule;
use crate::games::letters::Letters;
use crate::games::working::misere_lines;
use crate::ids::Seat;
use crate::notation::{MAX_NUMBER, MoveError, NotationCode, NotationError, Word};
use crate::theory::{Goal, Meter, MoveList, Stopped};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "race",
    title: "Race to a number",
    rule: "Add at least 1 and at most m to the current number, without passing the target; m and the target are the numbers after the name. The player who reaches the target wins.",
    notation: "race.10.100:0 has steps of 1 to 10, the target 100 and the current number 0",
    move_notation: "+7 adds 7 to the current number",
    examples: &["race.10.100:80", "race.2.10:0", "race.3.9:9", "race.1.6:2"],
    example_move: "+7",
    method: "the distance to the target by its remainder modulo m + 1; the misere rule of tame sums",
    complexity: "O(1)",
    limits: "m and the target from 1 to 10^18",
    source: "C.-G. Bachet, Problemes plaisants et delectables, 1612; misere: T. S. Ferguson 1974",
    board: BoardKind::Count,
    read: erased::read::<Race>,
};

/// The rules of a race.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Race {
    most: u64,
    target: u64,
}

/// A move: how much is added.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step(u64);

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{}", self.0)
    }
}

impl Race {
    fn distance(&self, so_far: u64) -> u64 {
        self.target - so_far
    }

    /// The same game as a heap.
    fn heap(&self) -> Bash {
        Bash::up_to(self.most)
    }
}

impl Game for Race {
    type State = u64;
    type Move = Step;

    fn parse(
        name: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, u64), NotationError> {
        let example = INFO.examples[0];
        let code = NotationCode::BadGameCode;
        let both = parameters.unwrap_or_else(|| name.end());
        let (most, target) = both.split_once('.').unwrap_or((both, both.end()));
        let most = most.number(
            "the largest number that may be added",
            1,
            MAX_NUMBER,
            code,
            example,
        )?;
        let target = target.number("the target", 1, MAX_NUMBER, code, example)?;
        let bad = NotationCode::BadPosition;
        let so_far = state.number("the number so far", 0, target, bad, example)?;
        Ok((Self { most, target }, so_far))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "race.{}.{}", self.most, self.target)
    }

    fn write_state(&self, so_far: &u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{so_far}")
    }

    fn move_count(&self, so_far: &u64, _: Seat) -> u128 {
        self.heap().count(self.distance(*so_far))
    }

    fn nth_move(&self, so_far: &u64, seat: Seat, n: u128) -> Option<Step> {
        (n < self.move_count(so_far, seat)).then(|| Step(n as u64 + 1))
    }

    fn read_move(&self, so_far: &u64, _: Seat, text: &str) -> Result<Step, MoveError> {
        let mut letters = Letters::new(text);
        if letters.peek() == Some('+') {
            letters.skip();
        }
        let column = letters.column();
        let added = letters.number()?;
        letters.end()?;
        let distance = self.distance(*so_far);
        let refuse = |why| Err(MoveError::at(column, why));
        match added {
            _ if !(1..=self.most).contains(&added) => {
                refuse(format!("from 1 to {} may be added", self.most))
            }
            _ if added > distance => refuse(format!(
                "{added} would go beyond {}: {distance} are left",
                self.target
            )),
            _ => Ok(Step(added)),
        }
    }

    fn play(&self, so_far: &u64, mv: &Step) -> u64 {
        so_far + mv.0
    }

    fn describe(&self, so_far: &u64) -> String {
        format!("{so_far} so far, {} is the target", self.target)
    }

    fn describe_move(&self, so_far: &u64, mv: &Step, _: &str) -> String {
        format!("added {}, saying {}", mv.0, so_far + mv.0)
    }

    fn values(&self, so_far: &u64, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        self.heap().values(&[self.distance(*so_far)], meter)
    }

    fn keeps_values(&self, _: &u64) -> bool {
        true
    }

    fn method(&self) -> &'static str {
        "remainder"
    }

    /// As Bash's game on the distance.
    fn is_tame(&self, _: &u64) -> bool {
        self.heap().is_tame()
    }

    fn replies(
        &self,
        so_far: &u64,
        _: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Step>>, Stopped> {
        let distance = self.distance(*so_far);
        let replies = self.heap().replies(distance, goal, want, meter)?;
        Ok(replies.map(|replies| replies.map(|taking| Step(distance - taking.rest))))
    }

    fn remoteness(&self, so_far: &u64, end: EndRule) -> Option<u64> {
        self.heap().remoteness(&[self.distance(*so_far)], end)
    }

    fn facts(&self, so_far: &u64, _: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        let (left, modulus) = (self.distance(*so_far), self.most + 1);
        vec![GameFact::Distance {
            target: self.target,
            left,
            modulus,
            value: left % modulus,
        }]
    }

    fn explain(&self, so_far: &u64, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let (distance, round) = (self.distance(*so_far), self.most + 1);
        let value = distance % round;
        // The stations of normal play are those numbers from which a multiple of m + 1 is left.
        let stations = (0..6).map(|k| (self.target % round) + k * round);
        let stations: Vec<String> = stations
            .take_while(|station| *station <= self.target)
            .map(|station| station.to_string())
            .collect();
        let more = if self.target / round >= 6 {
            ", and so on"
        } else {
            ""
        };
        let mut lines = vec![
            format!(
                "The answer to any move can bring the two to {round} in total, so aim to reach {}{more}.",
                stations.join(", ")
            ),
            format!(
                "  {distance} are left = {} x {round} + {value}: value {value}",
                distance / round
            ),
        ];
        lines.extend(misere_lines(&[Some(value)], end));
        lines
    }
}
