//! A simulator: servers, clients, network and store in virtual time, everything decided by one seed. See docs/RELIABILITY.md.

mod acts;
mod agreeing;
mod bells;
mod board;
mod check;
mod client;
mod clocks;
mod dice;
mod disk;
mod faults;
mod file;
mod finding_back;
mod foreign;
mod judge;
mod known;
mod life;
mod link;
mod lobby;
mod mischief;
mod node;
mod operator;
mod options;
mod pipe;
mod plan;
mod postgres;
mod ratings;
mod run;
mod seated;
mod seeking;
mod socket;
mod store;
mod talk;
mod timeline;
mod trace;
mod weather;
mod wire;
mod world;

use std::process::ExitCode;

fn main() -> ExitCode {
    options::main()
}
