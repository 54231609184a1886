//! One match as a pure machine: commands in, events or a typed refusal out.
//!
//! A [`Referee`] is the fold of a match's events and nothing else: [`Referee::handle`] decides what follows from a
//! command and changes nothing; the caller stores those events and then gives the [`Ruling`] to [`Referee::accept`]. Events
//! from elsewhere go to [`Referee::apply`], which checks the laws of a log. Time is passed in with each command and never goes
//! backwards within a match.

mod accept;
mod agreeing;
mod claims;
mod clock;
mod command;
mod decision;
mod limits;
mod log;
mod planning;
mod plans;
mod proposals;
mod read_plan;
mod refusal;
mod repetition;
mod ruling;
mod series;
mod time_control;

use std::collections::BTreeMap;
use std::fmt;

pub use command::{Command, Decision, Judged, Terms};
pub use limits::{
    ADJOURN_MS, CLAIM_AFTER_MS, CLAIM_AFTER_UNTIMED_MS, CLAIM_BYTES, CLAIM_CLOCKS_BELOW_MS,
    CLAIM_NODES, MOVE_BYTES_MAX, MOVE_OVERHEAD, MOVES_BYTES_MAX, OFFERS_MAX, PAUSE_MS, PAUSES_MAX,
    PLAN_CLOCKS_FROM_MS, PLAN_LINES_MAX, PLAN_MOVES_MAX, PLAN_TEXT_MAX, PLANS_MAX,
    POSITION_BYTES_MAX, PROPOSALS_MAX, RESUMES_MAX, SERIES_MAX, START_BYTES_MAX,
    TAKEBACK_PLIES_MAX,
};
pub use log::{BrokenLaw, ReplayError};
pub use proposals::Open;
pub use read_plan::ReadPlan;
pub use refusal::Refusal;
pub use ruling::{Ruling, StaleRuling};
pub use time_control::{
    BASE_MS, DELAY_MS, INCREMENT_MS, MAIN_MS, MOVE_MS, PERIOD_MS, PERIODS, TimeControlError,
};

use clock::MatchClock;
use limits::{FIRST_MOVE_CLOCKS_BELOW_MS, FIRST_MOVE_MS};
use plans::Plans;
use proposals::Proposals;
use repetition::Repetitions;

use crate::event::{
    Clocks, EndReason, Event, Outcome, PlayerInfo, Series, TimeControl, TournamentGame,
};
use crate::ids::{ClientMoveId, MatchId, Millis, PlayerId, Ply, Seat, Seq};
use crate::position::Position;

/// Where a match stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// One seat is free.
    Waiting,
    /// The match is being played.
    Live,
    /// The match is over.
    Over,
}

/// How far the players of a finished match are with another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rematch {
    /// Nobody has offered.
    None,
    /// This player has.
    Offered(Seat),
    /// The other has accepted: this is the new match.
    Accepted(MatchId),
}

/// A move that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The event it is.
    pub seq: Seq,
    /// When it was received.
    pub at: Millis,
    /// The move, canonical.
    pub text: String,
    /// The client's own name for it.
    pub client_move_id: Option<ClientMoveId>,
    /// Time left to both after it; `None` when untimed.
    pub clocks: Option<Clocks>,
    /// How often the mover asked the program for a hint or a reason before it, as the client said.
    pub hints: u32,
}

/// The state of one match: the fold of its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Referee {
    control: TimeControl,
    start: Position,
    created_at: Millis,
    rematch_of: Option<MatchId>,
    series: Option<Series>,
    /// Time for the first move.
    first_move: Option<Millis>,
    /// How many moves have that limit: 1 for the first player's first move, 2 for each player's first move.
    first_moves: usize,
    /// The game of a tournament that it is.
    tournament: Option<TournamentGame>,
    /// Where the player who created the match sits.
    creator: Seat,
    players: [Option<PlayerInfo>; 2],
    online: [bool; 2],
    /// Since when each player has been here, or away.
    presence_since: [Millis; 2],
    /// Since when the player to move could do so.
    turn_since: Millis,
    position: Position,
    /// The end that the last move has brought.
    ended_by_rule: Option<(Outcome, EndReason)>,
    /// The position before the last move of each player.
    before_last: [Option<Position>; 2],
    repetitions: Repetitions,
    moves: Vec<Played>,
    /// What the moves count against [`MOVES_BYTES_MAX`].
    moves_bytes: usize,
    /// Which move each player made under which name.
    move_ids: [BTreeMap<ClientMoveId, Ply>; 2],
    clock: Option<MatchClock>,
    proposals: Proposals,
    plans: Plans,
    /// Moves that were taken back, with their numbers, in the order in which that happened.
    taken_back: Vec<(Ply, Played)>,
    ended: Option<(Outcome, EndReason)>,
    rematch: Rematch,
    /// Offers of a rematch so far, at most [`OFFERS_MAX`].
    offers: u8,
    seq: Seq,
    last_at: Millis,
}

