//! What a match holds.

use std::collections::VecDeque;
use std::sync::Arc;

use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::referee::{Referee, Status};

use super::absences::Absences;
use super::attendance::Attendance;
use super::beginning::{Beginning, Origin};
use super::bot_time::BotTime;
use super::doubt::Doubt;
use super::flight::Flight;
use super::followers::Followers;
use super::hints::Hints;
use super::hold::Hold;
use super::late::Late;
use super::offer::Offer;
use super::policy::Policy;
use super::queue::Queue;
use super::thinking::Thinking;
use crate::matches::builtin;
use crate::matches::sight::{Announcement, WatchedBoard};
use crate::store::AddressDigest;

/// One live match. `C` is a connection, `R` the duty to answer one request.
///
/// It is driven by [`Machine::step`], at [`Machine::wake_at`] too, and does nothing by itself.
#[derive(Debug)]
pub struct Machine<C, R> {
    pub(super) id: MatchId,
    pub(super) policy: Arc<Policy>,
    pub(super) referee: Referee,
    /// The place for which the match counts, and the next game of its series with it. Once no game follows, it may be unknown.
    pub(super) address: Option<AddressDigest>,
    /// The join code, while the match waits for the other player.
    pub(super) invitation: Option<(JoinCode, Millis)>,
    /// Whether the invitation lasts while its creator is away.
    pub(super) lasts: bool,
    /// When a player's connection went last, or the machine began.
    pub(super) left_at: Millis,
    /// What is being stored, or read again.
    pub(super) flight: Option<Flight<C, R>>,
    /// Requests that wait for it.
    pub(super) queue: Queue<C, R>,
    pub(super) followers: Followers<C>,
    /// The last events, up to [`super::following::RECENT_MAX`]: most who come or come back need no more.
    pub(super) recent: VecDeque<Announcement>,
    /// In a rated match: events that watchers may not see yet. If anybody watches, their numbers have no gaps.
    pub(super) kept: VecDeque<Announcement>,
    /// In a rated match: the last event that watchers may see.
    pub(super) watched: Seq,
    /// In a rated match: the position that they may know of, once anybody has asked for it.
    pub(super) watched_board: Option<WatchedBoard>,
    /// Numbers the backlogs given out, so that an old one's end is not taken for a new one's.
    pub(super) backlogs: u64,
    /// Players who are gone, and of whom the log does not say so yet.
    pub(super) absences: Absences,
    /// What a game of a tournament asks of its players.
    pub(super) attendance: Attendance,
    /// When held clocks are started.
    pub(super) hold: Hold,
    /// Nothing is claimed before this moment: a player who has to find back is not away.
    pub(super) claims_from: Millis,
    /// What an offer of a rematch rests on.
    pub(super) offer: Offer,
    pub(super) thinking: Thinking,
    /// Time that a bot waits for its turn to think.
    pub(super) bot_time: BotTime,
    /// How long messages take to each player and back, as it was at the player's last move.
    pub(super) lag: [Millis; 2],
    /// Since when the store has refused to write: this time is given back to the players.
    pub(super) stalled_since: Option<Millis>,
    /// When the move or seat was received that was announced last, until it is seen whether that was late.
    pub(super) owed_since: Option<Millis>,
    /// When to look again at what could not be done.
    pub(super) retry_at: Option<Millis>,
    /// When to look at the log for events that another server stored; `None` while nothing says that there are any.
    pub(super) look_at: Option<Millis>,
    /// Connections that wait for a look at the log.
    pub(super) late: Vec<Late<C, R>>,
    /// Players who are connected to another server.
    pub(super) elsewhere: [bool; 2],
    /// Players whose server may be dead.
    pub(super) doubt: Doubt,
    /// What other servers have hinted at.
    pub(super) hints: Hints,
    /// The server is about to stop: nothing is decided without being asked.
    pub(super) draining: bool,
    /// The server is about to stop and leaves a player to the other servers: the clocks are to be held first.
    pub(super) hands_over: bool,
    /// The server stops once nothing waits.
    pub(super) stopping: bool,
    /// The log contradicts itself.
    pub(super) damaged: bool,
    /// The driver was asked to give everybody else a turn.
    pub(super) continuing: bool,
    /// The driver was told that nobody needs this any more.
    pub(super) done: bool,
}

