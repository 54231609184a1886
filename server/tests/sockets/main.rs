//! The server in the process of the test, and clients at its sockets.

#[path = "../blobs/mod.rs"]
mod blobs;
mod common;

mod accounts;
mod bad_input;
mod bad_peer;
mod bots;
mod bounds;
mod chat;
mod claims;
mod clocks;
mod committer;
mod compounds;
mod ended;
mod fair_shares;
mod floods;
mod following;
mod held_clocks;
mod hidden;
mod hostile_bots;
mod identity;
mod invitations;
mod kept_back;
mod lag;
mod leaving;
mod lobby;
mod matches;
mod names;
mod overload;
mod quotas;
mod ratings;
mod raw_frames;
mod reconnecting;
mod recovery;
mod refusals;
mod rematch;
mod removal;
mod scopes;
mod series;
mod sharing;
mod slow_store;
mod soak;
mod tournaments;
mod unverified;
mod upgrade;
