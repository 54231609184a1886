#![no_main]

#[path = "../inputs/position.rs"]
mod position;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| position::run(bytes));