impl<C: Clone + Eq, R> Machine<C, R> {
    /// A match that nobody follows yet. To be told [`super::Input::Time`] once, so that it begins.
    #[must_use]
    pub fn new(now: Millis, id: MatchId, policy: Arc<Policy>, beginning: Beginning) -> Self {
        let Beginning {
            referee,
            recent,
            invitation,
            lasts,
            address,
            origin,
        } = beginning;
        let live = referee.status() == Status::Live;
        let claims_from = match (origin, referee.claim_after()) {
            (Origin::Recovered { clocks_at }, Some(after)) => clocks_at.plus(after),
            // Here, too, players may have to find back.
            (Origin::Asked, Some(after)) if live => now.plus(after),
            _ => Millis(0),
        };
        // The first events of a match are the same for everybody.
        let before = referee.seq().0 - recent.len() as u64;
        let recent = (before + 1..)
            .zip(recent)
            .map(|(number, frame)| Announcement::same_for_all(Seq(number), frame));
        let owed = live && origin == Origin::Made && referee.ply() == Ply(0);
        let mut machine = Self {
            id,
            claims_from,
            hold: Hold::new(now, origin, &referee, &policy),
            offer: Offer::found(now, &referee, &policy),
            owed_since: owed.then(|| referee.last_at()),
            policy,
            referee,
            address,
            invitation,
            lasts,
            left_at: now,
            flight: None,
            queue: Queue::default(),
            followers: Followers::default(),
            recent: recent.collect(),
            kept: VecDeque::new(),
            watched: Seq(0),
            watched_board: None,
            backlogs: 0,
            absences: Absences::default(),
            attendance: Attendance::new(origin),
            thinking: Thinking::default(),
            bot_time: BotTime::default(),
            lag: [Millis(0); 2],
            stalled_since: None,
            retry_at: None,
            look_at: None,
            late: Vec::new(),
            elsewhere: [false; 2],
            doubt: Doubt::default(),
            hints: Hints::default(),
            draining: false,
            hands_over: false,
            stopping: false,
            damaged: false,
            continuing: false,
            done: false,
        };
        machine.watched = machine.watched_seq();
        machine.call_the_roll(now);
        machine
    }

    /// The match.
    #[must_use]
    pub fn id(&self) -> MatchId {
        self.id
    }

    /// Its state as far as it is stored.
    #[must_use]
    pub fn referee(&self) -> &Referee {
        &self.referee
    }

    /// The newest event.
    #[must_use]
    pub fn seq(&self) -> Seq {
        self.referee.seq()
    }

    /// Moves made.
    #[must_use]
    pub fn ply(&self) -> Ply {
        self.referee.ply()
    }

    /// Whether the player of this seat follows the match at a connection.
    #[must_use]
    pub fn is_connected(&self, seat: Seat) -> bool {
        self.followers.holds(seat)
    }

    /// How often a connection has taken this seat, and when last.
    #[must_use]
    pub fn taken(&self, seat: Seat) -> (u64, Millis) {
        self.followers.taken(seat)
    }

    /// Whether the player of this seat is connected to another server.
    #[must_use]
    pub fn is_elsewhere(&self, seat: Seat) -> bool {
        self.elsewhere[seat.index()]
    }

    /// Whether anybody without a seat follows the match.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.followers.is_watched()
    }

    /// Whether nobody needs this machine any more: [`super::Effect::Done`] was the last word on it.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The connections that follow the match, with their seats.
    pub fn followers_now(&self) -> impl Iterator<Item = (&C, Option<Seat>)> {
        self.followers.iter()
    }

    /// How many connections follow the match.
    #[must_use]
    pub fn followers(&self) -> usize {
        self.followers.len()
    }

    /// The join code and when it expires, while the match waits for the other player.
    #[must_use]
    pub fn invitation(&self) -> Option<(JoinCode, Millis)> {
        self.invitation
            .filter(|_| self.referee.status() == Status::Waiting)
    }

    /// Whether this seat is a person's.
    pub(super) fn is_person(&self, seat: Seat) -> bool {
        let player = self.referee.player(seat);
        player.is_some_and(|player| builtin::bot_of(player).is_none())
    }

    /// Whether this seat's player follows the match at a connection of any server.
    pub(super) fn is_followed_from(&self, seat: Seat) -> bool {
        self.followers.holds(seat) || self.is_elsewhere(seat)
    }

    /// Whether this server itself takes the moves of this seat: its player is connected here, or is a built-in bot.
    pub(super) fn is_served_here(&self, seat: Seat) -> bool {
        self.followers.holds(seat) || (self.referee.player(seat).is_some() && !self.is_person(seat))
    }

    /// Whether this seat's player is connected to any server, as far as this one knows; a built-in bot always is.
    pub(super) fn is_here(&self, seat: Seat) -> bool {
        self.is_served_here(seat) || self.is_elsewhere(seat)
    }

    /// The player who sits there; both seats are taken once the match has begun.
    pub(super) fn player_id(&self, seat: Seat) -> Option<PlayerId> {
        self.referee.player(seat).map(|player| player.id)
    }
}
