//! Facts that any game can have: the theory of sums, compounds and searches.

use serde::{Deserialize, Serialize};

use super::game::GameFact;
use super::standing::Standing;
use super::terms::{PartKind, Terms};
use crate::ids::Seat;
use crate::json::{wide, wide_option};

/// A summand whose value is written out, in partizan sums.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Worth {
    /// The number of a component from 1, or what the notation calls the part.
    pub name: String,
    /// Its value in the notation of the field: `3/4`, `*2`, `{1|-1}`.
    pub value: String,
    /// What is at stake in it.
    pub stake: Stake,
}

/// What moving first is worth in a partizan value (Conway 1976). Numbers are in lowest terms, above 0 if Left is ahead.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "stake", rename_all = "snake_case")]
pub enum Stake {
    /// It is a number: a move in it helps nobody.
    Number {
        /// By how many moves Left is ahead.
        number: String,
    },
    /// Both stops are the same number, but it is not a number itself: it differs from it by less than any fraction.
    Infinitesimal {
        /// Its stops.
        number: String,
        /// The player for whom it is better than that number: Left (the first one) if it is above, Right if it is below. Absent
        /// if it is neither: then it is better for the player who moves first.
        ahead: Option<Seat>,
    },
    /// The stops differ, and moving first gains something.
    Hot {
        /// The left stop: what Left is ahead once play there reaches a number, if Left moves first and both play well.
        left: String,
        /// The right stop: the same if Right moves first.
        right: String,
    },
}

