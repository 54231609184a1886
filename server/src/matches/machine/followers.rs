//! Who follows a match, and how far each has come.
//!
//! Players are told at once. Watchers, who may be a thousand, are told in portions, between which everybody else has a
//! turn: an event that a crowd watches does not hold up other matches.

use std::collections::VecDeque;

use grundy_shared::ids::{MatchId, Millis, Seat};
use grundy_shared::protocol::Notice;

use super::effect::Effect;
use crate::matches::frame::Frame;
use crate::matches::sight::Announcement;
use crate::planted;

/// Watchers told at a time: each is a system call in the turn that follows, and takes about 9 microseconds. A thousand are told within half a
/// second; with 12 at a time the players of the match would notice them.
pub(super) const PORTION: usize = 6;
/// Events that some watchers have and others have not. At the next one all are told at once.
pub(super) const UNTOLD_MAX: usize = 32;

/// One connection that follows a match.
#[derive(Debug)]
struct Follower<C> {
    connection: C,
    /// The seat that this connection has; `None` for a watcher.
    seat: Option<Seat>,
    pace: Pace,
    /// Announcements that it has, of all there were.
    told: u64,
}

/// How a follower gets its events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pace {
    /// Each as it happens.
    Live,
    /// It still reads the backlog of this number from the log, and says when it is done.
    Reading(u64),
    /// A watcher that was too slow: it gets a snapshot when its queue is empty.
    Lagging,
}

/// The connections that follow one match; one at most for each seat.
#[derive(Debug)]
pub(super) struct Followers<C> {
    list: Vec<Follower<C>>,
    /// How often each seat was taken, and when last.
    taken: [(u64, Millis); 2],
    /// Announcements so far.
    announced: u64,
    /// The last of them, those that not all watchers have.
    untold: VecDeque<Frame>,
    /// Where in the list the next portion begins.
    next: usize,
    /// Announcements that all before `next` have: as many as there were when the round through the list began.
    round: u64,
}

impl<C> Default for Followers<C> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            taken: [(0, Millis(0)); 2],
            announced: 0,
            untold: VecDeque::new(),
            next: 0,
            round: 0,
        }
    }
}

