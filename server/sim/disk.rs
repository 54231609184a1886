//! What is stored: it outlives every process. Beside the store itself stands a plain copy of every log, with the moment of each
//! commit, by which everything that a server says is judged.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures::FutureExt;
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::{Commit, CommitError, Lease, NodeId, Store, StreamId};
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::protocol::Reply;
use grundy_shared::protocol::server::Snapshot;
use rustc_hash::FxHashMap;

use crate::world::World;

/// One stored event.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) body: String,
    /// When it was committed, in virtual milliseconds.
    pub(crate) committed_ms: u64,
}

/// How the disk behaves at the moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Mood {
    #[default]
    Good,
    ReadOnly,
    Busy,
    Failed,
}

#[derive(Default)]
struct Kept {
    order: Vec<MatchId>,
    logs: FxHashMap<MatchId, Vec<Entry>>,
    mood: Mood,
    /// What snapshots said, to be compared with the logs in the end.
    snapshots: Vec<Snapshot>,
    last_heartbeat: FxHashMap<NodeId, Millis>,
    /// The newest life of each server.
    epochs: FxHashMap<NodeId, u64>,
    /// When each began, in virtual milliseconds.
    enlisted: Vec<(NodeId, u64)>,
    events: u64,
    /// Who was welcomed, and whether it is a bot.
    guests: FxHashMap<PlayerId, bool>,
    /// Who sits in each match that is not over.
    open: FxHashMap<MatchId, Vec<PlayerId>>,
    /// When each player last had as many matches as allowed.
    full: FxHashMap<PlayerId, u64>,
    full_until: FxHashMap<PlayerId, u64>,
    /// Matches that each player has created since a process began, and all that count for the player.
    created: FxHashMap<PlayerId, u32>,
    /// When each player has created a match, in virtual milliseconds.
    creations: FxHashMap<PlayerId, Vec<u64>>,
    counted: FxHashMap<PlayerId, u32>,
}

/// What was so until so long ago may still be told.
const JUST_NOW_MS: u64 = 20_000;

/// What was used on one server all of them know so much later, if nothing happens to them and the database answers at once: it reports within a second, and the
/// others look within another.
const KNOWN_WITHIN_MS: u64 = 2_300;

/// The disk of a world.
#[derive(Default)]
pub(crate) struct Disk {
    pub(crate) memory: Arc<MemoryStore>,
    kept: Mutex<Kept>,
}

/// The answer of something that never waits.
pub(crate) fn at_once<T>(future: impl Future<Output = T>) -> T {
    future
        .now_or_never()
        .expect("the store in memory answers at once")
}

impl Disk {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn mood(&self) -> Mood {
        self.kept().mood
    }

    pub(crate) fn set_mood(&self, mood: Mood) {
        self.kept().mood = mood;
    }

    /// Notes what was committed.
    pub(crate) fn committed(&self, world: &World, commit: &Commit) {
        for append in &commit.appends {
            if let StreamId::Match(id) = append.stream {
                self.appended(world, id, &append.events);
            }
        }
    }

    fn appended(&self, world: &World, id: MatchId, events: &[Bytes]) {
        let mut kept = self.kept();
        let kept = &mut *kept;
        kept.events += events.len() as u64;
        if !kept.logs.contains_key(&id) {
            kept.order.push(id);
        }
        let committed_ms = world.now_ms();
        for body in events {
            let body = String::from_utf8_lossy(body).into_owned();
            if let Ok(event) = serde_json::from_str(&body) {
                Self::seat(kept, world, id, &event);
            }
            let log = kept.logs.entry(id).or_default();
            world.note(format_args!("stored {id} {} {body}", log.len() + 1));
            log.push(Entry { body, committed_ms });
        }
    }

    /// Who sits where after this event.
    fn seat(kept: &mut Kept, world: &World, id: MatchId, event: &Event) {
        match event {
            Event::Created {
                creator,
                rematch_of,
                series,
                ..
            } => {
                kept.open.insert(id, vec![creator.id]);
                Self::count(kept, world, creator.id);
                *kept.counted.entry(creator.id).or_default() += 1;
                let goes_on = series.is_some_and(|series| series.game > 1);
                if rematch_of.is_none() && !goes_on {
                    Self::count_created(kept, world, creator.id);
                }
            }
            Event::Joined { player, .. } => {
                kept.open.entry(id).or_default().push(player.id);
                Self::count(kept, world, player.id);
                *kept.counted.entry(player.id).or_default() += 1;
            }
            Event::Ended { .. } => {
                for player in kept.open.remove(&id).unwrap_or_default() {
                    if kept.full.remove(&player).is_some() {
                        kept.full_until.insert(player, world.now_ms());
                    }
                }
            }
            _ => {}
        }
    }

