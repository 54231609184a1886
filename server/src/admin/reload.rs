//! Reads the configuration again while the server runs: on request, and on SIGHUP.

use std::sync::Arc;

use grundy_shared::protocol::ErrorBody;

use crate::app::App;
use crate::audit::{Actor, Change};
use crate::config::{Config, ConfigError};
use crate::lifecycle::Hangups;
use crate::logging::Log;
use crate::matches::refusal;
use crate::operator::{AdminError, AdminReply, Reloaded};
use crate::tls::Certificates;

/// Where the configuration comes from, and what else is read again with it.
pub struct Configuration {
    read: Box<dyn Fn() -> Result<Config, ConfigError> + Send + Sync>,
    certificates: Option<Arc<Certificates>>,
    log: Option<Log>,
}

impl Configuration {
    /// `read` reads it anew from where the process has read it at its start. Without a log, its filter stays as it is.
    #[must_use]
    pub fn new(
        read: impl Fn() -> Result<Config, ConfigError> + Send + Sync + 'static,
        certificates: Option<Arc<Certificates>>,
        log: Option<Log>,
    ) -> Self {
        Self {
            read: Box::new(read),
            certificates,
            log,
        }
    }

    /// Reloads at every SIGHUP until the server begins to stop.
    pub async fn obey(self: Arc<Self>, app: Arc<App>, mut hangups: Hangups) {
        let draining = app.lifecycle.draining();
        while let Some(Some(())) = draining.run_until_cancelled(hangups.next()).await {
            if let Err(error) = self.reload(&app, Actor::Signal {}).await {
                tracing::error!(error = error.message, "the configuration is not read again");
            }
        }
    }

    /// Reads the configuration again. If anything in it is wrong, the one in force stays.
    pub(super) async fn reload(&self, app: &App, by: Actor) -> Result<AdminReply, ErrorBody> {
        let asked = app.audit.ask(by, Change::Reload {}, None, Vec::new()).await;
        let asked = asked.map_err(|error| refusal::of_commit(&error))?;
        let (outcome, reply) = match self.read_again(app) {
            Ok(reloaded) => {
                tracing::info!(
                    changed = reloaded.changed.join(", "),
                    needs_restart = reloaded.needs_restart.join(", "),
                    "the configuration was read again"
                );
                let words = format!(
                    "{} in force, {} need a restart",
                    reloaded.changed.len(),
                    reloaded.needs_restart.len()
                );
                (Ok(words), AdminReply::Reloaded(reloaded))
            }
            Err(why) => {
                tracing::error!(
                    error = why,
                    "the configuration is not valid, and the one in force stays"
                );
                let message = format!("{why}; the configuration in force stays");
                let error = AdminError {
                    code: "bad_configuration".to_owned(),
                    message: message.clone(),
                };
                (Err(message), AdminReply::Error(error))
            }
        };
        app.audit.answer(asked, outcome).await;
        Ok(reply)
    }

    fn read_again(&self, app: &App) -> Result<Reloaded, String> {
        let new = (self.read)().map_err(|error| error.to_string())?;
        // First what can fail and changes nothing.
        app.config.merge(&new).map_err(|error| error.to_string())?;
        self.read_certificates(&new)?;
        let changed = app.config.reload(&new).map_err(|error| error.to_string())?;
        if let Some(log) = &self.log
            && changed.live.contains(&"log")
        {
            log.set_filter(&app.config.current().log);
        }
        let config = app.config.current();
        app.addresses.set_limits(&config);
        if changed.live.contains(&"trusted.addresses") {
            app.trust_connected();
        }
        app.identities.set_limits(&config.limits);
        app.chats.set_limits(&config.limits);
        app.quotas.set_limits(&config.quotas);
        app.admission.set_bounds(&config.overload);
        let owned = |keys: Vec<&str>| keys.into_iter().map(str::to_owned).collect();
        Ok(Reloaded {
            changed: owned(changed.live),
            needs_restart: owned(changed.at_restart),
            certificate_sha256: self.certificates.as_ref().map(|used| used.fingerprint()),
        })
    }

    /// Reads the files of the certificate again, also where they seem to be the same, and those that a restart would read: the new
    /// configuration may name others.
    fn read_certificates(&self, new: &Config) -> Result<(), String> {
        let named = Certificates::of(new);
        let read = named.and_then(|_| match &self.certificates {
            Some(used) => used.refresh().map(drop),
            None => Ok(()),
        });
        read.map_err(|error| match self.certificates {
            Some(_) => format!("{error}; the old certificate stays in use"),
            None => error.to_string(),
        })
    }
}
