#![no_main]

#[path = "../inputs/reply.rs"]
mod reply;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reply::run(bytes));