    /// A process has taken the place of the ones before.
    pub(crate) fn enlisted(&self, world: &World, lease: Lease) {
        let mut kept = self.kept();
        kept.epochs.insert(lease.node, lease.epoch);
        kept.enlisted.push((lease.node, world.now_ms()));
    }

    /// The matches of a server were taken over: its newest life may write no more.
    pub(crate) fn taken_over(&self, world: &World, from: NodeId) {
        let mut kept = self.kept();
        *kept.epochs.entry(from).or_default() += 1;
        kept.enlisted.push((from, world.now_ms()));
    }

    /// When a process first took the place of others since this moment, in virtual milliseconds; the end of all time if none did.
    pub(crate) fn first_enlisted_since(&self, node: NodeId, since: u64) -> u64 {
        let kept = self.kept();
        let mut enlisted = kept.enlisted.iter().copied();
        enlisted
            .find(|(of, at)| *of == node && *at >= since)
            .map_or(u64::MAX, |(_, at)| at)
    }

    /// Nobody writes whose place was taken.
    pub(crate) fn expect_fenced(
        &self,
        world: &World,
        lease: Lease,
        outcomes: &[Result<(), CommitError>],
    ) {
        let newest = self.kept().epochs.get(&lease.node).copied();
        let old = newest.is_some_and(|newest| newest > lease.epoch);
        if old && outcomes.contains(&Ok(())) {
            world.wrong(format!(
                "a process whose place was taken has written: {lease:?}"
            ));
        }
    }

    /// The latest heartbeat that was stored.
    pub(crate) fn beat(&self, node: NodeId, at: Millis) {
        let mut kept = self.kept();
        let last = kept.last_heartbeat.entry(node).or_default();
        *last = at.max(*last);
    }

    pub(crate) fn last_heartbeat(&self, node: NodeId) -> Millis {
        let kept = self.kept();
        kept.last_heartbeat.get(&node).copied().unwrap_or_default()
    }

    pub(crate) fn events(&self) -> u64 {
        self.kept().events
    }

    /// Notes whether a player has as many matches as allowed, and finds one who has more.
    fn count(kept: &mut Kept, world: &World, player: PlayerId) {
        // A built-in bot plays as many as there are.
        let Some(bot) = kept.guests.get(&player).copied() else {
            return;
        };
        let open = kept
            .open
            .values()
            .filter(|players| players.contains(&player));
        let (open, most) = (open.count(), world.plan.matches_of(bot) as usize);
        if open >= most {
            kept.full.insert(player, world.now_ms());
        }
        if open > most {
            world.wrong(format!(
                "{player} has {open} open matches, and may have {most}"
            ));
        }
    }

    /// A process begins: it need not know what the one before has not noted.
    pub(crate) fn begin_day(&self) {
        self.kept().created.clear();
    }

    /// Notes that a player has created a match, and finds one who has created too many: a quota may be used at once and be refilled in a day.
    fn count_created(kept: &mut Kept, world: &World, player: PlayerId) {
        if !kept.guests.contains_key(&player) {
            return;
        }
        let created = kept.created.entry(player).or_default();
        *created += 1;
        let (created, quota) = (*created, world.plan.matches_a_day);
        if world.plan.nodes > 1 {
            return Self::count_over_servers(kept, world, player);
        }
        if created > 2 * quota {
            world.wrong(format!(
                "{player} has created {created} matches in a day, with a quota of {quota}"
            ));
        }
    }

    /// Of matches that a player has created on several servers, all of them know a little later, if nothing happens meanwhile.
    fn count_over_servers(kept: &mut Kept, world: &World, player: PlayerId) {
        let (now, quota) = (world.now_ms(), world.plan.matches_a_day as usize);
        let creations = kept.creations.entry(player).or_default();
        let timeline = world.timeline();
        let is_known = |at: &&u64| timeline.is_quiet_for(KNOWN_WITHIN_MS, (**at, now));
        if creations.iter().filter(is_known).count() >= quota {
            world.wrong(format!(
                "{player} has created a match beyond the quota, after others at {creations:?}"
            ));
        }
        drop(timeline);
        creations.push(now);
    }

