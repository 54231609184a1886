//! What the theory says of a game, as tables: the values of single heaps, and who wins the examples. Worked out once.

use std::sync::OnceLock;

use grundy_shared::Position;
use grundy_shared::chart::PeriodStrip;
use grundy_shared::games::{BoardKind, GameInfo, REGISTRY};
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, solve};
use grundy_shared::theory::Meter;

use super::study::{self, NoStudy};
use crate::analysis::{Length, Owner};
use crate::app::App;

/// Heaps whose values are shown: four lines of eight.
const HEAPS: u64 = 32;
/// Values in a line.
const ACROSS: u64 = 8;
/// Heaps that are looked at for a period.
const LOOKED_AT: u64 = 2_000;
/// Work and memory for that, in the units of budgets.
const WORK: u64 = 10_000_000;
const MEMORY: u64 = 16 << 20;
/// The first sizes of both heaps of a queen's game.
const SQUARES: u64 = 10;

/// What is known of a game.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// The values of one heap, if heaps have values of their own.
    pub(super) heaps: Option<Heaps>,
    /// The values of two heaps by their sizes, if the game is a queen's.
    pub(super) pairs: Option<Vec<Vec<u64>>>,
    /// The examples of the registry.
    pub(super) examples: Vec<Example>,
    /// Whether the work was not stopped before its end.
    is_whole: bool,
}

/// The values of one heap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Heaps {
    /// The game with its parameters, such as `sub.1.3.4`.
    pub(super) rules: String,
    /// The values of heaps 0, 1, 2 …, in lines.
    pub(super) lines: Vec<Vec<u64>>,
    /// The period and the heap from which on it holds, if it is proved.
    pub(super) period: Option<(u64, u64)>,
    /// The values with their period as a picture, if one is proved.
    pub(super) strip: Option<PeriodStrip>,
}

/// An example with its verdict.
#[derive(Clone, Debug)]
pub(super) struct Example {
    /// The position.
    pub(super) position: Position,
    /// Who wins if the first player is to move.
    pub(super) outcome: OutcomeClass,
    /// Its value.
    pub(super) value: Option<String>,
}

/// What is known of a game of the registry.
///
/// # Errors
/// [`NoStudy::Busy`], until it has been worked out once.
pub(super) async fn of(app: &App, info: &'static GameInfo) -> Result<Facts, NoStudy> {
    static KNOWN: OnceLock<Vec<OnceLock<Facts>>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| REGISTRY.iter().map(|_| OnceLock::new()).collect());
    let place = REGISTRY.iter().position(|other| *other == info);
    let place = place.and_then(|place| known.get(place));
    if let Some(facts) = place.and_then(OnceLock::get) {
        return Ok(facts.clone());
    }
    let find = move |budget: &Budget<'_>| Facts::find(info, budget);
    let facts = study::work(app, Owner::SERVER, "page", Length::Short, find).await?;
    // What the time did not suffice for is worked out again for the next reader.
    if facts.is_complete()
        && let Some(place) = place
    {
        drop(place.set(facts.clone()));
    }
    Ok(facts)
}

impl Facts {
    fn find(info: &GameInfo, budget: &Budget<'_>) -> Self {
        let examples = info.examples.iter();
        let examples: Vec<Position> = examples
            .filter_map(|text| Position::parse(text).ok())
            .collect();
        let first = examples.first();
        Self {
            heaps: first.and_then(|first| Heaps::find(first, budget)),
            pairs: (info.board == BoardKind::Queen).then(|| pairs(info, budget)),
            examples: examples
                .into_iter()
                .map(|one| judged(one, budget))
                .collect(),
            // Asked last: what was stopped stays stopped.
            is_whole: !(budget.stop)(),
        }
    }

    fn is_complete(&self) -> bool {
        let mut examples = self.examples.iter();
        self.is_whole && examples.all(|example| example.outcome != OutcomeClass::Unknown)
    }
}

impl Heaps {
    fn find(example: &Position, budget: &Budget<'_>) -> Option<Self> {
        let mut meter = Meter::new(WORK, MEMORY, budget.stop);
        let values = example.heap_values(LOOKED_AT, &mut meter)?;
        let shown: Option<Vec<u64>> = (0..HEAPS).map(|heap| values.value(heap)).collect();
        let lines = shown?
            .chunks(ACROSS as usize)
            .map(<[u64]>::to_vec)
            .collect();
        let text = example.to_string();
        let strip = values.period.and_then(|_| PeriodStrip::of(&values));
        Some(Self {
            strip,
            rules: text.split(':').next().unwrap_or_default().to_owned(),
            lines,
            period: values.period.map(|period| (period.length, period.start)),
        })
    }
}

/// The values of two heaps. What is not known within the budget counts as the end of the table.
fn pairs(info: &GameInfo, budget: &Budget<'_>) -> Vec<Vec<u64>> {
    let value = |one: u64, two: u64| {
        let position = Position::parse(&format!("{}:{one},{two}", info.name)).ok()?;
        solve(&position, Seat::First, budget, 0).nim_value
    };
    (0..SQUARES)
        .map_while(|one| (0..SQUARES).map(|two| value(one, two)).collect())
        .collect()
}

fn judged(position: Position, budget: &Budget<'_>) -> Example {
    let solution = solve(&position, Seat::First, budget, 0);
    Example {
        outcome: solution.outcome,
        value: study::value(solution.nim_value, solution.value),
        position,
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::games::find;

    use super::*;

    fn facts(name: &str) -> Facts {
        let info = find(name).expect(name);
        Facts::find(info, &Budget::nodes(10_000_000))
    }

    #[test]
    fn kayles_has_its_period_and_wythoff_its_square_of_values() {
        let kayles = facts("kayles").heaps.expect("heaps");
        assert_eq!(kayles.period, Some((12, 71)));
        assert_eq!(kayles.lines[0], [0, 1, 2, 3, 1, 4, 3, 2]);
        let wythoff = facts("wythoff").pairs.expect("pairs");
        assert_eq!(wythoff.len() as u64, SQUARES);
        assert_eq!((wythoff[1][2], wythoff[3][5], wythoff[2][2]), (0, 0, 1));
    }

    #[test]
    fn every_game_has_examples_with_a_verdict() {
        for info in REGISTRY {
            let facts = facts(info.name);
            assert!(facts.is_complete(), "{}", info.name);
            assert_eq!(facts.examples.len(), info.examples.len(), "{}", info.name);
        }
    }

    #[test]
    fn what_was_stopped_is_not_kept() {
        let info = find("kayles").expect("a game");
        let stopped = Budget {
            stop: &|| true,
            ..Budget::nodes(10_000_000)
        };
        assert!(!Facts::find(info, &stopped).is_complete());
    }
}
