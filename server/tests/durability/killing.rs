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
        for place in places(&mut random) {
            if tally.kills() >= kills {
                break;
            }
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

/// The places of one episode: the migration first, then each other place at least once, in any order.
fn places(random: &mut StdRng) -> Vec<Place> {
    let mut places = Place::ALL.to_vec();
    while places.len() < KILLS_PER_EPISODE - 1 {
        places.push(Place::Playing);
    }
    places.shuffle(random);
    places.insert(0, Place::MIGRATION);
    places
}
