//! Power cuts: images of what the disk would hold, each compared with all that was acknowledged, and the control that
//! must lose something.

use std::collections::BTreeMap;

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::campaign::{Episode, Phase, Place, Tally};
use crate::checker::Findings;
use crate::powercut::{Disk, Recorder};

/// Images after each power cut: one without everything that was not flushed, the others torn.
const IMAGES_PER_CUT: u64 = 5;
/// The same after each power cut at an exact operation, where there are more states to meet.
const IMAGES_PER_EXACT_CUT: u64 = 10;
/// Power cuts before a new data directory is begun.
const CUTS_PER_EPISODE: u64 = 4;
/// Images of the control.
const CONTROL_IMAGES: u64 = 10;

/// What came of many power cuts.
#[derive(Default)]
pub(crate) struct Cut {
    /// Images compared.
    pub(crate) images: u64,
    /// What was found wrong in them.
    pub(crate) findings: Findings,
    /// Power cuts, by place.
    pub(crate) deaths: BTreeMap<&'static str, u64>,
}

/// Where the power is cut, and how many images are made of each cut.
#[derive(Clone, Copy)]
struct Cuts {
    places: &'static [Place],
    images_each: u64,
    /// Apart from the other seeds of a run.
    seeds_from: u64,
}

/// Cuts the power at any place until that many images were compared, or something is wrong.
pub(crate) async fn run(seed: u64, images: u64) -> Cut {
    let cuts = Cuts {
        places: &Place::ALL,
        images_each: IMAGES_PER_CUT,
        seeds_from: 1_000_000,
    };
    cut_again_and_again(cuts, seed, images).await
}

/// The same after exact operations of starts, stops and checkpoints.
pub(crate) async fn run_exactly(seed: u64, images: u64) -> Cut {
    const PLACES: [Place; 3] = [
        Place::Exactly(Phase::Start),
        Place::Exactly(Phase::Stop),
        Place::Exactly(Phase::Checkpoint),
    ];
    let cuts = Cuts {
        places: &PLACES,
        images_each: IMAGES_PER_EXACT_CUT,
        seeds_from: 3_000_000,
    };
    cut_again_and_again(cuts, seed, images).await
}

/// Play goes on from an image each time.
async fn cut_again_and_again(cuts: Cuts, seed: u64, images: u64) -> Cut {
    let recorder = Recorder::build();
    let mut cut = Cut::default();
    let mut tally = Tally::default();
    let mut episodes = 0;
    while cut.images < images && cut.findings.is_clean() {
        let seed = seed.wrapping_add(cuts.seeds_from + episodes);
        let mut episode = recorded(&recorder, seed);
        episodes += 1;
        for _ in 0..CUTS_PER_EPISODE {
            let place = *cuts
                .places
                .choose(episode.random())
                .expect("there are places");
            episode.live_and_die(place, &mut tally).await;
            cut_power(&mut episode, cuts.images_each, &mut cut).await;
            let wrong = !cut.findings.is_clean() || !tally.findings.is_clean();
            if wrong || cut.images >= images {
                break;
            }
        }
        if cut.findings.is_clean() && tally.findings.is_clean() {
            episode.end(&mut tally).await;
        } else {
            eprintln!("kept in {}", episode.keep().display());
        }
        cut.findings.extend(std::mem::take(&mut tally.findings));
        eprintln!(
            "{} images, {} lost, {} corrupt",
            cut.images,
            cut.findings.lost.len(),
            cut.findings.corrupt.len()
        );
    }
    cut.deaths = tally.deaths;
    cut
}

/// The same with a build that syncs too late: how many acknowledgements were missing, summed over the images.
pub(crate) async fn control(seed: u64) -> u64 {
    let recorder = Recorder::build();
    let mut cut = Cut::default();
    let mut episodes = 0;
    while cut.images < CONTROL_IMAGES {
        let mut episode = recorded(&recorder, seed.wrapping_add(2_000_000 + episodes));
        episodes += 1;
        episode
            .environment
            .push(("GRUNDYD_UNSAFE_SYNCHRONOUS", "NORMAL".into()));
        episode
            .live_and_die(Place::Playing, &mut Tally::default())
            .await;
        cut_power(&mut episode, IMAGES_PER_CUT, &mut cut).await;
    }
    cut.findings.lost.len() as u64
}

/// An episode whose server runs with the flush recorder.
fn recorded(recorder: &Recorder, seed: u64) -> Episode {
    let mut episode = Episode::new(seed);
    let shadow = episode.beside("shadow");
    std::fs::create_dir(&shadow).expect("a directory for the shadow");
    let variables = recorder.environment(&episode.data(), &shadow);
    episode
        .environment
        .extend(variables.map(|(name, value)| (name, value.into())));
    episode.wanted_acks = 30..300;
    episode
}

/// Builds the images of one power cut, compares each, and lets the next life go on from one of them, or from what was
/// written, as after a kill without a power cut.
async fn cut_power(episode: &mut Episode, images: u64, cut: &mut Cut) {
    let chosen = episode.random().random_range(0..=images);
    let mut next = None;
    for number in 0..images {
        let torn = (number > 0).then(|| episode.random().next_u64());
        let image = episode.beside(&format!("image-{number}"));
        // That of the cut before.
        let _ = std::fs::remove_dir_all(&image);
        std::fs::create_dir(&image).expect("a directory for the image");
        Disk {
            data: &episode.data(),
            shadow: &episode.beside("shadow"),
        }
        .build_image(torn, &image);
        let mut found = Findings::default();
        let logs = episode.inspect_copy(&image, &mut found).await;
        cut.images += 1;
        cut.findings.extend(found);
        if number == chosen {
            next = Some((image, logs));
        }
    }
    match next {
        Some((image, logs)) => episode.go_on_from(&image, logs),
        None => episode.inspect_remains(&mut cut.findings).await,
    }
}
