//! Who follows a match, and how far each has come.
//!
//! Players are told at once. Watchers, who may be a thousand, are told in portions, between which everybody else has a
//! turn: an event that a crowd watches does not hold up other matches.

use std::collections::VecDeque;

use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::protocol::Notice;

use super::outbox::{ConnectionId, Frame, Outbox, Outgoing, PushError};

/// Watchers told at a time: each is a system call in the turn that follows.
const PORTION: usize = 8;
/// Events that some watchers have and others have not. At the next one all are told at once.
const UNTOLD_MAX: usize = 8;

/// One connection that follows a match.
#[derive(Debug)]
pub(super) struct Viewer {
    pub(super) outbox: Outbox,
    /// The seat that this connection has; `None` for a watcher.
    seat: Option<Seat>,
    pace: Pace,
    /// Announcements that it has, of all there were.
    told: u64,
}

/// How a viewer gets its events.
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
#[derive(Debug, Default)]
pub(super) struct Viewers {
    list: Vec<Viewer>,
    /// Announcements so far.
    announced: u64,
    /// The last of them, those that not all watchers have.
    untold: VecDeque<Frame>,
    /// Where in the list the next portion begins.
    next: usize,
    /// Announcements that all before `next` have: as many as there were when the round through the list began.
    round: u64,
}

impl Viewers {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn get_mut(&mut self, id: ConnectionId) -> Option<&mut Viewer> {
        self.list.iter_mut().find(|viewer| viewer.outbox.id() == id)
    }

    /// The pace of a connection, and the way to it.
    pub(super) fn get(&self, id: ConnectionId) -> Option<(Pace, &Outbox)> {
        let viewer = self.list.iter().find(|viewer| viewer.outbox.id() == id)?;
        Some((viewer.pace, &viewer.outbox))
    }

    /// Changes the pace of a connection; one that becomes live has everything that was announced.
    pub(super) fn set_pace(&mut self, id: ConnectionId, pace: Pace) {
        let announced = self.announced;
        if let Some(viewer) = self.get_mut(id) {
            viewer.pace = pace;
            viewer.told = announced;
        }
    }

    pub(super) fn holds(&self, seat: Seat) -> bool {
        self.list.iter().any(|viewer| viewer.seat == Some(seat))
    }

    /// The connections of both players.
    pub(super) fn seated(&self) -> impl Iterator<Item = (Seat, &Outbox)> {
        self.list
            .iter()
            .filter_map(|viewer| viewer.seat.map(|seat| (seat, &viewer.outbox)))
    }

    /// Adds a connection, which has everything that was announced or reads it from the log. An older entry of it goes, and
    /// the seat it had is returned; another connection that has its seat is told that it lost it.
    pub(super) fn add(
        &mut self,
        match_id: MatchId,
        outbox: Outbox,
        seat: Option<Seat>,
        pace: Pace,
    ) -> Option<Seat> {
        let left = self.remove(outbox.id());
        if seat.is_some()
            && let Some(at) = self.list.iter().position(|viewer| viewer.seat == seat)
        {
            let older = self.take(at).outbox;
            let notice = Frame::notice(&Notice::Superseded { match_id });
            older.push_or_close(Outgoing::Frame(notice));
            older.push_or_close(Outgoing::Unfollow(match_id));
        }
        self.list.push(Viewer {
            outbox,
            seat,
            pace,
            told: self.announced,
        });
        left
    }

    /// Lets those go who have heard everything of a match in which nothing more can happen.
    pub(super) fn release(&mut self, match_id: MatchId) {
        self.tell_all();
        self.list.retain(|viewer| {
            viewer.pace != Pace::Live
                || viewer.outbox.push(Outgoing::Unfollow(match_id)) == Err(PushError::Full)
        });
    }

    /// Lets everybody go.
    pub(super) fn dismiss(&mut self, match_id: MatchId) {
        for viewer in std::mem::take(self).list {
            let unfollow = Outgoing::Unfollow(match_id);
            viewer.outbox.push_or_close(unfollow);
        }
    }

    /// Takes a connection off the list; the seat it had, if it had one.
    pub(super) fn remove(&mut self, id: ConnectionId) -> Option<Seat> {
        let at = self
            .list
            .iter()
            .position(|viewer| viewer.outbox.id() == id)?;
        self.take(at).seat
    }

    /// Keeps the order, so that the round through the list leaves nobody out.
    fn take(&mut self, at: usize) -> Viewer {
        if at < self.next {
            self.next -= 1;
        }
        self.list.remove(at)
    }

    /// Sends an event to both players, and keeps it for the watchers: [`Viewers::tell_some`].
    pub(super) fn announce(&mut self, frame: &Frame) {
        if self.untold.len() == UNTOLD_MAX {
            self.tell_all();
        }
        self.announced += 1;
        let mut watched = self.is_behind();
        for viewer in &mut self.list {
            match viewer.seat {
                None => watched = true,
                Some(_) => viewer.send(std::iter::once(frame)),
            }
        }
        if !watched {
            return;
        }
        if !self.is_behind() {
            (self.next, self.round) = (0, self.announced);
        }
        self.untold.push_back(frame.clone());
    }

