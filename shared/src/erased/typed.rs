//! The one implementation of [`AnyGame`]: any [`Game`] together with one of its states.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::any_game::{AnyGame, Component, GameInfo};
use super::any_move::{AnyMove, ComponentMove};
use crate::fact::{GameFact, PartKind};
use crate::game::{EndRule, Game, Kind};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationError, Word};
use crate::theory::heap_values::HeapValues;
use crate::theory::misere_heaps::{self, Classes};
use crate::theory::{
    BitBoard, CanonicalForm, CanonicalForms, Goal, LoopyValue, Meter, MoveList, Stopped, Tally,
};

/// A game with one of its states.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Typed<G: Game> {
    info: &'static GameInfo,
    game: G,
    state: G::State,
}

impl<G: Game> Typed<G>
where
    G::Move: 'static,
{
    fn with(&self, state: G::State) -> Component {
        Arc::new(Self {
            info: self.info,
            game: self.game.clone(),
            state,
        })
    }

    fn own<'m>(&self, mv: &'m dyn AnyMove) -> &'m G::Move {
        mv.as_any()
            .downcast_ref()
            .expect("a move is played in the position that it came from, so it is of the same game")
    }
}

impl<G: Game> AnyGame for Typed<G>
where
    G::Move: 'static,
    G::State: 'static,
{
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.write(f)?;
        f.write_str(":")?;
        self.game.write_state(&self.state, f)
    }

    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn AnyGame) -> bool {
        other.as_any().downcast_ref::<Self>() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn move_count(&self, seat: Seat) -> u128 {
        self.game.move_count(&self.state, seat)
    }

    fn nth_move(&self, seat: Seat, n: u128) -> Option<ComponentMove> {
        let mv = self.game.nth_move(&self.state, seat, n)?;
        Some(Arc::new(mv))
    }

    fn moves(&self, seat: Seat) -> Box<dyn Iterator<Item = ComponentMove> + '_> {
        let moves = self.game.moves(&self.state, seat);
        Box::new(moves.map(|mv| Arc::new(mv) as ComponentMove))
    }

    fn read_move(&self, seat: Seat, text: &str) -> Result<ComponentMove, MoveError> {
        let mv = self.game.read_move(&self.state, seat, text)?;
        Ok(Arc::new(mv))
    }

    fn play(&self, mv: &dyn AnyMove) -> Component {
        self.with(self.game.play(&self.state, self.own(mv)))
    }

    fn describe(&self) -> String {
        self.game.describe(&self.state)
    }

    fn describe_move(&self, mv: &dyn AnyMove, prefix: &str) -> String {
        self.game.describe_move(&self.state, self.own(mv), prefix)
    }

    fn kind(&self) -> Kind {
        self.game.kind(&self.state)
    }

    fn has_sides(&self) -> bool {
        self.game.has_sides(&self.state)
    }

    fn parts(&self) -> Vec<Component> {
        let parts = self.game.parts(&self.state);
        parts.into_iter().map(|part| self.with(part)).collect()
    }

    fn part_name(&self, part: usize) -> String {
        self.game.part_name(&self.state, part)
    }

    fn part_kind(&self) -> PartKind {
        self.game.part_kind()
    }

    fn values(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        self.game.values(&self.state, meter)
    }

    fn forms(
        &self,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<CanonicalForm>>, Stopped> {
        self.game.forms(&self.state, forms, meter)
    }

    fn loopy_values(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<LoopyValue>>, Stopped> {
        self.game.loopy_values(&self.state, meter)
    }

    fn keeps_values(&self) -> bool {
        self.game.keeps_values(&self.state)
    }

    fn method(&self) -> &'static str {
        self.game.method()
    }

    fn is_tame(&self) -> bool {
        self.game.is_tame(&self.state)
    }

    fn has_value(&self, value: u64, meter: &mut Meter<'_>) -> Result<Option<bool>, Stopped> {
        self.game.has_value(&self.state, value, meter)
    }

    fn misere_tallies(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<Tally>>, Stopped> {
        self.game.misere_tallies(&self.state, meter)
    }

    fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues> {
        self.game.heap_values(to, meter)
    }

    fn misere_classes(&self, meter: &mut Meter<'_>) -> Result<Option<Classes>, Stopped> {
        self.game.misere_classes(&self.state, meter)
    }

    fn misere_replies(
        &self,
        part: usize,
        beside: u16,
        table: &misere_heaps::Table,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<ComponentMove>>, Stopped> {
        let game = &self.game;
        let replies = game.misere_replies(&self.state, part, beside, table, want, meter)?;
        Ok(replies.map(|replies| replies.map(|mv| Arc::new(mv) as ComponentMove)))
    }

    fn bit_board(&self) -> Option<BitBoard> {
        self.game.bit_board(&self.state)
    }

    fn free_choices(&self) -> usize {
        self.game.free_choices(&self.state)
    }

    fn bytes(&self) -> u64 {
        self.game.bytes(&self.state)
    }

    fn is_p_position(&self, end: EndRule, meter: &mut Meter<'_>) -> Result<Option<bool>, Stopped> {
        self.game.find_p_position(&self.state, end, meter)
    }

    fn replies(
        &self,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<ComponentMove>>, Stopped> {
        let replies = self.game.replies(&self.state, part, goal, want, meter)?;
        Ok(replies.map(|replies| replies.map(|mv| Arc::new(mv) as ComponentMove)))
    }

    fn remoteness(&self, end: EndRule, meter: &mut Meter<'_>) -> Result<Option<u64>, Stopped> {
        self.game.find_remoteness(&self.state, end, meter)
    }

    fn facts(&self, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        self.game.facts(&self.state, end, meter)
    }

    fn changes(&self, mv: &dyn AnyMove, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        self.game.changes(&self.state, self.own(mv), end, meter)
    }

    fn advised(&self, end: EndRule, meter: &mut Meter<'_>) -> Option<ComponentMove> {
        let mv = self.game.advised(&self.state, end, meter)?;
        Some(Arc::new(mv))
    }

    fn explain(&self, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        self.game.explain(&self.state, end, meter)
    }

    fn explained_by_options(&self) -> bool {
        self.game.explained_by_options(&self.state)
    }

    fn how_to_win(&self, end: EndRule) -> Vec<String> {
        self.game.how_to_win(&self.state, end)
    }
}

/// Reads a component of game `G`; this is what a registry line points to.
pub(crate) fn read<G: Game>(
    info: &'static GameInfo,
    name: Word<'_>,
    parameters: Option<Word<'_>>,
    state: Word<'_>,
) -> Result<Component, NotationError>
where
    G::Move: 'static,
    G::State: 'static,
{
    let (game, state) = G::parse(name, parameters, state)?;
    Ok(Arc::new(Typed { info, game, state }))
}
