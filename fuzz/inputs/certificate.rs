//! Any bytes as the certificate of a verdict: it is proved or refused, within the work that it is allowed.

use grundy_shared::certificate::{Certificate, verify};
use grundy_shared::theory::Meter;

/// Reads one input.
pub(crate) fn run(bytes: &[u8]) {
    if let Ok(certificate) = Certificate::read(bytes) {
        let again = Certificate::read(certificate.to_json().as_bytes());
        assert_eq!(again.as_ref(), Ok(&certificate));
        let _ = verify(&certificate, &mut Meter::new(1 << 12, 1 << 22, &|| false));
    }
}
