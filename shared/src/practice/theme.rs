//! The idea by which a won position is won, as far as the theory that decides it names one.

use serde::{Deserialize, Serialize};

use crate::fact::{Fact, GameFact, Stake, Terms};
use crate::game::Kind;
use crate::games::BoardKind;
use crate::position::Position;
use crate::solver::{MoveReason, Reasons};

/// The idea that wins a position. It follows from the facts that decide the position and from the best move, by the criterion that
/// each theme names; the first that holds, in the order below within one fact, is the theme.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// A sum of nim-values, all of them 0 or 1: only the number of ones counts. Also take or merge.
    Parity,
    /// A sum of nim-values in which one or two values are left once equal ones are struck out in pairs: clear the one, or level the two.
    Pairs,
    /// A sum of nim-values, or in misere play of tame parts of which two or more are above 1: the xor must become 0.
    NimSum,
    /// As the themes above, where the best move leaves two or more heaps or pieces in the place of one.
    Splitting,
    /// Half a turn of the board maps every move to its answer.
    Mirror,
    /// Misere play of tame parts of which at most one is above 1: the last large one decides whether an odd number of ones is left.
    MisereEnding,
    /// Misere play in which a quotient decides: the sum must get into a lost class.
    MisereClasses,
    /// Hackenbush with edges of two owners: the total of the values must favour the mover.
    ColouredEdges,
    /// A partizan sum that is no number: a move where the most is at stake.
    Stakes,
    /// A partizan sum that is a number: moves that cost the least.
    SpareMoves,
    /// A race to a number: leave a multiple.
    Remainder,
    /// Wythoff's game: leave a losing pair.
    LosingPairs,
    /// Staircase and silver dollar: only every other step or gap counts.
    CountedSteps,
    /// Fibonacci Nim: take the least Fibonacci part.
    FibonacciParts,
    /// Euclid's game: who can choose the ratio wins.
    GoldenRatio,
    /// Moore's Nim: all binary columns must be multiples of k + 1.
    Columns,
    /// Green trees of Hackenbush: branches on a vertex are heaps.
    Branches,
    /// Geography: move along a maximum matching.
    Matching,
    /// Treblecross: cells that are not safe lose at once, or make three.
    SafeCells,
    /// Chomp with two rows: make the first one longer by one.
    Rows,
    /// Welter's game: coins in pairs of mates.
    Mates,
    /// Coins in a row: the values of the heads.
    Heads,
    /// The compound `@every`: the component that lasts longest decides.
    LongestComponent,
    /// The compound `@conjunctive`: the component that is over first decides.
    ShortestComponent,
    /// `@selective` and `@shortselective`: move in all components that are won.
    WonComponents,
    /// `@shortsum`: the player who must open the last component loses.
    Opening,
    /// Play can cycle: loopy values.
    Cycles,
    /// No theory is known: look ahead.
    Search,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 28] = [
        Self::Parity,
        Self::Pairs,
        Self::NimSum,
        Self::Splitting,
        Self::Mirror,
        Self::MisereEnding,
        Self::MisereClasses,
        Self::ColouredEdges,
        Self::Stakes,
        Self::SpareMoves,
        Self::Remainder,
        Self::LosingPairs,
        Self::CountedSteps,
        Self::FibonacciParts,
        Self::GoldenRatio,
        Self::Columns,
        Self::Branches,
        Self::Matching,
        Self::SafeCells,
        Self::Rows,
        Self::Mates,
        Self::Heads,
        Self::LongestComponent,
        Self::ShortestComponent,
        Self::WonComponents,
        Self::Opening,
        Self::Cycles,
        Self::Search,
    ];

    /// Its name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parity => "parity",
            Self::Pairs => "pairs",
            Self::NimSum => "nim_sum",
            Self::Splitting => "splitting",
            Self::Mirror => "mirror",
            Self::MisereEnding => "misere_ending",
            Self::MisereClasses => "misere_classes",
            Self::ColouredEdges => "coloured_edges",
            Self::Stakes => "stakes",
            Self::SpareMoves => "spare_moves",
            Self::Remainder => "remainder",
            Self::LosingPairs => "losing_pairs",
            Self::CountedSteps => "counted_steps",
            Self::FibonacciParts => "fibonacci_parts",
            Self::GoldenRatio => "golden_ratio",
            Self::Columns => "columns",
            Self::Branches => "branches",
            Self::Matching => "matching",
            Self::SafeCells => "safe_cells",
            Self::Rows => "rows",
            Self::Mates => "mates",
            Self::Heads => "heads",
            Self::LongestComponent => "longest_component",
            Self::ShortestComponent => "shortest_component",
            Self::WonComponents => "won_components",
            Self::Opening => "opening",
            Self::Cycles => "cycles",
            Self::Search => "search",
        }
    }

    /// The theme of a won position with these reasons, which are of this position. Only the facts of the position and the best move
    /// are looked at: no other move need be explained.
    #[must_use]
    pub fn of(position: &Position, reasons: &Reasons) -> Self {
        let is_misere = position.end_rule().is_misere();
        // The fact that decides comes last.
        let mut facts = reasons.position.facts.iter().rev();
        let theme = facts.find_map(|fact| of_fact(position, fact, is_misere));
        let theme = theme.unwrap_or_else(|| of_one_value(&reasons.position.facts));
        let is_sum = matches!(theme, Self::Parity | Self::Pairs | Self::NimSum);
        match is_sum && splits(reasons) {
            true => Self::Splitting,
            false => theme,
        }
    }
}

