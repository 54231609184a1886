//! The match server of Grundy.

fn main() {}
