#![no_main]

#[path = "../inputs/record.rs"]
mod record;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| record::run(bytes));
