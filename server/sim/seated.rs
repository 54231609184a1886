//! At which connection each player sits, over all servers: the one that took a seat last has it, and the others are told so.

use std::sync::{Arc, Weak};

use grundy_server::store::NodeId;
use grundy_shared::ids::{MatchId, PlayerId};
use rustc_hash::FxHashMap;

use crate::link::{Link, Way};
use crate::world::World;

/// An older connection is told within this, if nothing happens to the servers and the database answers at once: both servers look several times a second.
const TOLD_WITHIN_MS: u64 = 3_000;

/// What is stored was decided so long ago at most.
const DECIDED_MS: u64 = 8_000;

/// A connection from which a player sits in a match.
struct Sitting {
    player: PlayerId,
    link: Weak<Link>,
    since_ms: u64,
}

/// The connections of players.
#[derive(Default)]
pub(crate) struct Seated {
    /// Of each match, in the order in which they came.
    sittings: FxHashMap<MatchId, Vec<Sitting>>,
    /// Of each player, those that have ended too.
    ways: FxHashMap<PlayerId, Vec<Arc<Way>>>,
}

impl Seated {
    /// A player uses a connection.
    pub(crate) fn connects(&mut self, player: PlayerId, link: &Arc<Link>) {
        let ways = self.ways.entry(player).or_default();
        ways.retain(|other| !Arc::ptr_eq(other, &link.way));
        ways.push(link.way.clone());
    }

    /// Whether this player is connected to a server that lives, or was connected to this one a moment ago, when it decided what it has stored now.
    pub(crate) fn can_play(&self, player: PlayerId, at: NodeId, now_ms: u64) -> bool {
        let mut ways = self.ways.get(&player).into_iter().flatten();
        ways.any(|way| {
            let was_there = way.server == at && way.ended_ms().saturating_add(DECIDED_MS) > now_ms;
            way.leads_somewhere() || was_there
        })
    }

    /// A player has heard that a connection has the seat.
    pub(crate) fn sits(&mut self, id: MatchId, player: PlayerId, link: &Arc<Link>, now_ms: u64) {
        let sittings = self.sittings.entry(id).or_default();
        sittings.retain(|sitting| sitting.link.strong_count() > 0 && !is(&sitting.link, link));
        sittings.push(Sitting {
            player,
            link: Arc::downgrade(link),
            since_ms: now_ms,
        });
    }

    /// Since when another connection that is open has the seat that this one had.
    fn lost_since(&self, id: MatchId, link: &Link) -> Option<u64> {
        let sittings = self.sittings.get(&id)?;
        let number = |sitting: &Sitting| sitting.link.upgrade().map(|link| link.number);
        let own = sittings
            .iter()
            .position(|sitting| number(sitting) == Some(link.number))?;
        let player = sittings[own].player;
        let mut later = sittings[own + 1..].iter();
        let has_it = later.find(|later| {
            let open = later.link.upgrade().is_some_and(|link| !link.is_ended());
            later.player == player && open
        });
        has_it.map(|sitting| sitting.since_ms)
    }
}

fn is(sitting: &Weak<Link>, link: &Arc<Link>) -> bool {
    sitting.as_ptr() == Arc::as_ptr(link)
}

/// Nobody is told of a match at a connection whose player sits at another one for long.
pub(crate) fn expect(world: &World, id: MatchId, link: &Link) {
    let Some(since) = world.seated().lost_since(id, link) else {
        return;
    };
    let now = world.now_ms();
    let after = now.saturating_sub(TOLD_WITHIN_MS);
    if since < after && !world.timeline().is_upset_within((after, now)) {
        let number = link.number;
        world.wrong(format!(
            "link {number} is told of {id}, and its player sits at another one since {since} ms"
        ));
    }
}
