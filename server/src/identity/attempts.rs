//! How often anybody may try to prove who they are: for one account, and from one address.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use crate::addresses::AddressKey;
use crate::config::Limits;
use crate::ledger::{Ledger, Limit};
use crate::metrics::{ByScope, Metrics};
use crate::rate::{self, Charges, Rates};
use crate::store::AddressDigest;

/// The attempts of late. Those at accounts that are not there count as well, so that nobody learns which are.
#[derive(Debug)]
pub(super) struct Attempts {
    at_name: Rates<String>,
    /// From each address at which the account knows its owner to have signed in before: strangers who try the name elsewhere take none of these. Counted by what
    /// the account stores of the address, not by the address: among millions of addresses, many have the digest of a known one, and all of them share these attempts.
    from_known: Rates<(String, AddressDigest)>,
    /// Only of wrong ones, and of those that are being worked on.
    from_address: Charges<AddressKey>,
    /// Of players who are signed in: strangers who try their names take none of these.
    signed_in: Rates<PlayerId>,
}

impl Attempts {
    pub(super) fn new(limits: &Limits, ledger: &Arc<Ledger>) -> Self {
        let at_account = limits.logins_per_minute_per_account;
        Self {
            at_name: Rates::per_minute(at_account).over(ledger, Limit::LoginsAt),
            from_known: Rates::per_minute(at_account).over(ledger, Limit::LoginsKnown),
            from_address: Charges::per_ten_minutes(limits.logins_per_ten_minutes_per_address)
                .over(ledger, Limit::LoginsFrom),
            signed_in: Rates::per_minute(at_account).over(ledger, Limit::SignedIn),
        }
    }

    /// Other limits are in force. What was counted under a limit that changes is forgotten.
    pub(super) fn set_limits(&self, limits: &Limits) {
        let at_account = limits.logins_per_minute_per_account;
        self.at_name.adopt(&Rates::per_minute(at_account));
        self.from_known.adopt(&Rates::per_minute(at_account));
        self.signed_in.adopt(&Rates::per_minute(at_account));
        self.from_address
            .set_per_ten_minutes(limits.logins_per_ten_minutes_per_address);
    }

    /// Counts an attempt for the address, before anything is looked up.
    pub(super) fn begin(&self, address: AddressKey, metrics: &Metrics) -> Result<(), ErrorBody> {
        let from_here = self.from_address.charge(&address);
        from_here.map_err(|wait| too_many("from your address", wait, metrics))
    }

    /// Counts an attempt for the account as well, before it is checked and whatever its result. `known` are the addresses that the account knows.
    pub(super) fn begin_at(
        &self,
        name_key: &str,
        address: AddressDigest,
        known: &[AddressDigest],
        metrics: &Metrics,
    ) -> Result<(), ErrorBody> {
        let name = name_key.to_owned();
        let counted = if known.contains(&address) {
            self.from_known.check(&(name, address))
        } else {
            self.at_name.check(&name)
        };
        counted.map_err(|wait| too_many(AT_ACCOUNT, wait, metrics))
    }

    /// The attempt was not wrong, or was not worked on.
    pub(super) fn give_back(&self, address: AddressKey) {
        self.from_address.give_back(&address);
    }

    /// Counts an attempt of a player who is signed in.
    pub(super) fn begin_signed_in(
        &self,
        player: PlayerId,
        metrics: &Metrics,
    ) -> Result<(), ErrorBody> {
        let counted = self.signed_in.check(&player);
        counted.map_err(|wait| too_many(AT_ACCOUNT, wait, metrics))
    }

    /// Forgets those of long ago.
    pub(super) fn tidy(&self) {
        self.at_name.tidy();
        self.from_known.tidy();
        self.from_address.tidy();
        self.signed_in.tidy();
    }
}

const AT_ACCOUNT: &str = "at this account";

fn too_many(place: &str, wait: Duration, metrics: &Metrics) -> ErrorBody {
    let scope = "login";
    metrics.rate_limited.get_or_create(&ByScope { scope }).inc();
    let words = format!("too many attempts {place}");
    ErrorBody::new(ErrorCode::TooManyAttempts, words).retry_after_ms(rate::in_ms(wait))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use crate::store::AddressSecret;

    #[tokio::test(start_paused = true)]
    async fn addresses_that_share_a_known_digest_share_its_attempts() {
        let secret = AddressSecret::from([1; 32]);
        let digest =
            |number: u32| AddressKey::from(IpAddr::V4(Ipv4Addr::from_bits(number))).digest(&secret);
        let owner = digest(1);
        let (metrics, limits) = (Metrics::default(), Limits::default());
        let attempts = Attempts::new(&limits, &Ledger::alone());
        // The first of those that have the same digest.
        let same = [33_601, 125_137, 140_012, 141_662].map(digest);
        assert_eq!(same, [owner; 4]);
        let tries = same.repeat(5).into_iter();
        let made = tries.filter(|here| attempts.begin_at("ada", *here, &[owner], &metrics).is_ok());
        assert_eq!(made.count(), limits.logins_per_minute_per_account as usize);
        attempts
            .begin_at("ada", digest(2), &[owner], &metrics)
            .expect("others have their own");
    }
}
