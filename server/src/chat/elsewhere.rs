//! Lines that other servers on the same store have stored. They are read from the logs of the rooms that somebody hears here, and sent in their order.
//!
//! Where servers share a store, lines of this server go the same way, so that those of two servers reach everybody in one order.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::ids::{MatchId, Millis, Seq};
use grundy_shared::protocol::chat::{ChatEvent, Room};
use rustc_hash::FxHashMap;

use super::Chats;
use super::heard::Hearing;
use crate::matches::{Frame, LiveMatch};
use crate::store::{LOAD_PAGE, StreamId};

/// After a read that found nothing although it was promised, the room is not read again for so long.
const FRUITLESS: Duration = Duration::from_millis(200);

/// Lines that are older than this when a room is heard for the first time are not sent: whoever comes asks for them. It is more than the time between two
/// looks, so no line is left out that was said after somebody came.
const RECENT: Millis = Millis(3_000);

/// Whether somebody may hear a room here.
fn is_heard(live: &LiveMatch, room: Room) -> bool {
    let pulse = live.pulse();
    match room {
        Room::Players => pulse.is_anybody_seated(),
        Room::Watchers => pulse.is_watched() || (pulse.is_over() && pulse.is_anybody_seated()),
    }
}

impl Chats {
    /// The rooms that somebody hears here, and how far each has been heard: 0 if that is not known yet. Others are forgotten. Cost: linear in the matches
    /// that are here.
    pub fn known(&self) -> Vec<(StreamId, Seq)> {
        let mut wanted = Vec::new();
        for live in self.services.matches.known() {
            let rooms = [Room::Players, Room::Watchers];
            let heard = rooms.into_iter().filter(|room| is_heard(&live, *room));
            wanted.extend(heard.map(|room| (live.id(), room)));
        }
        let mut heard = self.heard.all();
        let mut kept: FxHashMap<(MatchId, Room), Hearing> = FxHashMap::default();
        let mut known = Vec::with_capacity(wanted.len());
        for room in wanted {
            let hearing = heard.remove(&room);
            let seq = hearing.as_ref().map_or(Seq(0), |hearing| hearing.known);
            known.push((StreamId::Chat(room.0, room.1), seq));
            kept.extend(hearing.map(|hearing| (room, hearing)));
        }
        // A task that reads on puts an end to its room itself.
        kept.extend(heard.drain().filter(|(_, hearing)| hearing.busy));
        *heard = kept;
        known
    }

    /// A look has found the last lines of rooms that are heard here, and that some have none.
    pub fn begin_to_hear(self: &Arc<Self>, asked: &[(StreamId, Seq)], grown: &[(StreamId, Seq)]) {
        let grown: FxHashMap<StreamId, Seq> = grown.iter().copied().collect();
        for (stream, _) in asked {
            let StreamId::Chat(id, room) = *stream else {
                continue;
            };
            let last = grown.get(stream).copied();
            self.hear((id, room), last.unwrap_or_default());
        }
    }

    /// The log of a room may have lines up to this one. Those of a room that nobody hears are not read.
    pub fn hint(self: &Arc<Self>, id: MatchId, room: Room, last: Seq) {
        let live = self.services.matches.get(id);
        if live.is_some_and(|live| is_heard(&live, room)) {
            self.hear((id, room), last);
        }
    }

    /// Sends the lines up to `last`.
    pub(super) fn hear(self: &Arc<Self>, to: (MatchId, Room), last: Seq) {
        let now = self.services.clock.now();
        let mut heard = self.heard.all();
        // The number may be a lie, so the room is read from its beginning, once.
        let hearing = heard.entry(to).or_insert(Hearing {
            known: Seq(0),
            newest: Seq(0),
            since: Millis(now.0.saturating_sub(RECENT.0)),
            busy: false,
        });
        hearing.newest = hearing.newest.max(last);
        if hearing.busy || hearing.newest <= hearing.known || self.tasks.is_closed() {
            return;
        }
        hearing.busy = true;
        drop(heard);
        let task = self.clone().read_on(to);
        drop(self.services.lifecycle.spawn_on(&self.tasks, task));
    }

    /// What there is to read of a room; `None` if it is nothing, and the task ends.
    fn next_to_hear(&self, to: (MatchId, Room)) -> Option<(Seq, Millis)> {
        let mut heard = self.heard.all();
        let hearing = heard.get_mut(&to)?;
        hearing.busy = hearing.newest > hearing.known;
        hearing.busy.then_some((hearing.known, hearing.since))
    }

    async fn read_on(self: Arc<Self>, to: (MatchId, Room)) {
        while let Some((known, since)) = self.next_to_hear(to) {
            let stream = StreamId::Chat(to.0, to.1);
            let page = self.services.store.load(stream, known, LOAD_PAGE).await;
            let lines = page.ok().flatten().unwrap_or_default();
            let last = lines.last().map(|line| line.seq);
            let mut frames = Vec::with_capacity(lines.len());
            for line in lines {
                let Ok(event) = serde_json::from_slice(&line.body) else {
                    continue;
                };
                let ChatEvent::Said { player, at_ms, .. } = &event;
                if *at_ms < since {
                    continue;
                }
                let (frame, _) = Frame::of_chat(to.0, to.1, line.seq, &event);
                frames.push((player.id, frame));
            }
            match last {
                Some(last) => {
                    self.tell(to, &frames).await;
                    self.has_heard(to, last);
                }
                // A later look finds what could not be read.
                None => {
                    self.promised_too_much(to);
                    tokio::time::sleep(FRUITLESS).await;
                }
            }
        }
    }

    fn has_heard(&self, to: (MatchId, Room), last: Seq) {
        if let Some(hearing) = self.heard.all().get_mut(&to) {
            hearing.known = hearing.known.max(last);
        }
    }

    fn promised_too_much(&self, to: (MatchId, Room)) {
        if let Some(hearing) = self.heard.all().get_mut(&to) {
            hearing.newest = hearing.known;
        }
    }
}