/// What one fact says; `None` if it only leads to a value.
fn of_fact(position: &Position, fact: &Fact, is_misere: bool) -> Option<Theme> {
    Some(match fact {
        // The value of a single summand is known from another fact.
        Fact::NimSum { terms, .. } if terms.total <= 1 => return None,
        Fact::NimSum { terms, .. } => of_values(terms),
        Fact::TameSum { large, .. } => misere(*large, Theme::NimSum),
        Fact::MisereQuotient { .. } => Theme::MisereClasses,
        Fact::GreatestSuspense { .. } => Theme::LongestComponent,
        Fact::LeastRemoteness { .. } => Theme::ShortestComponent,
        Fact::WonComponents { .. } => Theme::WonComponents,
        Fact::Foreclosed { .. } => Theme::Opening,
        Fact::PartizanSum { stake, .. } => {
            let games = position.games();
            match stake {
                _ if games.iter().all(|game| game.board == BoardKind::Trees) => {
                    Theme::ColouredEdges
                }
                Stake::Number { .. } => Theme::SpareMoves,
                _ => Theme::Stakes,
            }
        }
        Fact::LoopySum {
            terms, endless: 0, ..
        } => of_values(terms),
        Fact::LoopySum { .. } => Theme::Cycles,
        Fact::Searched { .. } | Fact::ShortestWin { .. } => match position.kind() {
            Kind::Loopy => Theme::Cycles,
            _ => Theme::Search,
        },
        Fact::Game { of, .. } => return of_game(of, is_misere),
        Fact::Over { .. }
        | Fact::OneLeft { .. }
        | Fact::ByMethod { .. }
        | Fact::KnownAfterMove { .. }
        | Fact::NimChange { .. }
        | Fact::WorthChange { .. }
        | Fact::ClassChange { .. }
        | Fact::StandingChange { .. } => return None,
    })
}

/// Where no fact says more than the value of the only summand, or nothing is known.
fn of_one_value(facts: &[Fact]) -> Theme {
    match facts.iter().any(|fact| matches!(fact, Fact::NimSum { .. })) {
        true => Theme::NimSum,
        false => Theme::Search,
    }
}

