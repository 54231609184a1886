//! What a game is: the trait that every rule set implements, and the laws it keeps.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;

use crate::fact::{GameFact, PartKind};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word};
use crate::theory::heap_values::HeapValues;
use crate::theory::misere_heaps::{self, Classes};
use crate::theory::{
    BitBoard, CanonicalForm, CanonicalForms, Dyadic, Goal, LoopyValue, Meter, MoveList, Stopped,
    Tally,
};

/// Who wins when nobody moves any more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EndRule {
    /// Whoever made the last move.
    #[default]
    Normal,
    /// The other one: whoever is to move and cannot, wins.
    Misere,
}

impl EndRule {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Normal, Self::Misere];

    /// Whether it is the misère rule.
    #[must_use]
    pub fn is_misere(self) -> bool {
        self == Self::Misere
    }

    /// Who wins a finished position in which this seat would be to move.
    #[must_use]
    pub fn winner(self, to_move: Seat) -> Seat {
        match self {
            Self::Normal => to_move.other(),
            Self::Misere => to_move,
        }
    }
}

/// Who has which moves in a state, and whether they come to an end: this says by what theory it is solved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Both players have the same moves, and every line of play is finite.
    Impartial,
    /// Some moves are one player's alone; every line of play is finite.
    Partizan,
    /// A state can come again, so that play may be endless, which is a draw.
    Loopy,
}

