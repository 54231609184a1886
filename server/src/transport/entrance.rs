//! Who comes in, to play or to read a page: nobody who is banned, and no more at once than there is room for.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use axum::http::request::Parts;
use axum::http::{Response, StatusCode};

use super::arrival::Arrival;
use crate::addresses::{AddressKey, ConnectionPermit, Refused};
use crate::app::App;
use crate::metrics::ByScope;
use crate::page;

/// Seconds after which a server that is full or stops may be asked again.
const COME_BACK_S: u64 = 5;

/// Why a request is not answered.
pub(super) struct Refusal {
    status: StatusCode,
    why: String,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self {
            status,
            why: why.into(),
            header: None,
        }
    }

    pub(super) fn with(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Self {
        self.header = Some((name, value.into()));
        self
    }

    pub(super) fn status(&self) -> StatusCode {
        self.status
    }

    pub(super) fn why(&self) -> &str {
        &self.why
    }

    /// The answer to a request for a page: a page where a browser asks, in the reader's language, and otherwise a line of text.
    pub(super) fn of_a_page(self, asked: &Parts) -> Response<Body> {
        let is_wait = |(name, _): &&(HeaderName, HeaderValue)| *name == RETRY_AFTER;
        let wait = self.header.as_ref().filter(is_wait);
        let wait = wait.map(|(_, value)| value.clone());
        page::turned_away(asked, self.status, wait).unwrap_or_else(|| self.into_response())
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(format!("{}\n", self.why)));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("text/plain; charset=utf-8"),
        );
        headers.extend(self.header);
        response
    }
}

/// Refuses a banned address.
pub(super) fn check_ban(app: &App, client: IpAddr) -> Result<(), Refusal> {
    let banned = app.bans.check_address(client, app.clock.now());
    banned.map_err(|banned| {
        let refusal = Refusal::new(StatusCode::FORBIDDEN, banned.words());
        match banned.wait {
            Some(wait) => refusal.with(RETRY_AFTER, wait.0.div_ceil(1_000)),
            None => refusal,
        }
    })
}

/// Takes a place for a session.
pub(super) fn for_session(
    app: &Arc<App>,
    address: AddressKey,
    arrival: Option<Arrival>,
) -> Result<ConnectionPermit, Refusal> {
    if app.lifecycle.is_draining() {
        return Err(full("the server is stopping"));
    }
    let may_open = app.addresses.may_open(address);
    let entered = may_open.and_then(|()| match arrival {
        Some(Arrival::Entered(mut permit) | Arrival::Proxied(mut permit)) => {
            permit.stay(address).map(|()| permit)
        }
        Some(Arrival::TurnedAway(Refused::Full)) => Err(Refused::Full),
        // As many short requests as the address may have are no reason against a session. And one request a connection: a second one finds its place taken.
        Some(Arrival::TurnedAway(Refused::Address(_))) | None => {
            app.addresses.enter_session(address)
        }
    });
    entered.map_err(|refused| told(app, refused))
}

/// Takes a place for one who reads a page or a file, until it is read. It may have to wait a moment for another one of its address.
pub(super) async fn for_page(
    app: &Arc<App>,
    address: AddressKey,
    arrival: Option<Arrival>,
) -> Result<ConnectionPermit, Refusal> {
    let entered = match arrival {
        Some(Arrival::Entered(permit)) => return Ok(permit),
        Some(Arrival::Proxied(permit)) => Ok(permit),
        Some(Arrival::TurnedAway(Refused::Full)) => Err(Refused::Full),
        Some(Arrival::TurnedAway(Refused::Address(_))) | None => app.addresses.enter_unnamed(),
    };
    let named = async {
        let mut permit = entered?;
        permit.name_in_time(address).await?;
        Ok(permit)
    };
    named.await.map_err(|refused| told(app, refused))
}

fn full(why: &str) -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why).with(RETRY_AFTER, COME_BACK_S)
}

/// What is answered to one for whom there is no room.
fn told(app: &App, refused: Refused) -> Refusal {
    match refused {
        Refused::Full => full("the server has as many connections as it takes"),
        Refused::Address(wait) => {
            let scope = ByScope { scope: "address" };
            app.metrics.rate_limited.get_or_create(&scope).inc();
            let why = "too many connections from your address";
            Refusal::new(StatusCode::TOO_MANY_REQUESTS, why).with(RETRY_AFTER, wait.0.as_secs() + 1)
        }
    }
}
