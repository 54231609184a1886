//! The staircase: move stones one step down; those that reach the ground are gone.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, Terms};
use crate::game::{EndRule, Game};
use crate::games::heaps::{no_parameters, read_heaps};
use crate::games::letters::Letters;
use crate::games::working::{misere_lines, value_lines};
use crate::ids::Seat;
use crate::notation::{MAX_NUMBER, MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::{Goal, Meter, MoveList, Stopped, Tally, stairs};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "stairs",
    title: "Staircase",
    rule: "Move any number of stones, at least one, from one step to the next lower step. Stones that leave step 1 are on the ground and out of the game. The player who makes the last move wins.",
    notation: "stairs:1,2,3 has 1 stone on step 1, the lowest, 2 on step 2 and 3 on step 3",
    move_notation: "3:2 moves 2 stones from step 3 to step 2",
    examples: &[
        "stairs:2,3,1,0,2",
        "stairs:1,4,1",
        "stairs:0,2",
        "stairs:2,0,2,1",
        "stairs:3",
        "stairs:_",
    ],
    example_move: "3:1",
    method: "the xor of the odd steps; misere play as misere Nim on them",
    complexity: "O(steps)",
    limits: "100,000 steps with up to 10^18 stones in total",
    source: "R. Sprague, Unterhaltsame Mathematik, 1961; C. L. Bouton 1901",
    board: BoardKind::Stairs,
    read: erased::read::<Stairs>,
};

/// The rules of the staircase.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stairs;

/// A move: so many stones from one step to the next.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StepDown {
    /// Which step, from 0.
    step: usize,
    stones: u64,
}

impl fmt::Display for StepDown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.step + 1, self.stones)
    }
}

/// Refuses a list of numbers that together are above 10^18, at the number that is too much: moves may bring them together.
pub(crate) fn check_total(
    numbers: &[u64],
    state: Word<'_>,
    what: &str,
    example: &str,
) -> Result<(), NotationError> {
    let mut total = 0;
    for (number, word) in numbers.iter().zip(state.split(',')) {
        total += u128::from(*number);
        if total > u128::from(MAX_NUMBER) {
            let message = format!("with {} there are too many {what}", word.shown());
            let expected = format!("at most 10^18 {what} together");
            return word.refuse(NotationCode::OutOfRange, message, expected, example);
        }
    }
    Ok(())
}

/// The odd steps, or gaps, that are not empty.
pub(crate) fn odd_steps(steps: &[u64], gaps: bool) -> GameFact {
    let tally = stairs::odd(steps);
    let mut terms = Terms::default();
    for (index, stones) in steps.iter().enumerate().step_by(2) {
        if *stones > 0 {
            terms.push(|| (index + 1).to_string(), *stones);
        }
    }
    GameFact::OddSteps {
        gaps,
        steps: terms,
        xor: tally.xor,
        large: tally.large,
    }
}

/// What a move from the step with this index changes: that step if it is odd, else the one below.
pub(crate) fn step_change(before: &[u64], after: &[u64], from: usize, gap: bool) -> GameFact {
    let step = from - from % 2;
    GameFact::StepChange {
        gap,
        step: step as u64 + 1,
        before: before[step],
        after: after[step],
    }
}

