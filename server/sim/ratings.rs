//! The ratings, computed again from the logs once everything has come to rest.

use std::collections::BTreeMap;

use grundy_server::store::{LOAD_PAGE, Store, StreamId};
use grundy_shared::ids::{PlayerId, Seat, Seq};
use grundy_shared::rated::{Family, Rated, RatedPair, RatingEvent, RatingState};

use crate::disk::at_once;
use crate::world::World;

/// Each of these pairs is once in the logs of both its players; each event follows from those before it and has its twin; the ratings
/// beside the logs are what they come to.
pub(crate) fn check(world: &World, pairs: &[RatedPair]) {
    let mut of: BTreeMap<(PlayerId, Family), Vec<(&RatedPair, Seat)>> = BTreeMap::new();
    for pair in pairs {
        for seat in Seat::BOTH {
            let player = pair.players[seat.index()].id;
            of.entry((player, pair.family))
                .or_default()
                .push((pair, seat));
        }
    }
    let logs: BTreeMap<_, _> = of
        .keys()
        .map(|(player, family)| ((*player, *family), log(world, *player, *family)))
        .collect();
    for ((player, family), own) in &of {
        let log = &logs[&(*player, *family)];
        let mut state = RatingState::default();
        for (seq, rated) in (1..).map(Seq).zip(log) {
            if let Err(fault) = state.check(rated) {
                world.wrong(format!("rating {player}/{family}, event {seq}: {fault}"));
            }
            let twin = logs.get(&(rated.opponent.id, *family)).and_then(|log| {
                log.get(usize::try_from(rated.opponent_seq.0).ok()?.checked_sub(1)?)
            });
            let fits = twin.is_some_and(|twin| {
                twin.match_id == rated.match_id
                    && twin.opponent_seq == seq
                    && twin.before == rated.against
                    && twin.against == rated.before
            });
            if !fits {
                world.wrong(format!(
                    "rating {player}/{family}, event {seq}: the opponent has {twin:?}"
                ));
            }
        }
        for (pair, seat) in own {
            let counted = log.iter().filter(|rated| {
                rated.match_id == pair.last
                    && rated.pair == pair.pair
                    && rated.score == pair.score_of(*seat)
                    && rated.at_ms == pair.at_ms
            });
            let counted = counted.count();
            if counted != 1 {
                world.wrong(format!("{} counts {counted} times for {player}", pair.last));
            }
        }
        if log.len() != own.len() {
            world.wrong(format!(
                "rating {player}/{family} has {} pairs, and {} were played",
                log.len(),
                own.len()
            ));
        }
        let rows = at_once(world.disk.memory.ratings(*player)).unwrap_or_default();
        let row = rows.iter().find(|(of, _)| of == family);
        if row.map(|(_, row)| row.state) != Some(state) {
            world.wrong(format!(
                "rating {player}/{family} is {row:?}, and should be {state:?}"
            ));
        }
    }
}

fn log(world: &World, player: PlayerId, family: Family) -> Vec<Rated> {
    let stream = StreamId::Rating(player, family);
    let logged = at_once(world.disk.memory.load(stream, Seq(0), LOAD_PAGE));
    let logged = logged.ok().flatten().unwrap_or_default();
    let read = logged.iter().filter_map(|logged| {
        let event: RatingEvent = serde_json::from_slice(&logged.body).ok()?;
        let RatingEvent::Rated(rated) = event;
        Some(rated)
    });
    read.collect()
}
