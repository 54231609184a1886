//! The program as its users meet it: the real binary, with and without a real server.

mod arena;
mod arena_journal;
mod bots;
mod hostile;
mod load;
mod numbers;
mod offline;
mod online;
mod program;
mod server;
