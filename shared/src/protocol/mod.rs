//! What may be said between a client and the server, version 1.
//!
//! A frame is one JSON object in one WebSocket text message. A client sends requests
//! `{"id":7,"body":{"type":…}}`; the server answers each with exactly one reply `{"re":7,"body":{…}}`,
//! and sends events of matches `{"match":"…","seq":12,"body":{…}}`, of an account `{"account":"…","seq":3,"body":{…}}`, of a room of a match
//! `{"chat":"…","room":"players","seq":3,"body":{…}}` and notices `{"body":{…}}`.
//! This module knows ids and events and nothing of rules, sockets or storage.

pub mod account;
mod asked_clock;
pub mod chat;
pub mod client;
pub mod error;
mod games;
pub mod identity;
mod known;
pub mod lobby;
mod parse;
pub mod puzzle;
mod quick;
pub mod rating;
pub mod schema;
pub mod scope;
pub mod secret;
pub mod server;
mod side;
mod slip;
pub mod tournament;

pub use account::AccountEvent;
pub use chat::ChatEvent;
pub use client::{ClientFrame, ClientMessage};
pub use error::{ErrorBody, ErrorCode};
pub use parse::{Refused, read_client_frame};
pub use quick::frame_id;
pub use scope::{Scope, Scopes};
pub use secret::Secret;
pub use server::{Notice, Reply, ServerFrame};

/// The protocol version that this crate speaks. A breaking change raises it.
pub const VERSION: u32 = 1;

/// Nesting of arrays and objects that a frame may have.
pub const DEPTH_MAX: usize = 8;

/// The largest integer that every JSON reader holds exactly: 2^53 - 1.
pub const INTEGER_MAX: u64 = (1 << 53) - 1;

/// The largest number of entries on one page of an answer.
pub const PAGE_MAX: u32 = 200;

/// The number of entries on a page when a request names none.
pub const PAGE_DEFAULT: u32 = 50;
