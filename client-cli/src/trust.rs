//! Whom to believe that an encrypted server is the one that was meant.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;

use grundy_words::Message;

use crate::failure::Failure;
use crate::system;

/// The certificates that are believed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Trust {
    /// Those that the system believes.
    #[default]
    System,
    /// Those in this PEM file, and no others.
    Only(PathBuf),
}

impl Trust {
    /// How to encrypt a connection. Reads the file, or the system's certificates.
    ///
    /// # Errors
    /// They cannot be read (exit 2).
    pub(crate) fn tls(&self) -> Result<Arc<ClientConfig>, Failure> {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| Failure::usage(Message::new("trust-tls").text("said", error)))?;
        let config = match self {
            Self::System => config.with_platform_verifier().map_err(|error| {
                Failure::usage(Message::new("trust-system").text("said", error))
                    .help(Message::new("trust-system-how"))
            })?,
            Self::Only(path) => config.with_root_certificates(roots(path)?),
        };
        Ok(Arc::new(config.with_no_client_auth()))
    }
}

fn roots(path: &std::path::Path) -> Result<RootCertStore, Failure> {
    let wrong = |why: Message| {
        let message = Message::new("trust-file").text("file", path.display());
        Failure::usage(message.message("why", why)).help(Message::new("trust-file-how"))
    };
    let certificates: Vec<_> = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect)
        .map_err(|error| match error {
            rustls::pki_types::pem::Error::Io(error) => wrong(system::said(&error)),
            other => wrong(Message::new("trust-no-pem").text("said", other)),
        })?;
    if certificates.is_empty() {
        return Err(wrong(Message::new("trust-no-certificate")));
    }
    let mut roots = RootCertStore::empty();
    for certificate in certificates {
        roots
            .add(certificate)
            .map_err(|error| wrong(Message::new("trust-bad-certificate").text("said", error)))?;
    }
    Ok(roots)
}
