//! Odds: how likely each player wins from a position, if it is known how likely each finds a winning move. Computed from all positions that can
//! be reached, not estimated.
//!
//! The model: where there is a winning move, a player of skill *q* plays one with probability *q*; otherwise, and in a lost position, any legal
//! move. Among several moves all are equally likely. The built-in bots `skill:Q` differ in one point: if they do not keep the win, they
//! give it away. `best` plays what is most likely to win against this opponent.

mod chance;
mod fair;
mod fraction;
mod player;
mod table;

pub use chance::Chance;
pub use fair::{BadFamily, Even, Fair, Family, MAX_STARTS};
pub use fraction::Fraction;
pub use player::{BadPlayer, Player};
pub use table::{MAX_MOVES, MAX_POSITIONS, NotComputed, Table};