/// A set of rules, its parameters included; a value of the implementing type is one game, such as "take 1, 3 or 4".
///
/// A game answers for one component of a position. Sums, the end rule and the numbering of components are
/// the business of [`Position`](crate::Position).
///
/// # Laws
///
/// The conformance tests run every law on every registered game ([`crate::conformance`]).
///
/// 1. **Round trip.** What `write` and `write_state` print, `parse` reads back equal; printing is the same for equal values.
/// 2. **Listing.** `nth_move(s, seat, n)` is `Some` exactly for `n < move_count(s, seat)`, and no two are equal or print alike.
///    The order is part by part, in the order of `parts`. Both are cheap for any legal state (about the number of its parts).
/// 3. **Reading.** `read_move` accepts what a listed move prints, and gives the same move; it gives listed moves only.
/// 4. **Playing.** `play` of a listed move gives a state whose text is accepted and canonical.
/// 5. **Ending.** Every line of play is finite, unless `kind` says loopy; the kind of a state is the greatest of those of
///    all states that can be reached from it. Where it says impartial, both seats have the same moves.
/// 6. **Parts.** `parts` are components of the same game that together, as a disjunctive sum, are equivalent to the
///    state in both end rules; a part has itself as its only part. A move of a state changes exactly one part.
/// 7. **Values.** `values` gives for each part its Grundy value, or `None` where no method reaches or there is none; never a
///    wrong one. `forms` and `loopy_values` likewise. Where `keeps_values`, they are never `None`.
/// 8. **Tameness.** Where `is_tame`, the parts keep the three conditions of [`Tally`]. Games that split are seldom tame.
///    `misere_tallies` of a state that is not tame are those of heaps as `Tally` says of parts that are several heaps.
/// 9. **Replies.** `replies` to a goal are exactly the moves of that part that reach it, in the order of the list.
/// 10. **Closed forms.** `is_p_position` and `remoteness`, where they answer, agree with plain recursion.
/// 11. **Misère classes.** `misere_classes` and `misere_replies`, where they answer, agree with plain recursion in all sums of parts with the
///     same table.
/// 12. **Bits.** The bits of a `bit_board` change as the state does: after the same moves the same number of moves is legal for each seat.
/// 13. **No surprise.** No text makes `parse` or `read_move` panic, hang, or hold more than a small multiple of its length.
pub trait Game: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// A state of one component.
    type State: Clone + Debug + Eq + Hash + Send + Sync;
    /// A move. It prints in its canonical form, without the number of the component.
    type Move: Clone + Debug + Display + Eq + Send + Sync;

    /// Reads `name.parameters:state`. The name is one of those registered for the game.
    fn parse(
        name: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Self::State), NotationError>;

    /// Writes the name with its parameters, canonical.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Writes a state, canonical.
    fn write_state(&self, state: &Self::State, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// How many moves this seat has: exact, saturating.
    fn move_count(&self, state: &Self::State, seat: Seat) -> u128;

    /// Move number `n`, from 0, of this seat's list.
    fn nth_move(&self, state: &Self::State, seat: Seat, n: u128) -> Option<Self::Move>;

    /// All moves of this seat in order, lazily.
    fn moves<'s>(
        &'s self,
        state: &'s Self::State,
        seat: Seat,
    ) -> Box<dyn Iterator<Item = Self::Move> + 's> {
        Box::new((0..).map_while(move |n| self.nth_move(state, seat, n)))
    }

    /// Reads a move, tolerant in case and spaces; `Err` says why it is not legal here.
    fn read_move(
        &self,
        state: &Self::State,
        seat: Seat,
        text: &str,
    ) -> Result<Self::Move, MoveError>;

    /// The state after a listed move.
    fn play(&self, state: &Self::State, mv: &Self::Move) -> Self::State;

    /// The state in words, such as `heaps A 3, B 5, C 7`.
    fn describe(&self, state: &Self::State) -> String;

    /// A move of this state in words without a subject, such as `took 4 from D, leaving 3`.
    /// `prefix` goes before the name of a heap where the position has several components (`2.`).
    fn describe_move(&self, state: &Self::State, mv: &Self::Move, prefix: &str) -> String;

    /// Whose the moves are, and whether play comes to an end. O(1).
    fn kind(&self, _state: &Self::State) -> Kind {
        Kind::Impartial
    }

    /// Whether the players have different moves, in this state or in one that can be reached. Where play may be endless, the kind does not say so. O(1).
    fn has_sides(&self, state: &Self::State) -> bool {
        self.kind(state) == Kind::Partizan
    }

    /// The independent parts, each as a state of its own; finished ones may be among them. O(parts).
    fn parts(&self, state: &Self::State) -> Vec<Self::State> {
        vec![state.clone()]
    }

    /// What the notation calls part number `part`, such as the letter of a heap; its number from 1 where it has no name.
    fn part_name(&self, _state: &Self::State, part: usize) -> String {
        (part + 1).to_string()
    }

    /// What the parts are, and so what their names mean.
    fn part_kind(&self) -> PartKind {
        PartKind::Part
    }

    /// The Grundy value of each of `parts(state)`, in that order.
    fn values(
        &self,
        state: &Self::State,
        _meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<u64>>, Stopped> {
        Ok(vec![None; self.parts(state).len()])
    }

    /// Whether a state that is one part has this Grundy value, where that can be found out although the value is not known.
    fn has_value(
        &self,
        _state: &Self::State,
        _value: u64,
        _meter: &mut Meter<'_>,
    ) -> Result<Option<bool>, Stopped> {
        Ok(None)
    }

    /// The value in normal play of each of `parts(state)` among those of `forms`; by default the nimber of its Grundy value.
    fn forms(
        &self,
        state: &Self::State,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<CanonicalForm>>, Stopped> {
        let mut all = Vec::new();
        for value in self.values(state, meter)? {
            all.push(match value {
                Some(value) => Some(forms.plain(Dyadic::default(), value, meter)?),
                None => None,
            });
        }
        Ok(all)
    }

    /// The loopy value in normal play of each of `parts(state)`; by default the nimber of its Grundy value.
    fn loopy_values(
        &self,
        state: &Self::State,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<LoopyValue>>, Stopped> {
        let values = self.values(state, meter)?.into_iter();
        Ok(values.map(|value| value.map(LoopyValue::Nimber)).collect())
    }

    /// Whether `values` answers for every part of this state and of all states that can be reached from it, each time within some milliseconds: it is what
    /// `@zero` asks after every move. Depends on the state alone, never on what was computed before, and what once was accepted stays so: logs are read again.
    fn keeps_values(&self, _state: &Self::State) -> bool {
        false
    }

    /// How the values are found, in a word or two, such as `nim-sum`.
    fn method(&self) -> &'static str;

    /// Whether the misère rule of [`Tally`] holds for sums of the parts of this state. O(size).
    fn is_tame(&self, _state: &Self::State) -> bool {
        false
    }

    /// For each of `parts(state)` the values that it counts with in misère sums: its own where the state is tame, and those of several heaps where it is as good as
    /// these; `None` where no rule is known.
    fn misere_tallies(
        &self,
        state: &Self::State,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<Tally>>, Stopped> {
        if !self.is_tame(state) {
            return Ok(vec![None; self.parts(state).len()]);
        }
        let values = self.values(state, meter)?.into_iter();
        let tally = |value: u64| Tally::default().with(value);
        Ok(values.map(|value| value.map(tally)).collect())
    }

    /// The Grundy values of single heaps under these rules, up to a heap of `to` at least where the budget allows; `None` where a
    /// part is no heap.
    fn heap_values(&self, _to: u64, _meter: &mut Meter<'_>) -> Option<HeapValues> {
        None
    }

    /// What the parts are in misère play, in the order of `parts`, by a verified quotient; `None` where there is none.
    fn misere_classes(
        &self,
        _state: &Self::State,
        _meter: &mut Meter<'_>,
    ) -> Result<Option<Classes>, Stopped> {
        Ok(None)
    }

    /// The moves of a part after which the player to move loses in misère play beside a sum of this class, the first `want` of them;
    /// `None` where the table does not have it. Asked with what [`misere_classes`](Self::misere_classes) gave.
    fn misere_replies(
        &self,
        _state: &Self::State,
        _part: usize,
        _beside: u16,
        _table: &misere_heaps::Table,
        _want: usize,
        _meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Self::Move>>, Stopped> {
        Ok(None)
    }

    /// The state as a board of bits, on which the solver searches for the winner: for games whose players have different moves. `None` if it does not fit.
    /// O(size).
    fn bit_board(&self, _state: &Self::State) -> Option<BitBoard> {
        None
    }

    /// A number n such that 2^n positions at least can be reached: of things that can be taken away each by itself, in any order, so that the others stay. O(size).
    fn free_choices(&self, _state: &Self::State) -> usize {
        0
    }

    /// Bytes that a state takes beyond some two hundred: what it costs to keep and to copy. The solver counts them.
    fn bytes(&self, _state: &Self::State) -> u64 {
        0
    }

    /// Whether the player to move loses, with nothing else on the board: by a closed form that needs no Grundy value.
    fn is_p_position(&self, _state: &Self::State, _end: EndRule) -> Option<bool> {
        None
    }

    /// As [`is_p_position`](Self::is_p_position), by a method that takes work; this is what the solver asks.
    fn find_p_position(
        &self,
        state: &Self::State,
        end: EndRule,
        _meter: &mut Meter<'_>,
    ) -> Result<Option<bool>, Stopped> {
        Ok(self.is_p_position(state, end))
    }

    /// The moves of part number `part` that reach a goal, the first `want` of them; `None` where no method is known, and
    /// the solver looks at every move.
    fn replies(
        &self,
        _state: &Self::State,
        _part: usize,
        _goal: Goal,
        _want: usize,
        _meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Self::Move>>, Stopped> {
        Ok(None)
    }

    /// Plies to the end when the winner hurries and the loser delays, by a closed form, nothing else being on the board.
    fn remoteness(&self, _state: &Self::State, _end: EndRule) -> Option<u64> {
        None
    }

    /// As [`remoteness`](Self::remoteness), by a method that takes work; this is what the solver asks.
    fn find_remoteness(
        &self,
        state: &Self::State,
        end: EndRule,
        _meter: &mut Meter<'_>,
    ) -> Result<Option<u64>, Stopped> {
        Ok(self.remoteness(state, end))
    }

    /// The facts of the game's own theory that decide this state with nothing else on the board, or lead to its value: what a person can
    /// apply on another board. At most some ten, whatever the size.
    fn facts(&self, _state: &Self::State, _end: EndRule, _meter: &mut Meter<'_>) -> Vec<GameFact> {
        Vec::new()
    }

    /// What a move of this state changes, in the same terms.
    fn changes(
        &self,
        _state: &Self::State,
        _mv: &Self::Move,
        _end: EndRule,
        _meter: &mut Meter<'_>,
    ) -> Vec<GameFact> {
        Vec::new()
    }

    /// A winning move that these facts name, if the player to move wins with nothing else on the board.
    fn advised(
        &self,
        _state: &Self::State,
        _end: EndRule,
        _meter: &mut Meter<'_>,
    ) -> Option<Self::Move> {
        None
    }

    /// The reason for the verdict in the game's own terms: the working that shows the values of this component.
    /// Plain ASCII, no more than about forty lines whatever the size.
    fn explain(&self, state: &Self::State, end: EndRule, meter: &mut Meter<'_>) -> Vec<String>;

    /// Whether no theory tells the value of this state: the reason for it is what its moves leave. O(size).
    fn explained_by_options(&self, _state: &Self::State) -> bool {
        false
    }

    /// How the winner goes on, in the game's own terms; asked only when nothing else is on the board.
    fn how_to_win(&self, _state: &Self::State, _end: EndRule) -> Vec<String> {
        Vec::new()
    }
}
