//! TLS that the server ends itself: a certificate and its key from two PEM files, read anew when the files change.
//!
//! Connections that are open keep what they began with; new ones get the new certificate. Files that do not fit each other are refused at
//! the start, and later leave the old certificate in use.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, ServerConfig,
    SignatureScheme,
};
use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::exit::{Exit, Failure};

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(2);

/// What is wrong with a certificate or its key: the file, and how to mend it.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or is not PEM of the right kind.
    #[error("{key}: {}: {why}", path.display())]
    File {
        /// The setting that names the file.
        key: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The two do not belong together.
    #[error(
        "tls_key: {} is not the key of the certificate in {}; name the two files that were made together",
        key.display(), cert.display()
    )]
    Mismatch {
        /// The file of the certificate.
        cert: PathBuf,
        /// The file of the key.
        key: PathBuf,
    },
}

impl From<TlsError> for Failure {
    fn from(error: TlsError) -> Self {
        Self::new(Exit::Configuration, error.to_string())
    }
}

/// Identity, size and time of a file: when they change, its content has.
type Stamp = (u64, u64, i64, i64);

/// The certificate that new connections are shown.
#[derive(Debug)]
pub struct Certificates {
    cert: PathBuf,
    key: PathBuf,
    current: RwLock<Arc<CertifiedKey>>,
    seen: Mutex<Seen>,
}

/// The files when they were last read.
#[derive(Debug)]
struct Seen {
    stamps: [Option<Stamp>; 2],
    /// Why they could not be used then.
    fault: Option<String>,
}

/// Who vouches for a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Issuer {
    /// An authority: whether clients trust it is not known here.
    Another,
    /// The certificate itself: clients need a copy of it.
    Itself,
    /// It is the certificate of an authority (CA:TRUE), which the `grundy` command does not accept from a server.
    Authority,
}

/// What a look at the files has found.
#[derive(Debug)]
enum Look {
    /// Nothing that was not known.
    Same,
    /// A new certificate is in use.
    New,
    /// The files cannot be used for another reason than at the last look.
    Unusable(TlsError),
}

impl Certificates {
    /// Reads the files that the configuration names; `None` where it names none.
    ///
    /// # Errors
    /// A file cannot be read, is not PEM, lets others read the key, or the two do not fit.
    pub fn of(config: &Config) -> Result<Option<Arc<Self>>, TlsError> {
        match (&config.tls_cert, &config.tls_key) {
            (Some(cert), Some(key)) => Self::load(cert, key).map(|this| Some(Arc::new(this))),
            _ => Ok(None),
        }
    }

    fn load(cert: &Path, key: &Path) -> Result<Self, TlsError> {
        let stamps = [stamp(cert), stamp(key)];
        let current = read(cert, key)?;
        Ok(Self {
            cert: cert.to_owned(),
            key: key.to_owned(),
            current: RwLock::new(Arc::new(current)),
            seen: Mutex::new(Seen {
                stamps,
                fault: None,
            }),
        })
    }

    /// Reads the files again, whether or not they seem to have changed; whether there is a new certificate.
    ///
    /// # Errors
    /// As at the start, for as long as the files cannot be used; the old certificate stays.
    pub fn refresh(&self) -> Result<bool, TlsError> {
        self.read_into(&mut self.seen())
    }

    /// Reads the files again if they have changed since they were last read, or could not be used then: their mode may have been corrected,
    /// which no stamp shows.
    fn look(&self) -> Look {
        let mut seen = self.seen();
        if seen.fault.is_none() && seen.stamps == self.stamps() {
            return Look::Same;
        }
        let before = seen.fault.clone();
        match self.read_into(&mut seen) {
            Ok(true) => Look::New,
            Err(error) if before != seen.fault => Look::Unusable(error),
            Ok(false) | Err(_) => Look::Same,
        }
    }

