//! What a client knows of one match: the fold of the events that it was told.

use std::collections::BTreeMap;

use grundy_shared::Position;
use grundy_shared::event::{Clocks, Event, TimeControl};
use grundy_shared::ids::{ClientMoveId, MatchId, PlayerId, Ply, Seat, Seq};
use grundy_shared::protocol::client::ListStatus;
use grundy_shared::protocol::server::Snapshot;

/// A move that a client has sent, or is about to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Attempt {
    pub(crate) ply: Ply,
    pub(crate) text: String,
    pub(crate) client_move_id: Option<ClientMoveId>,
    /// How it was accepted, once it was.
    pub(crate) accepted: Option<(Seq, Option<Clocks>)>,
}

/// A match as one client knows it.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) seat: Option<Seat>,
    pub(crate) have: Seq,
    pub(crate) position: Option<Position>,
    /// The position before each move, as far as it is known.
    before: BTreeMap<Ply, Position>,
    pub(crate) ply: Ply,
    pub(crate) status: ListStatus,
    /// The latest move, and whether it is known to be in the log.
    pub(crate) attempt: Option<Attempt>,
    /// Everything that this client ever sent as its move, and meant.
    pub(crate) sent: Vec<Attempt>,
    /// The match that followed.
    pub(crate) rematch: Option<MatchId>,
    pub(crate) offered: bool,
    /// What each player has proposed, and with which event.
    pub(crate) open: [Option<Seq>; 2],
    pub(crate) paused: bool,
    /// The match has no clock, so replies can be planned in it.
    pub(crate) untimed: bool,
}

impl Known {
    pub(crate) fn new(seat: Option<Seat>) -> Self {
        Self {
            seat,
            have: Seq(0),
            position: None,
            before: BTreeMap::new(),
            ply: Ply(0),
            status: ListStatus::Waiting,
            attempt: None,
            sent: Vec::new(),
            rematch: None,
            offered: false,
            open: [None; 2],
            paused: false,
            untimed: false,
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.seat.is_some() && self.status != ListStatus::Over
    }

    /// Whether it is this client's move, as far as it knows.
    pub(crate) fn is_to_move(&self) -> bool {
        self.status == ListStatus::Live
            && !self.paused
            && self.position.is_some()
            && self.seat == Some(Seat::to_move_at(self.ply))
    }

    /// Takes in the next event.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn learn(
        &mut self,
        seq: Seq,
        event: &Event,
        me: Option<PlayerId>,
    ) -> Result<(), String> {
        if seq != self.have.next() {
            // Told again after `resume`, or a watcher that was sent a snapshot: the disk has compared it.
            return Ok(());
        }
        self.have = seq;
        match event {
            Event::Created {
                position,
                creator,
                seat,
                clock,
                ..
            } => {
                self.untimed = *clock == (TimeControl::Untimed {});
                self.position = Some(Position::parse(position).map_err(|error| error.to_string())?);
                if me == Some(creator.id) && self.seat.is_some_and(|own| own != *seat) {
                    return Err(format!("the creator sits at {seat}"));
                }
            }
            Event::Joined { .. } => self.status = ListStatus::Live,
            Event::Moved {
                seat,
                ply,
                move_text,
                client_move_id,
                planned,
                ..
            } => {
                self.open = [None; 2];
                let Some(position) = self.position.take() else {
                    // A watcher that began with a snapshot does not know what moves were taken back to.
                    self.ply = *ply;
                    return match self.seat {
                        Some(_) => Err("a move before the start".to_owned()),
                        None => Ok(()),
                    };
                };
                let played = position
                    .parse_move(*seat, move_text)
                    .map_err(|error| error.to_string())?;
                self.position = Some(position.play(&played));
                self.before.insert(self.ply, position);
                self.ply = *ply;
                if self.seat == Some(*seat) && !planned {
                    self.recognise(*ply, move_text, client_move_id.as_ref())?;
                }
            }
            Event::Proposed { seat, .. } => self.open[seat.index()] = Some(seq),
            Event::ProposalEnded { seat, .. } => self.open[seat.index()] = None,
            Event::TakenBack { ply, .. } => {
                if *ply >= self.ply {
                    return Err(format!("{ply} moves remain of {}", self.ply));
                }
                self.position = self.before.remove(ply);
                self.ply = *ply;
                self.open = [None; 2];
                self.attempt = None;
            }
            Event::Paused { .. } => (self.paused, self.open) = (true, [None; 2]),
            Event::Continued { .. } => self.paused = false,
            Event::Planned { seat, lines, .. } => {
                let own = self.seat == Some(*seat);
                // After the end, every reader of the log sees all of it.
                if own && lines.is_none() {
                    return Err("a plan is hidden from its own player".to_owned());
                }
            }
            Event::Ended { .. } => {
                self.paused = false;
                self.status = ListStatus::Over;
                self.attempt = None;
            }
            Event::RematchOffered { seat, .. } => self.offered = self.seat != Some(*seat),
            Event::RematchWithdrawn { .. } | Event::RematchDeclined { .. } => self.offered = false,
            Event::RematchAccepted { rematch, .. } => self.rematch = Some(*rematch),
            _ => {}
        }
        Ok(())
    }

    /// A move of this client is one that it has sent.
    fn recognise(&mut self, ply: Ply, text: &str, id: Option<&ClientMoveId>) -> Result<(), String> {
        let is_it = |sent: &Attempt| {
            sent.ply == ply && sent.text == text && sent.client_move_id.as_ref() == id
        };
        if self
            .attempt
            .as_ref()
            .is_some_and(|attempt| attempt.ply <= ply)
        {
            self.attempt = None;
        }
        match self.sent.iter().any(is_it) {
            true => Ok(()),
            false => Err(format!("nobody made move {ply}, {text}")),
        }
    }

    /// Begins where a snapshot stands, if that is further.
    pub(crate) fn jump(&mut self, snapshot: &Snapshot) {
        if snapshot.seq > self.have {
            self.have = snapshot.seq;
            self.position = Position::parse(&snapshot.position).ok();
            self.before.clear();
            self.paused = snapshot.paused_until_ms.is_some();
            self.ply = snapshot.ply;
            self.status = snapshot.status;
        }
    }
}
