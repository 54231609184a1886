//! **The registry**: one line a game. Everything else learns of a game through it.

pub mod arckayles;
pub mod bash;
pub mod chomp;
pub mod clobber;
pub mod coins;
pub mod cram;
pub mod dag;
pub mod domineering;
mod domino;
pub mod euclid;
pub mod fib;
pub mod flip;
pub mod fork;
pub mod geo;
mod graphs;
pub mod grid;
pub mod grundy;
pub mod hack;
pub mod heap_rule;
pub mod heaps;
pub mod lasker;
mod letters;
pub mod merge;
pub mod moore;
pub mod multi;
pub mod nim;
pub mod nimble;
pub mod nimstring;
pub mod nodekayles;
pub mod northcott;
pub mod notakto;
pub mod octal;
pub mod painting;
mod partizan;
pub mod pattern;
pub mod poset;
pub mod prefix;
pub mod race;
pub mod ruler;
pub mod silver;
pub mod split;
pub mod stairs;
pub mod sub;
pub mod toads;
pub mod treblecross;
pub mod value;
pub mod welter;
mod working;
pub mod wythoff;

pub use crate::erased::{BoardKind, GameInfo};

/// A position that is accepted, for refusals that know nothing better.
pub(crate) const EXAMPLE: &str = "nim:3,5,7";

/// Every game, in the order in which they are listed.
pub static REGISTRY: &[&GameInfo] = &[
    &nim::INFO,
    &bash::INFO,
    &race::INFO,
    &sub::INFO,
    &moore::INFO,
    &fib::INFO,
    &stairs::INFO,
    &silver::INFO,
    &nimble::INFO,
    &welter::INFO,
    &euclid::INFO,
    &wythoff::INFO,
    &lasker::INFO,
    &multi::INFO,
    &split::INFO,
    &merge::INFO,
    &grundy::INFO,
    &octal::INFO,
    &octal::KAYLES,
    &octal::DAWSON_KAYLES,
    &octal::DAWSON_CHESS,
    &flip::INFO,
    &flip::TURTLES,
    &flip::MOCK_TURTLES,
    &flip::MOEBIUS,
    &flip::MOGUL,
    &flip::MOIDORES,
    &flip::TWINS,
    &pattern::TURNIPS,
    &pattern::GRUNT,
    &ruler::INFO,
    &dag::INFO,
    &fork::INFO,
    &dag::LOOPY,
    &prefix::INFO,
    &hack::INFO,
    &value::INFO,
    &geo::INFO,
    &nodekayles::INFO,
    &arckayles::INFO,
    &nimstring::INFO,
    &painting::COL,
    &painting::SNORT,
    &poset::INFO,
    &cram::INFO,
    &domineering::INFO,
    &clobber::INFO,
    &toads::INFO,
    &northcott::INFO,
    &chomp::INFO,
    &notakto::INFO,
    &treblecross::INFO,
];

/// Computes the tables that games need to be read and played, which the first position of such a game does otherwise: some milliseconds.
pub fn prepare() {
    let _ = crate::theory::partitions::split_count(0);
}

/// The game of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static GameInfo> {
    REGISTRY.iter().copied().find(|info| info.name == name)
}
