//! Any text as a frame of a client: it is read, or refused with a code; a request that was read is written and read back equal.

use grundy_shared::protocol::{ClientFrame, read_client_frame};

/// Reads one input.
pub(crate) fn run(bytes: &[u8]) {
    if let Ok((id, body)) = read_client_frame(&String::from_utf8_lossy(bytes)) {
        let frame = ClientFrame { id, body };
        let again = read_client_frame(&frame.to_json());
        assert_eq!(again.as_ref().ok(), Some(&(frame.id, frame.body)));
    }
}
