#![no_main]

#[path = "../inputs/certificate.rs"]
mod certificate;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| certificate::run(bytes));
