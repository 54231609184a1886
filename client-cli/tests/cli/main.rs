//! The program as its users meet it: the real binary, with and without a real server.

mod accounts;
mod arena;
mod arena_figures;
mod arena_journal;
mod arena_verify;
mod bad_input;
mod bot_files;
mod bot_online;
mod bots;
mod certificates;
mod encrypted;
mod hostile;
mod line_mode;
mod load;
mod lobby;
mod local_match;
mod numbers;
mod offline;
mod online;
mod opponent;
mod other_servers;
mod program;
mod ratings;
mod rematch;
mod server;
mod tournaments;
