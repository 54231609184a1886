//! Tournaments as functions: who meets whom, who stands where, and how a log of events becomes a tournament.

mod cross_table;
mod event;
#[cfg(test)]
pub(crate) mod fixture;
mod log;
mod pace;
mod pairing;
mod report;
mod schedule;
mod seed;
mod standings;
mod swiss;
mod tie_break;
mod trf;

pub use cross_table::{Against, Colour, CrossTable, Entry, HalfPoints, TableError};
pub use event::{
    Admission, Dated, Format, MAX_REPLAYS, Rules, Starts, TournamentError, TournamentEvent, Who,
    check_terms, match_of_game,
};
pub use log::{Next, OpenGame, Tournament};
pub use pace::Pace;
pub use report::{MOST_RATED, Report, Row};
pub use schedule::{
    Bracket, Game, MAX_GAMES, MAX_PLAYERS, Round, Schedule, ScheduleError, double_round_robin,
    gauntlet, knockout_slots, round_robin,
};
pub use seed::{BadSeed, Commitment, Seed};
pub use standings::{Standing, standings};
pub use swiss::{MAX_SWISS_PLAYERS, SwissError, SwissRound, SwissRules, next_round};
pub use tie_break::{Edition, Exact, TieBreak, TieBreakRules, UnknownTieBreak};
pub use trf::{Trf, TrfError, TrfPlayer, TrfProblem};
