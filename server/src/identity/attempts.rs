//! How often anybody may try to prove who they are: for one account, and from one address.

use grundy_shared::protocol::{ErrorBody, ErrorCode};

use crate::addresses::AddressKey;
use crate::config::Limits;
use crate::metrics::{ByScope, Metrics};
use crate::rate::Rates;

/// The attempts of late. Those at accounts that are not there count as well, so that nobody learns which are.
#[derive(Debug)]
pub(super) struct Attempts {
    at_account: Rates<String>,
    from_address: Rates<AddressKey>,
}

impl Attempts {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            at_account: Rates::per_minute(limits.logins_per_minute_per_account),
            from_address: Rates::per_ten_minutes(limits.logins_per_ten_minutes_per_address),
        }
    }

    /// Counts an attempt before it is worked on, whatever comes of it.
    pub(super) fn count(
        &self,
        address: Option<AddressKey>,
        name_key: &str,
        metrics: &Metrics,
    ) -> Result<(), ErrorBody> {
        let from_here = address.map_or(Ok(()), |address| self.from_address.check(&address));
        let counted = match from_here {
            Err(wait) => Err(("from your address", wait)),
            Ok(()) => {
                let counted = self.at_account.check(&name_key.to_owned());
                counted.map_err(|wait| ("at this account", wait))
            }
        };
        counted.map_err(|(place, wait)| {
            let scope = "login";
            metrics.rate_limited.get_or_create(&ByScope { scope }).inc();
            let wait = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            let words = format!("too many attempts {place}");
            ErrorBody::new(ErrorCode::TooManyAttempts, words).retry_after_ms(wait.saturating_add(1))
        })
    }

    /// Forgets those of long ago.
    pub(super) fn tidy(&self) {
        self.at_account.tidy();
        self.from_address.tidy();
    }
}
