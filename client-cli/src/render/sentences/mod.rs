//! A match in sentences: what line mode says, one function a sentence.

mod connection;
mod decided;
mod events;
mod kept;
mod next;
mod opening;
mod played;
mod position;
mod result;
mod turn;

pub(crate) use connection::{back, lost, stale};
pub(crate) use decided::{decided, why};
pub(crate) use events::{absent, happened, open_between_players, plan, to_answer};
pub(crate) use kept::{left_unfinished, not_kept};
pub(crate) use next::next;
pub(crate) use opening::{help, opening, score, terms};
pub(crate) use played::{last_move, moved};
pub(crate) use position::{describe, end_rule, moves, notation, rules, rules_with, title};
pub(crate) use result::result;
pub(crate) use turn::{
    clock, clock_on_prompt, clock_warning, invitation_to_move, state, time_left, turn,
    turn_in_full, words,
};
