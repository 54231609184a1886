//! Games without their types: code outside a game's file holds a [`Component`] and does not know which game it is.

mod any_game;
mod any_move;
mod board;
mod typed;

pub(crate) use any_game::Component;
pub use any_game::GameInfo;
pub(crate) use any_move::ComponentMove;
pub use board::BoardKind;
pub(crate) use typed::read;