/// How a match is opened, besides its terms.
#[derive(Default)]
struct Opened {
    /// The start, if it was read before.
    start: Option<Position>,
    /// Whether the clocks are held.
    hold: bool,
    first_move_ms: Option<Millis>,
    tournament: Option<TournamentGame>,
}

impl Referee {
    /// Opens a match: the state and its first event, already applied.
    ///
    /// # Errors
    /// The position does not parse, has no move or is too long; the clock is out of bounds.
    pub fn create(
        terms: Terms,
        creator: PlayerInfo,
        seat: Seat,
        now: Millis,
    ) -> Result<(Self, Vec<Event>), Refusal> {
        let how = Opened {
            first_move_ms: first_move_limit(&terms),
            ..Opened::default()
        };
        Self::open(terms, creator, seat, now, how)
    }

    /// The same from a start that was read before; the text of the terms is not read. With `hold` the clocks are held as in [`Referee::create_held`].
    ///
    /// # Errors
    /// As [`Referee::create`].
    pub fn create_from(
        start: Position,
        terms: Terms,
        creator: PlayerInfo,
        seat: Seat,
        now: Millis,
        hold: bool,
    ) -> Result<(Self, Vec<Event>), Refusal> {
        let how = Opened {
            start: Some(start),
            hold,
            first_move_ms: first_move_limit(&terms),
            tournament: None,
        };
        Self::open(terms, creator, seat, now, how)
    }

    /// The same for players at one keyboard: nobody waits elsewhere for the first move.
    ///
    /// # Errors
    /// As [`Referee::create`].
    pub fn create_here(
        terms: Terms,
        creator: PlayerInfo,
        seat: Seat,
        now: Millis,
    ) -> Result<(Self, Vec<Event>), Refusal> {
        Self::open(terms, creator, seat, now, Opened::default())
    }

    /// The same with clocks that are held until [`Command::StartClock`], for a match whose players have yet to hear of it.
    ///
    /// # Errors
    /// As [`Referee::create`].
    pub fn create_held(
        terms: Terms,
        creator: PlayerInfo,
        seat: Seat,
        now: Millis,
    ) -> Result<(Self, Vec<Event>), Refusal> {
        let how = Opened {
            hold: true,
            first_move_ms: first_move_limit(&terms),
            ..Opened::default()
        };
        Self::open(terms, creator, seat, now, how)
    }

    /// Opens a game of a tournament: both players are seated, and the clocks are held until [`Command::StartClock`].
    ///
    /// # Errors
    /// As [`Self::create`]; [`Refusal::OwnMatch`] if both players are one.
    pub fn create_for_tournament(
        terms: Terms,
        game: TournamentGame,
        [first, second]: [PlayerInfo; 2],
        now: Millis,
    ) -> Result<(Self, Vec<Event>), Refusal> {
        let how = Opened {
            hold: true,
            tournament: Some(game),
            ..Opened::default()
        };
        let (mut referee, mut events) = Self::open(terms, first, Seat::First, now, how)?;
        let joined = Event::Joined {
            at_ms: now,
            seat: Seat::Second,
            player: second,
        };
        referee.apply(&joined).map_err(|_| Refusal::OwnMatch)?;
        events.push(joined);
        Ok((referee, events))
    }

    fn open(
        terms: Terms,
        creator: PlayerInfo,
        seat: Seat,
        now: Millis,
        how: Opened,
    ) -> Result<(Self, Vec<Event>), Refusal> {
        let Opened {
            start,
            hold,
            first_move_ms,
            tournament,
        } = how;
        terms.clock.check()?;
        let rated = terms.series.is_some_and(|series| series.rated);
        if rated && terms.clock == (TimeControl::Untimed {}) {
            return Err(Refusal::RatedNeedsClock);
        }
        let start = match start {
            Some(start) => start,
            None => Position::parse(&terms.position)?,
        };
        if start.is_over(Seat::First) {
            return Err(Refusal::FinishedStart {
                position: start.to_string(),
            });
        }
        let position = start.to_string();
        let length = position.len();
        if length > START_BYTES_MAX {
            return Err(Refusal::StartTooLong { length });
        }
        let length = start.wide_move_bytes(Seat::First);
        if length > MOVE_BYTES_MAX {
            return Err(Refusal::MovesTooLong { length });
        }
        let created = Event::Created {
            at_ms: now,
            position,
            clock: terms.clock,
            creator,
            seat,
            rematch_of: terms.rematch_of,
            series: terms.series,
            held: hold && terms.clock != TimeControl::Untimed {},
            first_move_ms,
            first_move_of_both: first_move_ms.is_some(),
            tournament,
        };
        let referee = Self::created(&created, Some(start))
            .expect("the terms were checked by the laws of a first event");
        Ok((referee, vec![created]))
    }

