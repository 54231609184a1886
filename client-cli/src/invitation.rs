//! What a friend needs to join a match: a code, the server, and the line to type.

use grundy_shared::ids::JoinCode;
use grundy_words::Message;
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

use crate::address::Address;
use crate::trust::Trust;

/// An invitation to a match.
#[derive(Debug)]
pub(crate) struct Invitation {
    code: JoinCode,
    /// The server, by the address at which the friend reaches it.
    server: Address,
    expires_at_ms: Option<u64>,
}

impl Invitation {
    /// `public` is the address that the server gives for itself; without one it is the address by which we have reached it.
    pub(crate) fn new(
        code: JoinCode,
        ours: &Address,
        public: Option<&str>,
        expires_at_ms: Option<u64>,
    ) -> Self {
        let public = public.and_then(|public| Address::parse(public).ok());
        let server = match public {
            Some(public) => public.trusting(ours.trust().clone()),
            None => ours.clone(),
        };
        Self {
            code,
            server,
            expires_at_ms,
        }
    }

    /// The code.
    pub(crate) fn code(&self) -> JoinCode {
        self.code
    }

    /// When the code expires, in the server's time, in milliseconds.
    pub(crate) fn expires_at_ms(&self) -> Option<u64> {
        self.expires_at_ms
    }

    /// The line to type, whole.
    pub(crate) fn command(&self) -> String {
        let trust = match self.server.trust() {
            Trust::Only(file) => format!(" --ca {}", file.display()),
            Trust::System => String::new(),
        };
        format!("grundy join {} --server {}{trust}", self.code, self.server)
    }

    /// A page that says what to type.
    pub(crate) fn link(&self) -> String {
        format!("{}/j/{}", self.server, self.code)
    }

    /// What the friend needs besides the line, if anything.
    pub(crate) fn advice(&self) -> Option<Message> {
        if self.server.is_loopback() {
            return Some(Message::new("invitation-here").text("server", &self.server));
        }
        match self.server.trust() {
            Trust::Only(file) => {
                Some(Message::new("invitation-certificate").text("file", file.display()))
            }
            Trust::System => None,
        }
    }

    /// The link as a QR code for a terminal with light letters on a dark ground; `None` if nobody else can follow the link.
    pub(crate) fn qr(&self) -> Option<String> {
        if self.server.is_loopback() {
            return None;
        }
        let code = QrCode::with_error_correction_level(self.link(), EcLevel::L).ok()?;
        Some(
            code.render::<Dense1x2>()
                .dark_color(Dense1x2::Light)
                .light_color(Dense1x2::Dark)
                .build(),
        )
    }
}

#[cfg(test)]
mod tests {
    use grundy_words::{Catalogue, Language};

    use super::*;

    fn invitation(ours: &str, public: Option<&str>) -> Invitation {
        let code = "KWQHRMTB".parse().expect("a code");
        let ours = Address::parse(ours).expect("an address");
        Invitation::new(code, &ours, public, None)
    }

    #[test]
    fn the_public_address_is_the_one_to_type() {
        let here = invitation("http://127.0.0.1:7310", None);
        assert!(here.command().ends_with("--server http://127.0.0.1:7310"));
        assert!(
            here.advice()
                .expect("words")
                .said(Catalogue::of(Language::English))
                .contains("only on this computer")
        );
        assert_eq!(here.qr(), None);
        let there = invitation("http://127.0.0.1:7310", Some("https://play.example"));
        assert!(there.command().ends_with("--server https://play.example"));
        assert!(there.link().starts_with("https://play.example/j/"));
        assert!(there.advice().is_none());
        assert!(
            there
                .qr()
                .expect("a code")
                .lines()
                .all(|line| line.chars().count() <= 40)
        );
    }

    #[test]
    fn a_certificate_of_ones_own_is_part_of_it() {
        let code = "KWQHRMTB".parse().expect("a code");
        let ours = Address::parse("https://192.168.1.5:7310").expect("an address");
        let ours = ours.trusting(Trust::Only("cert.pem".into()));
        let invitation = Invitation::new(code, &ours, None, None);
        assert!(invitation.command().ends_with("--ca cert.pem"));
        let advice = invitation.advice().expect("words");
        assert!(
            advice
                .said(Catalogue::of(Language::English))
                .contains("cert.pem")
        );
    }
}