/// One fact. Each is true of the position for which it is stated, whoever reads it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum Fact {
    /// No move is left; the end rule decides.
    Over {
        /// The number, from 1, of the first component without a move, if one is enough to end the game.
        component: Option<u64>,
        /// Whether the opponent could still move there, and only the player to move has no move.
        #[serde(default)]
        one_sided: bool,
    },
    /// Normal play: the nim-values of the summands, and their xor. The player to move loses if it is 0 (Sprague 1935, Grundy 1939).
    NimSum {
        /// The summands.
        terms: Terms,
        /// The xor of all values.
        #[serde(with = "wide")]
        xor: u64,
    },
    /// Misère play of tame summands: the player to move loses if the xor is 0 and a value is above 1, or it is 1 and none is.
    TameSum {
        /// The summands. One that counts as several heaps has the xor of these.
        terms: Terms,
        /// The xor of all values.
        #[serde(with = "wide")]
        xor: u64,
        /// How many values are above 1.
        large: u64,
    },
    /// Misère play by a quotient (Plambeck 2005): the classes of the summands, and that of the sum.
    MisereQuotient {
        /// The summands with their classes. Class 0 is that of the empty sum.
        terms: Terms,
        /// The class of the whole sum.
        product: u16,
        /// Whether the player to move loses the sums of that class.
        lost: bool,
        /// How many classes there are.
        order: u64,
        /// How many of them are lost.
        lost_order: u64,
        /// The first of these.
        lost_classes: Vec<u16>,
    },
    /// `@every`: the suspense of each component. The component with the greatest decides (Smith 1966).
    GreatestSuspense {
        /// The components that have a move.
        terms: Terms,
        /// The greatest of all, in plies.
        #[serde(with = "wide")]
        greatest: u64,
        /// The number, from 1, of the first component that has it.
        decides: u64,
        /// The greatest of the others.
        #[serde(with = "wide")]
        others: u64,
    },
    /// `@conjunctive`: the remoteness of each component. The component with the least decides (Smith 1966).
    LeastRemoteness {
        /// The components.
        terms: Terms,
        /// The least of all, in plies.
        #[serde(with = "wide")]
        least: u64,
        /// The number, from 1, of the first component that has it.
        decides: u64,
        /// The least of the others; `least` if no other has one, because play in it can cycle.
        #[serde(with = "wide")]
        others: u64,
    },
    /// `@selective` and `@shortselective`: which components the player to move would win alone. The position is lost if there is none.
    WonComponents {
        /// The end rule by which the components are judged is misère.
        misere: bool,
        /// Whether one component alone, if the others are over, is judged by misère play instead.
        last_in_misere: bool,
        /// Whether the game is over as soon as one component is.
        short: bool,
        /// The numbers, from 1, of the first that are won.
        won: Vec<u64>,
        /// How many are won.
        won_total: u64,
        /// How many have a move.
        alive: u64,
    },
    /// Only this component, numbered from 1, still has a move: the others count for nothing.
    OneLeft {
        /// Its number.
        component: u64,
    },
    /// `@shortsum`: the foreclosed values, which count only moves that a player can afford (Conway 1976).
    Foreclosed {
        /// The components that no move can end with a win, with their values.
        terms: Terms,
        /// The numbers, from 1, of the first components that a move ends with a win. The player to move wins if there is one.
        ending: Vec<u64>,
        /// The xor of the values if no component can be ended with a win. The player to move loses if it is 0.
        #[serde(with = "wide_option")]
        xor: Option<u64>,
    },
    /// Normal play of a partizan sum: the values of the summands, and their total (Conway 1976).
    PartizanSum {
        /// What the summands are.
        of: PartKind,
        /// The first summands.
        terms: Vec<Worth>,
        /// How many there are.
        terms_total: u64,
        /// The value of the whole.
        total: String,
        /// What is at stake in the whole.
        stake: Stake,
        /// The first summand of those whose stops are farthest apart, if there are several summands, all of them named, and one is hot. This is a
        /// guide to a good move, not a rule.
        hottest: Option<String>,
    },
    /// Normal play of a sum in which play can cycle: loopy nim-values (Smith 1966; Fraenkel, Perl 1975).
    LoopySum {
        /// The summands that are worth a nim heap.
        terms: Terms,
        /// Their xor.
        #[serde(with = "wide")]
        xor: u64,
        /// How many summands are endless: they cannot be replaced by a nim heap.
        endless: u64,
        /// Whether exactly one summand is endless, and a move in it can leave the xor of the others. Then the player to move wins.
        can_exit: bool,
    },
    /// No theory is known: all lines of play were searched.
    Searched {
        /// Plies to the end if the winner hurries and the loser delays; absent in a draw, and if it was not found within the budget.
        #[serde(with = "wide_option")]
        plies: Option<u64>,
        /// The first moves of such a line of play.
        line: Vec<String>,
    },
    /// A rule says who wins, but not by which move: the shortest win was searched.
    ShortestWin {
        /// Plies to the end if the winner hurries and the loser delays; absent if it was not found within the budget.
        #[serde(with = "wide_option")]
        plies: Option<u64>,
        /// The first moves of such a line of play.
        line: Vec<String>,
    },
    /// A method other than a search decides, and its working was not found within the budget or has no facts of its own.
    ByMethod {
        /// The name of the method.
        method: String,
    },
    /// No rule decides the position itself and no search of all moves was completed, but a move leaves a position that the game's own method calls lost.
    KnownAfterMove {
        /// The move, canonical; absent if it was not found within the budget.
        #[serde(rename = "move")]
        mv: Option<String>,
    },
    /// What a move changes in a sum in normal play: the nim-value of the component in which it is made.
    NimChange {
        /// The number of the component, from 1, if there are several.
        component: Option<u64>,
        /// Its nim-value before the move.
        #[serde(with = "wide")]
        before: u64,
        /// Its nim-value after the move.
        #[serde(with = "wide")]
        after: u64,
    },
    /// What a move changes in a partizan sum in normal play: the value of the component in which it is made.
    WorthChange {
        /// The number of the component, from 1, if there are several.
        component: Option<u64>,
        /// Its value before the move.
        before: String,
        /// Its value after the move.
        after: String,
    },
    /// What a move changes in misère play by a quotient: the class of the whole sum.
    ClassChange {
        /// The class before the move.
        before: u16,
        /// The class after it.
        after: u16,
        /// Whether the player to move loses the sums of that class.
        lost: bool,
    },
    /// What a move changes in one component of a compound.
    StandingChange {
        /// The number of the component, from 1.
        component: u64,
        /// What the law of the compound asks of it, before the move.
        before: Standing,
        /// The same after it.
        after: Standing,
    },
    /// A fact in the terms of one game.
    #[serde(untagged)]
    Game {
        /// The number of its component, from 1, if there are several.
        component: Option<u64>,
        /// The fact.
        #[serde(flatten)]
        of: GameFact,
    },
}