fn of_game(fact: &GameFact, is_misere: bool) -> Option<Theme> {
    Some(match fact {
        GameFact::Distance { .. } => Theme::Remainder,
        GameFact::GoldenPair { .. } | GameFact::GoldenPartner { .. } => Theme::LosingPairs,
        GameFact::OddSteps { large, .. } if is_misere => misere(*large, Theme::CountedSteps),
        GameFact::OddSteps { .. } => Theme::CountedSteps,
        GameFact::Zeckendorf { .. } => Theme::FibonacciParts,
        GameFact::Ratio { .. } => Theme::GoldenRatio,
        GameFact::Columns { .. } => Theme::Columns,
        GameFact::OnlyOnes { .. } => Theme::MisereEnding,
        GameFact::TakeOrMerge { .. } => Theme::Parity,
        GameFact::PointSymmetry { .. } | GameFact::SymmetryBroken { .. } => Theme::Mirror,
        GameFact::Vertex { .. } | GameFact::Cut { .. } => Theme::Branches,
        GameFact::Matching { .. } | GameFact::Placing { .. } => Theme::Matching,
        GameFact::Completes { .. } | GameFact::SafeRuns { .. } => Theme::SafeCells,
        // Two heaps of Nim.
        GameFact::Arms { .. } | GameFact::Square { .. } => Theme::Pairs,
        GameFact::Gaps { rows, .. } => of_values(rows),
        GameFact::TwoRows { .. } => Theme::Rows,
        GameFact::Mates { .. } => Theme::Mates,
        GameFact::Heads { .. } | GameFact::TurnedCoins { .. } => Theme::Heads,
        // A rectangle is known to be won, but not by which move. The move in a chain is found by a search.
        GameFact::Rectangle { .. }
        | GameFact::Extreme { .. }
        | GameFact::OpenChain { .. }
        | GameFact::EveryTurnOpens { .. } => Theme::Search,
        GameFact::HeapValue { .. }
        | GameFact::HeapChange { .. }
        | GameFact::StepChange { .. }
        | GameFact::PathPiece { .. }
        | GameFact::PieceChange { .. }
        | GameFact::Node { .. }
        | GameFact::Arcs { .. }
        | GameFact::Divided { .. }
        | GameFact::Element { .. }
        | GameFact::Fused { .. }
        | GameFact::GapChange { .. }
        | GameFact::HeadValues { .. }
        | GameFact::FreeBranch { .. } => return None,
    })
}

/// Misere play of tame parts of which so many are above 1.
fn misere(large: u64, otherwise: Theme) -> Theme {
    match large {
        0 | 1 => Theme::MisereEnding,
        _ => otherwise,
    }
}

/// A sum of nim-values.
fn of_values(terms: &Terms) -> Theme {
    let Some(mut values) = terms.all() else {
        return Theme::NimSum;
    };
    values.retain(|value| *value > 0);
    if values.len() < 2 {
        return Theme::NimSum;
    }
    if values.iter().all(|value| *value == 1) {
        return Theme::Parity;
    }
    values.sort_unstable();
    let mut single: Vec<u64> = Vec::new();
    for value in values {
        match single.last() {
            Some(last) if *last == value => {
                single.pop();
            }
            _ => single.push(value),
        }
    }
    match single.len() {
        1 | 2 => Theme::Pairs,
        _ => Theme::NimSum,
    }
}

/// Whether the best move leaves two heaps or pieces in the place of one.
fn splits(reasons: &Reasons) -> bool {
    let is_best = |mv: &&MoveReason| Some(&mv.mv) == reasons.best.as_ref();
    let Some(best) = reasons.moves.iter().find(is_best) else {
        return false;
    };
    best.changes.iter().any(|change| match change {
        Fact::Game {
            of: GameFact::HeapChange { after, .. },
            ..
        } => after.iter().filter(|heap| heap.size > 0).count() >= 2,
        Fact::Game {
            of: GameFact::PieceChange { left_total, .. },
            ..
        } => *left_total >= 2,
        _ => false,
    })
}