    /// Opens the rematch `new_id` of this finished match, `own_id`: same start and clock, sides swapped, both players seated; of a rated pair
    /// another one. With
    /// `hold` the clocks are held until [`Command::StartClock`], so that nobody's runs in a match that a player has not seen yet.
    ///
    /// # Errors
    /// [`Refusal::NotOver`], or [`Refusal::NotStarted`] if there never were two players.
    pub fn create_rematch(
        &self,
        own_id: MatchId,
        new_id: MatchId,
        now: Millis,
        hold: bool,
    ) -> Result<(Self, Vec<Event>), Refusal> {
        if !self.seated() {
            return Err(Refusal::NotStarted);
        }
        if self.ended.is_none() {
            return Err(Refusal::NotOver);
        }
        let terms = Terms {
            position: self.start.to_string(),
            clock: self.control,
            rematch_of: Some(own_id),
            series: self.series.and_then(|series| series.again(new_id)),
        };
        self.open_swapped(terms, now, hold)
    }

    /// How many events the match has: the number of the last one.
    #[must_use]
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// How many moves have been made.
    #[must_use]
    pub fn ply(&self) -> Ply {
        Ply(u32::try_from(self.moves.len()).expect("a move is an event in memory: fewer than 2^32"))
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position after this many of the moves that stand. O(moves), each played once; the current position is only copied.
    #[must_use]
    pub fn position_after(&self, ply: Ply) -> Position {
        if ply >= self.ply() {
            return self.position.clone();
        }
        self.play_on(self.start.clone(), Ply(0), ply)
    }

    /// The position after `to` moves, from that after `from` moves. O(moves between them).
    #[must_use]
    pub fn play_on(&self, mut position: Position, from: Ply, to: Ply) -> Position {
        let played = self.moves.iter().skip(from.0 as usize);
        for (number, played) in (from.0..to.0).zip(played) {
            let mv = position.parse_move(Seat::to_move_at(Ply(number)), &played.text);
            position = position.play(&mv.expect("the move was made here"));
        }
        position
    }

    /// Time left to both players after this many of the moves that stand, or at the start; `None` if the match is untimed.
    #[must_use]
    pub fn clocks_after(&self, ply: Ply) -> Option<Clocks> {
        let last = (ply.0 as usize).checked_sub(1);
        match last.and_then(|last| self.moves.get(last)) {
            Some(played) => played.clocks,
            None => MatchClock::new(self.control, false).map(|clock| clock.before_turn()),
        }
    }

    /// The position at the start.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// When the match was created.
    #[must_use]
    pub fn created_at(&self) -> Millis {
        self.created_at
    }

    /// When the last event happened: no later event is earlier.
    #[must_use]
    pub fn last_at(&self) -> Millis {
        self.last_at
    }

    /// The match that this one is the rematch of.
    #[must_use]
    pub fn rematch_of(&self) -> Option<MatchId> {
        self.rematch_of
    }

    /// The game of a tournament that this match is.
    #[must_use]
    pub fn tournament(&self) -> Option<TournamentGame> {
        self.tournament
    }

    /// Whose turn it is, or would be if the match went on.
    #[must_use]
    pub fn to_move(&self) -> Seat {
        Seat::to_move_at(self.ply())
    }

    /// The seat of this player, if it has one.
    #[must_use]
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        Seat::BOTH
            .into_iter()
            .find(|seat| self.player(*seat).is_some_and(|info| info.id == player))
    }

    /// Who sits there; `None` while the seat is free.
    #[must_use]
    pub fn player(&self, seat: Seat) -> Option<&PlayerInfo> {
        self.players[seat.index()].as_ref()
    }

    /// How much time the players have in all.
    #[must_use]
    pub fn clock_control(&self) -> TimeControl {
        self.control
    }

    /// Time left to both at this moment, never below zero; `None` when untimed. It stands while the match waits and once it is over.
    #[must_use]
    pub fn clocks_at(&self, now: Millis) -> Option<Clocks> {
        self.clock.as_ref().map(|clock| clock.left_at(now))
    }

    /// The moment at which the player to move loses on time, or the match is called off for want of a first move: send
    /// [`Command::ClockCheck`] then. `None` while no clock runs.
    #[must_use]
    pub fn deadline(&self) -> Option<Millis> {
        self.clock.as_ref()?.deadline(self.first_move_limit())
    }

    /// How much of this time [`Command::Outage`] would give back to the player to move: no more than has passed in the turn. Nothing while
    /// no clock runs.
    #[must_use]
    pub fn creditable(&self, away: Millis, now: Millis) -> Millis {
        let clock = self.clock.as_ref();
        clock.map_or(Millis(0), |clock| clock.creditable(away, now))
    }

