//! Kills of the process, from outside and at every failpoint.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use crate::campaign::{Episode, Place, Tally};

/// Acknowledgements that there must be for each kill, on average.
pub(crate) const ACKS_PER_KILL: u64 = 340;
/// Kills before a new data directory is begun, so that the comparison after each stays cheap.
const KILLS_PER_EPISODE: usize = 10;

/// Kills the server that often, or until something is wrong.
pub(crate) async fn run(seed: u64, kills: u64) -> Tally {
    let mut random = StdRng::seed_from_u64(seed);
    let mut tally = Tally::default();
    let mut episodes = 0;
    while tally.kills() < kills && tally.findings.is_clean() {
        let mut episode = Episode::new(seed.wrapping_add(episodes));
        episodes += 1;
        let left = usize::try_from(kills - tally.kills()).unwrap_or(usize::MAX);
        for place in places(&mut random, left) {
            let owed = ACKS_PER_KILL * (tally.kills() + 2);
            let got = tally.acks + episode.acks();
            let fewest = owed.saturating_sub(got).max(50);
            episode.wanted_acks = fewest..fewest + 700;
            episode.live_and_die(place, &mut tally).await;
            episode.inspect_remains(&mut tally.findings).await;
            if !tally.findings.is_clean() {
                eprintln!("kept in {}:\n{}", episode.keep().display(), tally.findings);
                tally.acks += episode.acks();
                return tally;
            }
        }
        episode.end(&mut tally).await;
        eprintln!(
            "{} kills, {} acknowledgements, {} lost",
            tally.kills(),
            tally.acks,
            tally.findings.lost.len()
        );
    }
    tally
}

/// The places of one episode with that many kills: the migration first, then each other place once and more kills while bots
/// play, in any order. The last kill is one while bots play: only it can wait for the acknowledgements that are still owed,
/// because a server that dies at a failpoint dies when it gets there.
fn places(random: &mut StdRng, kills: usize) -> Vec<Place> {
    let mut places = Place::ALL.to_vec();
    places.retain(|place| *place != Place::Playing);
    places.resize(
        KILLS_PER_EPISODE.min(kills).max(places.len() + 2) - 2,
        Place::Playing,
    );
    places.shuffle(random);
    places.insert(0, Place::MIGRATION);
    places.truncate(kills.saturating_sub(1));
    places.push(Place::Playing);
    places
}

#[test]
fn every_episode_ends_with_a_kill_that_waits_for_what_is_owed() {
    let mut random = StdRng::seed_from_u64(rand::random());
    for kills in 1..=2 * KILLS_PER_EPISODE {
        let places = places(&mut random, kills);
        assert_eq!(places.len(), kills.min(KILLS_PER_EPISODE));
        assert_eq!(places.last(), Some(&Place::Playing));
        if kills > Place::ALL.len() {
            assert_eq!(places[0], Place::MIGRATION);
            assert!(Place::ALL.iter().all(|place| places.contains(place)));
        }
    }
}
