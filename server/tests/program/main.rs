//! The program as its operators meet it: its options, its files, its pages, and the examples that talk to it.

#[path = "../blobs/mod.rs"]
mod blobs;
#[path = "../played/mod.rs"]
mod played;

mod admin;
mod backup;
mod bystanders;
mod chat;
mod client;
mod container;
mod corpus;
mod erasure;
mod example_client;
mod export;
mod fsck;
mod monitoring;
mod moving;
mod operations_page;
mod options;
#[path = "../cluster/port.rs"]
mod port;
#[expect(dead_code, reason = "the tests of several servers use more of it")]
#[path = "../cluster/postgres.rs"]
mod postgres;
mod process;
mod protocol_page;
mod secrets;
mod tls;
