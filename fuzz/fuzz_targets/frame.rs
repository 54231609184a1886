//! Any text as a frame of a client: it is read, or refused with a code; nothing panics or hangs.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = grundy_shared::protocol::read_client_frame(text);
});