    /// How long the player to move may take for that player's first move, counted once both players are seated. After that the match is
    /// called off. `None` if there is no such limit, or it no longer applies.
    #[must_use]
    pub fn first_move_limit(&self) -> Option<Millis> {
        let people = self.players.iter().flatten().filter(|player| !player.bot);
        let begins = self.moves.len() < self.first_moves && self.taken_back.is_empty();
        let begins = begins && people.count() == 2;
        self.first_move.filter(|_| begins && self.ended.is_none())
    }

    /// Whether this player's clock is held: it stands still, also in the player's turn, until it is started or the player moves.
    #[must_use]
    pub fn is_held(&self, seat: Seat) -> bool {
        self.clock
            .as_ref()
            .is_some_and(|clock| clock.can_release(seat))
    }

    /// Who won and how, once the match is over.
    #[must_use]
    pub fn outcome(&self) -> Option<(Outcome, EndReason)> {
        self.ended
    }

    /// Where the match stands.
    #[must_use]
    pub fn status(&self) -> Status {
        if self.ended.is_some() {
            Status::Over
        } else if self.players.iter().all(Option::is_some) {
            Status::Live
        } else {
            Status::Waiting
        }
    }

    /// Whether this player was connected when last heard of; taking a seat counts as being there. Not followed once the match is over.
    #[must_use]
    pub fn online(&self, seat: Seat) -> bool {
        self.online[seat.index()]
    }

    /// The moves made, in order: move `n` of the match is at index `n - 1`.
    #[must_use]
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// Moves that were taken back, with their numbers: at most two for each proposal.
    #[must_use]
    pub fn taken_back(&self) -> &[(Ply, Played)] {
        &self.taken_back
    }

    /// How far the players are with a rematch.
    #[must_use]
    pub fn rematch(&self) -> Rematch {
        self.rematch
    }

    /// Both players, once both seats are taken.
    fn seated(&self) -> bool {
        self.players.iter().all(Option::is_some)
    }

    /// What has come about by itself at this moment: the rules have ended the match, or a flag has fallen.
    fn due_end(&self, now: Millis) -> Option<(Outcome, EndReason)> {
        if self.status() != Status::Live {
            return None;
        }
        self.ended_by_rule.or_else(|| {
            self.deadline()
                .is_some_and(|deadline| now >= deadline)
                .then(|| match self.first_move_limit() {
                    Some(_) => (Outcome::Void, EndReason::NoStart),
                    None => (Outcome::win_of(self.to_move().other()), EndReason::Time),
                })
        })
    }

    /// Time left to both after a move made now.
    fn clocks_after_move(&self, now: Millis) -> Option<Clocks> {
        self.clock.as_ref().map(|clock| clock.after_move(now))
    }

    /// The most that this player's clock may wait for the network when the next turn begins: nothing if there is no clock.
    fn lag_allowed(&self, seat: Seat) -> Millis {
        let clock = self.clock.as_ref();
        clock.map_or(Millis(0), |clock| clock.lag_allowed(seat))
    }

    /// What it means for the match that its next move, of so many bytes, leads to this position: the rules end it there, it came
    /// too often, it or the moves from it can no longer be sent, or the match has become too long. O(length).
    fn end_by_rule(
        &self,
        move_bytes: usize,
        position: &Position,
        to_move: Seat,
    ) -> Option<(Outcome, EndReason)> {
        if let Some(winner) = position.winner_if_over(to_move) {
            return Some((Outcome::win_of(winner), EndReason::LastMove));
        }
        if self.repetitions.draws(position, to_move) {
            return Some((Outcome::Draw, EndReason::Repetition));
        }
        let outgrown = written_length(position) > POSITION_BYTES_MAX
            || position.wide_move_bytes(to_move) > MOVE_BYTES_MAX
            || self.moves_bytes + MOVE_OVERHEAD + move_bytes > MOVES_BYTES_MAX;
        outgrown.then_some((Outcome::Void, EndReason::Outgrown))
    }
}

/// Limit for each player's first move in a match on these terms. In rated pairs and later games of a series, a player who does not begin loses on time.
fn first_move_limit(terms: &Terms) -> Option<Millis> {
    let time = terms.clock.for_first_move()?;
    let may_be_left = terms
        .series
        .is_none_or(|series| series.game == 1 && !series.rated);
    (may_be_left && time < FIRST_MOVE_CLOCKS_BELOW_MS).then_some(FIRST_MOVE_MS.min(time))
}

/// Bytes that something has, written out; nothing is allocated.
fn written_length(what: &impl fmt::Display) -> usize {
    struct Counted(usize);
    impl fmt::Write for Counted {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.len();
            Ok(())
        }
    }
    let mut counted = Counted(0);
    // Counting never fails.
    let _ = fmt::Write::write_fmt(&mut counted, format_args!("{what}"));
    counted.0
}