impl Game for Stairs {
    type State = Vec<u64>;
    type Move = StepDown;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Vec<u64>), NotationError> {
        no_parameters(parameters, &INFO)?;
        let steps = read_heaps(state, INFO.examples[0])?;
        check_total(&steps, state, "stones", INFO.examples[0])?;
        Ok((Self, steps))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, steps: &Vec<u64>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, steps)
    }

    fn move_count(&self, steps: &Vec<u64>, _: Seat) -> u128 {
        steps.iter().copied().map(u128::from).sum()
    }

    fn nth_move(&self, steps: &Vec<u64>, _: Seat, mut n: u128) -> Option<StepDown> {
        for (step, stones) in steps.iter().enumerate() {
            if n < u128::from(*stones) {
                return Some(StepDown {
                    step,
                    stones: n as u64 + 1,
                });
            }
            n -= u128::from(*stones);
        }
        None
    }

    fn moves<'s>(
        &'s self,
        steps: &'s Vec<u64>,
        _: Seat,
    ) -> Box<dyn Iterator<Item = StepDown> + 's> {
        Box::new(
            steps
                .iter()
                .enumerate()
                .flat_map(|(step, most)| (1..=*most).map(move |stones| StepDown { step, stones })),
        )
    }

    fn read_move(&self, steps: &Vec<u64>, _: Seat, text: &str) -> Result<StepDown, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let number = letters.number()?;
        if letters.peek() != Some(':') {
            let message = "a colon and the number of stones are missing";
            return Err(MoveError::at(letters.column(), message));
        }
        letters.skip();
        let stones = letters.number()?;
        letters.end()?;
        let refuse = |why| Err(MoveError::at(column, why));
        let step = number
            .checked_sub(1)
            .and_then(|step| usize::try_from(step).ok());
        let Some((step, own)) = step.and_then(|step| Some((step, *steps.get(step)?))) else {
            return refuse(format!(
                "there is no step {number}: they are 1 to {}",
                steps.len()
            ));
        };
        match stones {
            0 => refuse("at least 1 stone must be moved".to_owned()),
            _ if stones > own => {
                refuse(format!("step {number} has {own}: {stones} cannot be moved"))
            }
            _ => Ok(StepDown { step, stones }),
        }
    }

    fn play(&self, steps: &Vec<u64>, mv: &StepDown) -> Vec<u64> {
        let mut after = steps.clone();
        after[mv.step] -= mv.stones;
        if let Some(below) = mv.step.checked_sub(1) {
            after[below] += mv.stones;
        }
        after
    }

    fn describe(&self, steps: &Vec<u64>) -> String {
        const SHOWN: usize = 40;
        let shown: Vec<String> = steps.iter().take(SHOWN).map(u64::to_string).collect();
        let more = if steps.len() > SHOWN { ", ..." } else { "" };
        match steps.len() {
            0 => "no steps".to_owned(),
            count => format!("{count} steps from the lowest: {}{more}", shown.join(", ")),
        }
    }

    fn describe_move(&self, _: &Vec<u64>, mv: &StepDown, _: &str) -> String {
        let StepDown { step, stones } = mv;
        match step {
            0 => format!("moved {stones} from step 1 to the ground"),
            _ => format!("moved {stones} from step {} to step {step}", step + 1),
        }
    }

    /// Without the empty steps at the top.
    fn parts(&self, steps: &Vec<u64>) -> Vec<Vec<u64>> {
        let used = steps.iter().rposition(|stones| *stones > 0);
        vec![steps[..used.map_or(0, |top| top + 1)].to_vec()]
    }

    fn values(&self, steps: &Vec<u64>, _: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        Ok(vec![Some(stairs::value(steps))])
    }

    fn keeps_values(&self, _: &Vec<u64>) -> bool {
        true
    }

    fn method(&self) -> &'static str {
        "odd steps"
    }

    fn misere_tallies(
        &self,
        steps: &Vec<u64>,
        _: &mut Meter<'_>,
    ) -> Result<Vec<Option<Tally>>, Stopped> {
        Ok(vec![Some(stairs::odd(steps))])
    }

    fn is_p_position(&self, steps: &Vec<u64>, end: EndRule) -> Option<bool> {
        Some(stairs::is_lost(steps, end.is_misere()))
    }

    fn replies(
        &self,
        steps: &Vec<u64>,
        _: usize,
        goal: Goal,
        want: usize,
        _: &mut Meter<'_>,
    ) -> Result<Option<MoveList<StepDown>>, Stopped> {
        let mut replies = MoveList::default();
        for (step, stones) in stairs::replies(steps, goal) {
            replies.push(want, || StepDown { step, stones });
        }
        Ok(Some(replies))
    }

    fn facts(&self, steps: &Vec<u64>, _: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        vec![odd_steps(steps, false)]
    }

    fn changes(
        &self,
        steps: &Vec<u64>,
        mv: &StepDown,
        _: EndRule,
        _: &mut Meter<'_>,
    ) -> Vec<GameFact> {
        vec![step_change(steps, &self.play(steps, mv), mv.step, false)]
    }

    fn explain(&self, steps: &Vec<u64>, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let odd: Vec<u64> = steps.iter().step_by(2).copied().collect();
        let values: Vec<Option<u64>> = odd.iter().copied().map(Some).collect();
        let mut lines = vec![
            "Only the odd steps count, each as a heap of Nim: stones moved down from an even step can be moved on at once.".to_owned(),
        ];
        let name = |index: usize| format!("{}", 2 * index + 1);
        lines.extend(value_lines(&odd, &values, name, |_| "odd step".to_owned()));
        lines.extend(misere_lines(&values, end));
        lines
    }
}
