//! The laws of the store, one by one, on every backend.

mod cluster;
mod cursors;
mod desk;
mod erasure;
mod lacking;
mod model;
mod nodes;
mod patience;
mod postgres;
mod postgres_refusals;
mod projections;
mod proxy;
mod puzzles;
mod ratings;
mod removal;
mod reviews;
mod sharing;
mod streams;
mod told;
mod words;