    fn read_into(&self, seen: &mut Seen) -> Result<bool, TlsError> {
        // Before the files are read: what changes meanwhile is then read again at the next look.
        seen.stamps = self.stamps();
        let read = read(&self.cert, &self.key);
        seen.fault = read.as_ref().err().map(ToString::to_string);
        let new = read?;
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let is_new = current.cert != new.cert;
        *current = Arc::new(new);
        Ok(is_new)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stamps(&self) -> [Option<Stamp>; 2] {
        [stamp(&self.cert), stamp(&self.key)]
    }

    /// Looks at the files again and again until the server stops. Says once why they cannot be used, and again when the reason is another.
    pub async fn watch(self: Arc<Self>, draining: CancellationToken) {
        while draining
            .run_until_cancelled(tokio::time::sleep(LOOK))
            .await
            .is_some()
        {
            match self.look() {
                Look::Same => {}
                Look::New => tracing::info!(file = %self.cert.display(), "new certificate"),
                Look::Unusable(error) => {
                    tracing::warn!(%error, "the files of the certificate have changed, but cannot be used; the old certificate stays");
                }
            }
        }
    }

    /// How connections are encrypted, with the certificate of the moment.
    ///
    /// # Panics
    /// Never: the versions of TLS are those of the provider.
    #[must_use]
    pub fn server(self: &Arc<Self>) -> Arc<ServerConfig> {
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .expect("the provider has the default versions")
            .with_no_client_auth()
            .with_cert_resolver(self.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Arc::new(config)
    }

    /// For a client on this machine that wants to reach this server and no other, whatever name it is called by.
    ///
    /// # Panics
    /// Never: as [`Self::server`].
    #[must_use]
    pub fn client(&self) -> ClientConfig {
        let current = self.current();
        let certificate = current.cert.first().expect("read() wants one").clone();
        ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .expect("the provider has the default versions")
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(JustThis {
                certificate,
                signatures: provider(),
            }))
            .with_no_client_auth()
    }

    /// The SHA-256 of the certificate that new connections are shown, in hexadecimal digits: what `openssl x509 -noout -fingerprint -sha256`
    /// prints, without colons.
    ///
    /// # Panics
    /// Never: a certificate in use has at least one part.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let current = self.current();
        let certificate = current.cert.first().expect("read() wants one");
        let hash = Sha256::digest(certificate);
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Who vouches for the certificate that is shown to new connections.
    #[must_use]
    pub fn issuer(&self) -> Issuer {
        let current = self.current();
        let Some(certificate) = current.cert.first() else {
            return Issuer::Another;
        };
        let mut own = RootCertStore::empty();
        if own.add(certificate.clone()).is_err() {
            return Issuer::Another;
        }
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(own), provider());
        let (Ok(verifier), Ok(name)) = (verifier.build(), ServerName::try_from("localhost")) else {
            return Issuer::Another;
        };
        let verified = verifier.verify_server_cert(certificate, &[], &name, &[], UnixTime::now());
        match verified {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::UnknownIssuer | CertificateError::BadSignature,
            )) => Issuer::Another,
            Err(rustls::Error::InvalidCertificate(CertificateError::Other(error)))
                if error.to_string().contains("CaUsedAsEndEntity") =>
            {
                Issuer::Authority
            }
            // For another name, or expired: it is its own issuer all the same.
            _ => Issuer::Itself,
        }
    }

    fn current(&self) -> Arc<CertifiedKey> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        current.clone()
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current())
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some((file.ino(), file.size(), file.mtime(), file.mtime_nsec()))
}

fn read(cert: &Path, key: &Path) -> Result<CertifiedKey, TlsError> {
    let fault = |name, path: &Path, why: String| TlsError::File {
        key: name,
        path: path.to_owned(),
        why,
    };
    let chain: Vec<_> = CertificateDer::pem_file_iter(cert)
        .and_then(Iterator::collect)
        .map_err(|error| fault("tls_cert", cert, words(&error)))?;
    if chain.is_empty() {
        let why = "there is no certificate in it (a PEM file has a line BEGIN CERTIFICATE)";
        return Err(fault("tls_cert", cert, why.to_owned()));
    }
    let mode = fs::metadata(key)
        .map_err(|error| fault("tls_key", key, error.to_string()))?
        .mode();
    if mode & 0o007 != 0 {
        let why = format!(
            "every user of this machine can read it; run: chmod 600 {}",
            key.display()
        );
        return Err(fault("tls_key", key, why));
    }
    let private =
        PrivateKeyDer::from_pem_file(key).map_err(|error| fault("tls_key", key, words(&error)))?;
    let certified = CertifiedKey::from_der(chain, private, &provider());
    certified.map_err(|error| match error {
        rustls::Error::InconsistentKeys(_) => TlsError::Mismatch {
            cert: cert.to_owned(),
            key: key.to_owned(),
        },
        rustls::Error::InvalidCertificate(_) => fault("tls_cert", cert, error.to_string()),
        other => fault("tls_key", key, other.to_string()),
    })
}