    /// Whether this player has used up the matches of a day.
    pub(crate) fn has_used_up(&self, world: &World, player: PlayerId) -> bool {
        let counted = self.kept().counted.get(&player).copied().unwrap_or(0);
        counted >= world.plan.matches_a_day
    }

    /// Whether this player had as many matches as allowed at a moment since this one, in virtual milliseconds, or shortly before it.
    pub(crate) fn was_full(&self, world: &World, player: PlayerId, since: u64) -> bool {
        let kept = self.kept();
        let playing = kept
            .open
            .values()
            .filter(|players| players.contains(&player));
        let lately = kept.full_until.get(&player).copied().unwrap_or(0);
        let bot = kept.guests.get(&player).copied().unwrap_or(false);
        playing.count() >= world.plan.matches_of(bot) as usize || lately + JUST_NOW_MS > since
    }

    /// Whether this player is a client's.
    pub(crate) fn is_guest(&self, player: PlayerId) -> bool {
        self.kept().guests.contains_key(&player)
    }

    /// Whether this player sits in a match that is not over.
    pub(crate) fn plays(&self, player: PlayerId) -> bool {
        let kept = self.kept();
        kept.open.values().any(|players| players.contains(&player))
    }

    /// Every match, in the order of their making.
    pub(crate) fn matches(&self) -> Vec<MatchId> {
        self.kept().order.clone()
    }

    pub(crate) fn log(&self, id: MatchId) -> Vec<Entry> {
        self.kept().logs.get(&id).cloned().unwrap_or_default()
    }

    pub(crate) fn length(&self, id: MatchId) -> u64 {
        self.kept().logs.get(&id).map_or(0, |log| log.len() as u64)
    }

    /// Whether nobody had joined this match at this moment, in virtual milliseconds, or shortly before it.
    pub(crate) fn was_invitation(&self, id: MatchId, since: u64) -> bool {
        let kept = self.kept();
        let joined = kept.logs.get(&id).into_iter().flatten().find(|entry| {
            let event = serde_json::from_str(&entry.body);
            matches!(event, Ok(Event::Joined { .. }))
        });
        joined.is_none_or(|joined| joined.committed_ms + JUST_NOW_MS > since)
    }

    pub(crate) fn snapshots(&self) -> Vec<Snapshot> {
        std::mem::take(&mut self.kept().snapshots)
    }

    /// The stored event of this number.
    pub(crate) fn event(&self, id: MatchId, seq: Seq) -> Option<Event> {
        let kept = self.kept();
        let at = usize::try_from(seq.0).ok()?.checked_sub(1)?;
        let entry = kept.logs.get(&id)?.get(at)?;
        serde_json::from_str(&entry.body).ok()
    }

    /// Whether the log has such an event.
    pub(crate) fn any(&self, id: MatchId, wanted: impl Fn(&Event) -> bool) -> bool {
        let kept = self.kept();
        let log = kept.logs.get(&id).map_or(&[][..], Vec::as_slice);
        log.iter()
            .filter_map(|entry| serde_json::from_str(&entry.body).ok())
            .any(|event| wanted(&event))
    }

    /// Every event that is sent must be stored in the same form, apart from the parts that are hidden from other players.
    pub(crate) fn expect(&self, world: &World, id: MatchId, seq: Seq, body: &str) {
        let kept = self.kept();
        let at = usize::try_from(seq.0).unwrap_or(usize::MAX).wrapping_sub(1);
        let stored = kept.logs.get(&id).and_then(|log| log.get(at));
        match stored {
            Some(stored)
                if stored.body == body || hidden(&stored.body).as_deref() == Some(body) => {}
            Some(stored) => world.wrong(format!(
                "event {seq} of {id} was told as {body} and is {}",
                stored.body
            )),
            None => world.wrong(format!(
                "event {seq} of {id} was told before it was stored: {body}"
            )),
        }
    }

    /// The seat of this player, as the log has it.
    pub(crate) fn seat_of(&self, id: MatchId, player: PlayerId) -> Option<Seat> {
        let sits = |seat: Seat, event: &Event| match event {
            Event::Created {
                seat: of, creator, ..
            } => *of == seat && creator.id == player,
            Event::Joined {
                seat: of,
                player: joined,
                ..
            } => *of == seat && joined.id == player,
            _ => false,
        };
        let mut seats = Seat::BOTH.into_iter();
        seats.find(|seat| self.any(id, |event| sits(*seat, event)))
    }

