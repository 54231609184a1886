//! Another match between the same players: a rematch that is offered, withdrawn, accepted; or the next game of a series.
//!
//! An offer stands while the player who made it is here. It ends at once if that player leaves or says `bye`, and after the
//! patience with absences if the connection is lost. One that is found in the log, after a restart, cannot be accepted before the
//! player is back, and ends if that takes too long.

use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat};
use grundy_shared::protocol::ErrorBody;
use grundy_shared::referee::{Command, Referee, Rematch, Ruling};

use super::effect::{Effect, Opening};
use super::flight::Cause;
use super::offer::{Prepared, Standing, rematch_id};
use super::queue::Request;
use super::state::Machine;
use crate::matches::builtin;
use crate::matches::frame::Frame;
use crate::matches::refusal;
use crate::store::AddressDigest;

impl<C: Clone + Eq, R> Machine<C, R> {
    /// A player with a seat asks for something, and so is there.
    pub(super) fn note_request(&mut self, request: &Request<C, R>) {
        let Some(seat) = self.referee.seat_of(request.player) else {
            return;
        };
        self.offer.left[seat.index()] = false;
        let found = matches!(self.offer.standing, Some(Standing::Found(_)));
        if found && self.referee.rematch() == Rematch::Offered(seat) {
            self.offer.standing = Some(self.standing_of(request.received, seat));
        }
    }

    /// A player came.
    pub(super) fn offerer_came(&mut self, seat: Seat) {
        self.offer.left[seat.index()] = false;
        if self.referee.rematch() == Rematch::Offered(seat) {
            self.offer.standing = Some(Standing::Here);
        }
    }

    /// A player's connection went.
    pub(super) fn offerer_went(&mut self, now: Millis, seat: Seat, by_choice: bool) {
        self.offer.left[seat.index()] = by_choice;
        if self.referee.rematch() == Rematch::Offered(seat) {
            self.offer.standing = Some(self.standing_of(now, seat));
        }
    }

    /// An offer is stored.
    pub(super) fn offer_is_made(&mut self, now: Millis, seat: Seat) {
        self.offer.standing = Some(self.standing_of(now, seat));
        self.look_for(now, seat.other());
    }

    fn standing_of(&self, now: Millis, seat: Seat) -> Standing {
        if self.is_followed_from(seat) {
            Standing::Here
        } else if self.offer.left[seat.index()] {
            Standing::Left
        } else {
            Standing::Lost(now.plus(self.policy.away_ms))
        }
    }

    /// When an offer ends if the player does not come back before.
    pub(super) fn offer_ends_at(&self) -> Option<Millis> {
        match self.offer.standing? {
            Standing::Here | Standing::Elsewhere => None,
            Standing::Left => Some(Millis(0)),
            Standing::Lost(at) | Standing::Found(at) => Some(at),
        }
    }

    /// The withdrawal of an offer that has ended.
    pub(super) fn offer_that_ends(&self, now: Millis) -> Option<Command> {
        (self.offer_ends_at()? <= now).then(|| self.withdrawal())?
    }

    /// The withdrawal that comes before a request: an offer whose player has not come since the restart cannot be accepted.
    pub(super) fn offer_ends_before(&self, request: &Request<C, R>) -> Option<Command> {
        let rematch = matches!(request.command, Command::Rematch { .. });
        let found = matches!(self.offer.standing, Some(Standing::Found(_)));
        let Rematch::Offered(by) = self.referee.rematch() else {
            return None;
        };
        let own = self.referee.seat_of(request.player) == Some(by);
        (rematch && found && !own).then(|| self.withdrawal())?
    }

    fn withdrawal(&self) -> Option<Command> {
        let Rematch::Offered(by) = self.referee.rematch() else {
            return None;
        };
        let player = self.player_id(by)?;
        Some(Command::WithdrawRematch { player })
    }

    /// A built-in bot always plays again: it is asked once each time that the player asks.
    pub(super) fn ask_bot_for_rematch(&mut self, address: AddressDigest) {
        if self.acceptance_of_bot().is_some() {
            self.offer.bot_asked = Some(address);
        }
    }

    /// The bot's acceptance, if a rematch was offered to one.
    pub(super) fn acceptance_of_bot(&self) -> Option<Command> {
        let Rematch::Offered(by) = self.referee.rematch() else {
            return None;
        };
        let bot = self.referee.player(by.other())?;
        builtin::bot_of(bot)?;
        Some(Command::Rematch {
            player: bot.id,
            new_match: rematch_id(self.id),
        })
    }

    /// Makes the match that an acceptance, or an end in a series, leads to, to be stored with it.
    ///
    /// # Errors
    /// There is no room for one more match.
    pub(super) fn prepare_following(
        &self,
        cause: &Cause<C, R>,
        ruling: &Ruling,
        at: Millis,
    ) -> Result<Option<Prepared>, ErrorBody> {
        let address = match cause {
            Cause::Request(Request {
                room: Some(room), ..
            }) => room.clone().map_err(|error| *error)?,
            Cause::BotAccepts(address) => *address,
            _ => return self.prepare_next_game(ruling),
        };
        let Event::RematchAccepted { rematch: id, .. } = ruling[0] else {
            return Ok(None);
        };
        if self.offer.exists {
            return Ok(Some(Prepared { id, new: None }));
        }
        let made = self.referee.create_rematch(self.id, id, at, true);
        let (referee, events) = made.map_err(|refused| refusal::of_referee(&refused))?;
        Ok(Some(Prepared::new(
            id,
            referee,
            &events,
            Some(address),
            false,
        )))
    }

    fn prepare_next_game(&self, ruling: &Ruling) -> Result<Option<Prepared>, ErrorBody> {
        let Some(end) = ruling
            .iter()
            .find(|event| matches!(event, Event::Ended { .. }))
        else {
            return Ok(None);
        };
        let opened = self.referee.open_next(end);
        let opened = opened.map_err(|refused| refusal::of_referee(&refused))?;
        Ok(opened.map(|(id, referee, events)| match self.offer.exists {
            true => Prepared { id, new: None },
            false => Prepared::new(id, referee, &events, self.address, true),
        }))
    }

    /// The match that follows is stored: both players that are here follow it, and nobody follows this match any more, in which nothing
    /// can happen. Who plays on and on would follow more and more.
    pub(super) fn open_following(
        &mut self,
        prepared: Option<Box<Prepared>>,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let Some(prepared) = prepared else {
            return;
        };
        let address = prepared.new.as_ref().and_then(|new| new.address);
        let made = prepared.new.map(|new| Box::new((new.referee, new.frames)));
        self.open(prepared.id, made, address, effects);
    }

    /// Another server has stored the rematch: players that are here follow it.
    pub(super) fn lead_into(&mut self, rematch: MatchId, effects: &mut Vec<Effect<C, R>>) {
        if self.followers.seated().next().is_some() {
            self.open(rematch, None, None, effects);
        }
    }

    fn open(
        &mut self,
        id: MatchId,
        made: Option<Box<(Referee, Vec<Frame>)>>,
        address: Option<AddressDigest>,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let followers: Vec<(C, PlayerId)> = self
            .followers
            .seated()
            .filter_map(|(seat, connection)| Some((connection.clone(), self.player_id(seat)?)))
            .collect();
        self.followers.release(effects);
        effects.push(Effect::Open(Box::new(Opening {
            id,
            made,
            followers,
            address,
        })));
    }
}
