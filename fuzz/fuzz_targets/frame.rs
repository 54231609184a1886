#![no_main]

#[path = "../inputs/frame.rs"]
mod frame;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| frame::run(bytes));