    /// Whether watchers of a rated match may see this event: two moves were made after it, or the match is over.
    pub(crate) fn is_past(&self, id: MatchId, seq: Seq) -> bool {
        let kept = self.kept();
        let log = kept.logs.get(&id).map_or(&[][..], Vec::as_slice);
        let read = |entry: &Entry| serde_json::from_str(&entry.body).ok();
        let events: Vec<Event> = log.iter().filter_map(read).collect();
        let rated = matches!(events.first(), Some(Event::Created { series: Some(series), .. }) if series.rated);
        let over = events
            .iter()
            .any(|event| matches!(event, Event::Ended { .. }));
        let later = events
            .iter()
            .skip(usize::try_from(seq.0).unwrap_or(usize::MAX));
        let kept_back = later
            .filter(|event| matches!(event, Event::Moved { .. }))
            .count();
        let at = usize::try_from(seq.0).unwrap_or(usize::MAX).wrapping_sub(1);
        let moves = events
            .iter()
            .take(at + 1)
            .filter(|event| matches!(event, Event::Moved { .. }));
        // Before the first move nothing is delayed.
        !rated || over || kept_back >= 2 || moves.count() == 0
    }

    /// What is acknowledged must be stored.
    pub(crate) fn expect_acknowledged(&self, world: &World, reply: &Reply) {
        match reply {
            Reply::Accepted {
                match_id,
                seq,
                ply,
                move_text,
                clocks,
            } => {
                let stored = self.event(*match_id, *seq);
                let holds = matches!(&stored, Some(Event::Moved { ply: stored_ply, move_text: text, clocks: left, .. })
                    if stored_ply == ply && text == move_text && left == clocks);
                if !holds {
                    world.wrong(format!(
                        "move {ply} of {match_id} was accepted as event {seq}, {move_text}, {clocks:?}, and stored is {stored:?}"
                    ));
                }
            }
            Reply::Created { match_id, .. } if self.length(*match_id) == 0 => {
                world.wrong(format!("{match_id} was created and is not stored"));
            }
            Reply::Joined { match_id, seat } => {
                // Who challenges somebody with a standing offer is answered as its creator.
                let joined = |event: &Event| matches!(event, Event::Joined { seat: taken, .. } | Event::Created { seat: taken, .. } if taken == seat);
                if self.length(*match_id) < 2 || !self.any(*match_id, joined) {
                    world.wrong(format!("{match_id} was joined and that is not stored"));
                }
            }
            Reply::Rematch {
                match_id,
                rematch: Some(rematch),
                ..
            } => {
                let accepted = |event: &Event| matches!(event, Event::RematchAccepted { rematch: id, .. } if id == rematch);
                if !self.any(*match_id, accepted) || self.length(*rematch) < 2 {
                    world.wrong(format!(
                        "the rematch {rematch} of {match_id} was told and is not stored"
                    ));
                }
            }
            Reply::Done {
                match_id: Some(id),
                seq: Some(seq),
                ..
            } if self.length(*id) < seq.0 => {
                world.wrong(format!(
                    "{id} was told to stand at {seq}, which is not stored"
                ));
            }
            Reply::Attached { snapshot, .. } => self.expect_snapshot(world, snapshot),
            Reply::Record {
                match_id, events, ..
            } => {
                for event in events {
                    self.expect(world, *match_id, event.seq, &event.body.to_json());
                }
            }
            Reply::Welcome { player, .. } => {
                self.kept().guests.insert(player.id, player.bot);
                if at_once(self.memory.player(player.id)) == Ok(None) {
                    world.wrong(format!("{} was welcomed and is not stored", player.id));
                }
            }
            _ => {}
        }
    }

    pub(crate) fn expect_snapshot(&self, world: &World, snapshot: &Snapshot) {
        if self.length(snapshot.match_id) < snapshot.seq.0 {
            world.wrong(format!(
                "a snapshot of {} stands at {}, which is not stored",
                snapshot.match_id, snapshot.seq
            ));
        }
        self.kept().snapshots.push(snapshot.clone());
    }
}

/// A stored event without the parts that are hidden from other players, if it has such parts.
fn hidden(body: &str) -> Option<String> {
    let event: Event = serde_json::from_str(body).ok()?;
    let (_, hidden) = event.hidden_from_others()?;
    Some(hidden.to_json())
}