/// What is wrong with a PEM file.
fn words(error: &rustls::pki_types::pem::Error) -> String {
    use rustls::pki_types::pem::Error;
    match error {
        Error::NoItemsFound => {
            "there is no private key in it (a PEM file has a line BEGIN PRIVATE KEY)".to_owned()
        }
        Error::Io(error) => io::Error::to_string(error),
        other => format!("not a PEM file: {other}"),
    }
}

/// Believes one certificate and no other.
#[derive(Debug)]
struct JustThis {
    certificate: CertificateDer<'static>,
    signatures: Arc<CryptoProvider>,
}

impl ServerCertVerifier for JustThis {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        match *end_entity == self.certificate {
            true => Ok(ServerCertVerified::assertion()),
            false => Err(CertificateError::ApplicationVerificationFailure.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.signatures.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.signatures.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signatures
            .signature_verification_algorithms
            .supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// Writes a certificate and its key, as made together.
    fn write(directory: &Path, [cert, key]: [&str; 2]) {
        let path = |name| directory.join(name);
        fs::write(path("cert"), cert).expect("our file");
        fs::write(path("key"), key).expect("our file");
        fs::set_permissions(path("key"), fs::Permissions::from_mode(0o600)).expect("our file");
    }

    fn made() -> [String; 2] {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("one");
        [made.cert.pem(), made.signing_key.serialize_pem()]
    }

    #[test]
    fn a_certificate_without_an_authority_and_one_of_an_authority_are_known() {
        let directory = tempfile::tempdir().expect("a directory");
        let home = directory.path();
        let issuer = |files: [String; 2]| {
            write(home, [&files[0], &files[1]]);
            let certificates = Certificates::load(&home.join("cert"), &home.join("key"));
            certificates.expect("they fit").issuer()
        };
        assert_eq!(issuer(made()), Issuer::Itself);
        let elsewhere = rcgen::generate_simple_self_signed(["play.example".to_owned()]);
        let elsewhere = elsewhere.expect("one");
        let files = [elsewhere.cert.pem(), elsewhere.signing_key.serialize_pem()];
        assert_eq!(issuer(files), Issuer::Itself, "for another name");
        let mut terms = rcgen::CertificateParams::new(["localhost".to_owned()]).expect("terms");
        terms.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let key = rcgen::KeyPair::generate().expect("a key");
        let authority = terms.self_signed(&key).expect("one");
        let files = [authority.pem(), key.serialize_pem()];
        assert_eq!(issuer(files), Issuer::Authority);
        let signer = rcgen::Issuer::new(terms, &key);
        let own = rcgen::KeyPair::generate().expect("a key");
        let terms = rcgen::CertificateParams::new(["localhost".to_owned()]).expect("terms");
        let signed = terms.signed_by(&own, &signer).expect("one");
        let files = [signed.pem(), own.serialize_pem()];
        assert_eq!(issuer(files), Issuer::Another);
    }

    #[test]
    fn files_are_refused_at_every_refresh_until_they_can_be_used_and_a_look_says_so_once() {
        let directory = tempfile::tempdir().expect("a directory");
        let (home, [old, new]) = (directory.path(), [made(), made()]);
        write(home, [&old[0], &old[1]]);
        let certificates = Certificates::load(&home.join("cert"), &home.join("key"));
        let certificates = certificates.expect("they fit");
        let first = certificates.fingerprint();
        assert!(matches!(certificates.look(), Look::Same));
        assert!(!certificates.refresh().expect("they fit"));
        write(home, [&new[0], &old[1]]);
        assert!(matches!(certificates.look(), Look::Unusable(_)));
        for _ in 0..2 {
            let refused = certificates.refresh();
            assert!(
                matches!(refused, Err(TlsError::Mismatch { .. })),
                "{refused:?}"
            );
            assert!(matches!(certificates.look(), Look::Same), "said already");
        }
        write(home, [&new[0], &new[1][..new[1].len() / 2]]);
        assert!(matches!(certificates.look(), Look::Unusable(_)));
        assert_eq!(certificates.fingerprint(), first);
        // Good files that everybody can read, until their mode is corrected, which changes none of the stamps.
        write(home, [&new[0], &new[1]]);
        let mode = |mode| fs::set_permissions(home.join("key"), fs::Permissions::from_mode(mode));
        mode(0o644).expect("our file");
        assert!(matches!(certificates.look(), Look::Unusable(_)));
        assert!(certificates.refresh().is_err());
        mode(0o600).expect("our file");
        assert!(matches!(certificates.look(), Look::New));
        assert!(!certificates.refresh().expect("the same again"));
        assert_ne!(certificates.fingerprint(), first);
    }
}
