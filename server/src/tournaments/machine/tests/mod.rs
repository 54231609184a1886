//! The machine, told things one by one: no runtime, no store, no time but the one that is given.

mod ending;
mod entries;
mod random;
mod rig;
mod store;