    /// Whether a watcher has not been told everything.
    pub(super) fn is_behind(&self) -> bool {
        !self.untold.is_empty()
    }

    /// Tells the next few watchers what they miss; the text is shared.
    pub(super) fn tell_some(&mut self) {
        if !self.is_behind() {
            return;
        }
        let oldest = self.announced - self.untold.len() as u64;
        for _ in 0..PORTION {
            let Some(viewer) = self.list.get_mut(self.next) else {
                // All have what was announced before this round began.
                self.untold.drain(..(self.round - oldest) as usize);
                (self.next, self.round) = (0, self.announced);
                return;
            };
            self.next += 1;
            if viewer.seat.is_none() {
                // What is not kept here any more, everybody has.
                let has = viewer.told.saturating_sub(oldest) as usize;
                viewer.told = self.announced;
                viewer.send(self.untold.iter().skip(has));
            }
        }
    }

    /// Tells every watcher everything. Cost: linear in the viewers.
    pub(super) fn tell_all(&mut self) {
        while self.is_behind() {
            self.tell_some();
        }
    }
}

impl Viewer {
    /// Puts events into the queue of who is live.
    fn send<'a>(&mut self, frames: impl Iterator<Item = &'a Frame>) {
        for frame in frames {
            if self.pace != Pace::Live {
                return;
            }
            // A connection that is gone takes its leave by an order of its own.
            if self.outbox.push(Outgoing::Frame(frame.clone())) == Err(PushError::Full) {
                self.pace = Pace::Lagging;
                match self.seat {
                    Some(_) => self.outbox.overflow(),
                    None => self.outbox.mark_lagging(),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use grundy_shared::ids::Seq;
    use proptest::prelude::*;

    use super::super::outbox::{OutboxReader, outbox};
    use super::*;

    fn match_id() -> MatchId {
        MatchId::from_random(7)
    }

    fn frame(number: u64) -> Frame {
        Frame::event(match_id(), Seq(number), "{}")
    }

    fn read(queue: &mut OutboxReader) -> Vec<bytes::Bytes> {
        std::iter::from_fn(|| queue.try_next())
            .map(|item| match item {
                Outgoing::Frame(frame) => frame.into_bytes(),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[derive(Clone, Debug)]
    enum Step {
        Add(Option<Seat>),
        Remove(usize),
        Announce,
        Tell,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            6 => Just(Step::Add(None)),
            1 => Just(Step::Add(Some(Seat::First))),
            2 => any::<usize>().prop_map(Step::Remove),
            3 => Just(Step::Announce),
            3 => Just(Step::Tell),
        ]
    }

    proptest! {
        #[test]
        fn each_viewer_gets_each_event_once_and_in_order(steps in prop::collection::vec(step(), 0..150)) {
            let mut viewers = Viewers::default();
            let mut there: Vec<(ConnectionId, OutboxReader, u64)> = Vec::new();
            let mut announced = 0;
            for step in steps {
                match step {
                    Step::Add(seat) if seat.is_none_or(|seat| !viewers.holds(seat)) => {
                        let (outbox, queue) = outbox(10_000, 1 << 20, Default::default());
                        there.push((outbox.id(), queue, announced));
                        viewers.add(match_id(), outbox, seat, Pace::Live);
                    }
                    Step::Add(_) => {}
                    Step::Remove(_) if there.is_empty() => {}
                    Step::Remove(at) => {
                        let (id, ..) = there.swap_remove(at % there.len());
                        viewers.remove(id);
                    }
                    Step::Announce => {
                        announced += 1;
                        viewers.announce(&frame(announced));
                    }
                    Step::Tell => viewers.tell_some(),
                }
            }
            viewers.tell_all();
            for (_, mut queue, since) in there {
                let expected: Vec<_> = (since + 1..=announced).map(|n| frame(n).into_bytes()).collect();
                prop_assert_eq!(read(&mut queue), expected);
            }
        }
    }

    #[test]
    fn players_are_told_before_watchers_and_those_in_portions() {
        let mut viewers = Viewers::default();
        let mut queues = HashMap::new();
        for number in 0..20 {
            let (outbox, queue) = outbox(10, 1 << 20, Default::default());
            let seat = (number == 19).then_some(Seat::Second);
            viewers.add(match_id(), outbox, seat, Pace::Live);
            queues.insert(number, queue);
        }
        let mut heard = || {
            let queues = queues.iter_mut();
            let mut heard: Vec<i32> = queues
                .filter_map(|(number, queue)| (!read(queue).is_empty()).then_some(*number))
                .collect();
            heard.sort_unstable();
            heard
        };
        viewers.announce(&frame(1));
        assert_eq!(heard(), [19]);
        for portion in [0..8, 8..16, 16..19] {
            assert!(viewers.is_behind());
            viewers.tell_some();
            assert_eq!(heard(), portion.collect::<Vec<_>>());
        }
        assert!(!viewers.is_behind());
    }
}