impl<C: Clone + Eq> Followers<C> {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Who follows, with which seat.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&C, Option<Seat>)> {
        let list = self.list.iter();
        list.map(|follower| (&follower.connection, follower.seat))
    }

    /// How many follow.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    fn get_mut(&mut self, connection: &C) -> Option<&mut Follower<C>> {
        self.list
            .iter_mut()
            .find(|follower| follower.connection == *connection)
    }

    /// The pace of a connection and its seat, if it follows.
    pub(super) fn get(&self, connection: &C) -> Option<(Pace, Option<Seat>)> {
        self.list
            .iter()
            .find(|follower| follower.connection == *connection)
            .map(|follower| (follower.pace, follower.seat))
    }

    /// Changes the pace of a connection; one that becomes live has everything that was announced.
    pub(super) fn set_pace(&mut self, connection: &C, pace: Pace) {
        let announced = self.announced;
        if let Some(follower) = self.get_mut(connection) {
            follower.pace = pace;
            follower.told = announced;
        }
    }

    /// Whether this seat's player is connected.
    pub(super) fn holds(&self, seat: Seat) -> bool {
        self.list.iter().any(|follower| follower.seat == Some(seat))
    }

    /// The connections of both players.
    pub(super) fn seated(&self) -> impl Iterator<Item = (Seat, &C)> {
        self.list
            .iter()
            .filter_map(|follower| follower.seat.map(|seat| (seat, &follower.connection)))
    }

    /// Adds a connection, which has everything that was announced or reads it from the log. An older entry of it goes, and
    /// the seat it had is returned; another connection that has its seat is told that it lost it.
    pub(super) fn add<R>(
        &mut self,
        now: Millis,
        match_id: MatchId,
        connection: C,
        seat: Option<Seat>,
        pace: Pace,
        effects: &mut Vec<Effect<C, R>>,
    ) -> Option<Seat> {
        let left = self.remove(&connection);
        if let Some(seat) = seat {
            self.supersede(match_id, seat, effects);
            let (times, at) = &mut self.taken[seat.index()];
            (*times, *at) = (*times + 1, now);
        }
        self.list.push(Follower {
            connection,
            seat,
            pace,
            told: self.announced,
        });
        left.flatten()
    }

    /// The player of this seat has a newer connection: the one that has it here, if there is one, is told that it lost it.
    pub(super) fn supersede<R>(
        &mut self,
        match_id: MatchId,
        seat: Seat,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let mut list = self.list.iter();
        if let Some(at) = list.position(|follower| follower.seat == Some(seat)) {
            let older = self.take(at).connection;
            effects.push(Effect::Send {
                to: older.clone(),
                frame: Frame::notice(&Notice::Superseded { match_id }),
                seated: true,
            });
            effects.push(Effect::Unfollow(older));
        }
    }

    /// How often this seat was taken, and when last.
    pub(super) fn taken(&self, seat: Seat) -> (u64, Millis) {
        self.taken[seat.index()]
    }

    /// Lets those go who have heard everything of a match in which nothing more can happen.
    pub(super) fn release<R>(&mut self, effects: &mut Vec<Effect<C, R>>) {
        self.tell_all(effects);
        self.list.retain(|follower| {
            let goes = follower.pace == Pace::Live;
            if goes {
                effects.push(Effect::Unfollow(follower.connection.clone()));
            }
            !goes
        });
    }

    /// Lets everybody go.
    pub(super) fn dismiss<R>(&mut self, effects: &mut Vec<Effect<C, R>>) {
        for follower in std::mem::take(self).list {
            effects.push(Effect::Unfollow(follower.connection));
        }
    }

    /// Takes a connection off the list: `None` if it was not there, else the seat it had, if it had one.
    pub(super) fn remove(&mut self, connection: &C) -> Option<Option<Seat>> {
        let mut list = self.list.iter();
        let at = list.position(|follower| follower.connection == *connection)?;
        Some(self.take(at).seat)
    }

    /// Keeps the order, so that the round through the list leaves nobody out.
    fn take(&mut self, at: usize) -> Follower<C> {
        if at < self.next {
            self.next -= 1;
        }
        self.list.remove(at)
    }

    /// Sends an event to both players.
    pub(super) fn tell_players<R>(
        &self,
        announcement: &Announcement,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        for follower in self.list.iter().filter(|follower| follower.seat.is_some()) {
            if !planted::shows("skip_player", 20) {
                let frame = announcement.for_seat(follower.seat);
                follower.send(std::iter::once(frame), effects);
            }
        }
    }

    /// Queues an event for the watchers, who receive it from [`Followers::tell_some`].
    pub(super) fn tell_watchers<R>(&mut self, frame: Frame, effects: &mut Vec<Effect<C, R>>) {
        if self.untold.len() == UNTOLD_MAX {
            self.tell_all(effects);
        }
        self.announced += 1;
        let behind = self.is_behind();
        if !behind && !self.is_watched() {
            return;
        }
        if !behind {
            (self.next, self.round) = (0, self.announced);
        }
        self.untold.push_back(frame);
    }

    /// Whether anybody without a seat follows the match.
    pub(super) fn is_watched(&self) -> bool {
        self.list.iter().any(|follower| follower.seat.is_none())
    }

    /// The watchers that receive each event as it happens.
    pub(super) fn live_watchers(&self) -> impl Iterator<Item = &C> {
        let live = |follower: &&Follower<C>| follower.seat.is_none() && follower.pace == Pace::Live;
        let list = self.list.iter().filter(live);
        list.map(|follower| &follower.connection)
    }

    /// Whether a watcher has not been told everything.
    pub(super) fn is_behind(&self) -> bool {
        !self.untold.is_empty()
    }

    /// Tells the next few watchers what they miss; the text is shared.
    pub(super) fn tell_some<R>(&mut self, effects: &mut Vec<Effect<C, R>>) {
        if !self.is_behind() {
            return;
        }
        let oldest = self.announced - self.untold.len() as u64;
        for _ in 0..PORTION {
            let Some(follower) = self.list.get_mut(self.next) else {
                // All have what was announced before this round began.
                self.untold.drain(..(self.round - oldest) as usize);
                (self.next, self.round) = (0, self.announced);
                return;
            };
            self.next += 1;
            if follower.seat.is_none() {
                // What is not kept here any more, everybody has.
                let mut has = follower.told.saturating_sub(oldest) as usize;
                if planted::shows("skip_watcher", 8) {
                    has += 1;
                }
                follower.told = self.announced;
                follower.send(self.untold.iter().skip(has), effects);
            }
        }
    }

    /// Tells every watcher everything. Cost: linear in the followers.
    pub(super) fn tell_all<R>(&mut self, effects: &mut Vec<Effect<C, R>>) {
        while self.is_behind() {
            self.tell_some(effects);
        }
    }
}

impl<C: Clone> Follower<C> {
    /// Sends events to one who is live.
    fn send<'a, R>(
        &self,
        frames: impl Iterator<Item = &'a Frame>,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        if self.pace != Pace::Live {
            return;
        }
        effects.extend(frames.map(|frame| Effect::Send {
            to: self.connection.clone(),
            frame: frame.clone(),
            seated: self.seat.is_some(),
        }));
    }
}
