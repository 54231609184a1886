//! The laws of the store, one by one, on every backend.

mod cursors;
mod desk;
mod erasure;
mod model;
mod nodes;
mod projections;
mod ratings;
mod reviews;
mod streams;
