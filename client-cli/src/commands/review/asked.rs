//! The review of a match that its server has stored, or makes when it is asked.

use std::time::Duration;

use grundy_shared::ids::{MatchId, Ply};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::PAGE_MAX;
use grundy_shared::protocol::client::{self, Cancel, Ping};
use grundy_shared::protocol::server::{Notice, Reply};
use grundy_shared::review::Review;
use grundy_words::{Catalogue, Message};
use tokio::time::{Instant, sleep, timeout};

use crate::account::sign_in;
use crate::connection::{Answer, Connection, Incoming, lost, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress_line::ProgressLine;

/// Asks the server for the review of this match, and shows on the line how far that has come. `None` if the user pressed Ctrl-C: the server then
/// stops working on it.
///
/// # Errors
/// The server is not there, or it refuses; see [`is_for_own_solver`].
pub(super) async fn review(
    context: &Context,
    match_id: MatchId,
    line: &ProgressLine,
) -> Result<Option<Review>, Failure> {
    let mut connection = sign_in(context, 0).await?.connection;
    let mut asking = Asking {
        connection: &mut connection,
        match_id,
        line,
        words: context.output.words(),
        asked: None,
    };
    let review = tokio::select! {
        biased;
        review = asking.whole() => Some(review),
        _ = tokio::signal::ctrl_c() => None,
    };
    if review.is_none() {
        asking.cancel().await;
    }
    connection.close().await;
    review.transpose()
}

/// Whether the server has refused because of its own limits, so that the review can be made on this computer.
pub(super) fn is_for_own_solver(failure: &Failure) -> bool {
    let limits = [
        ErrorCode::AnalysisTooLarge,
        ErrorCode::ServerBusy,
        ErrorCode::AnalysisRunning,
        ErrorCode::RateLimited,
        ErrorCode::MissingScope,
        // It is older than the request, or than its fields.
        ErrorCode::UnknownType,
        ErrorCode::UnknownField,
    ];
    limits.into_iter().any(|code| failure.has_code(code)) || failure.exit() == Exit::Protocol
}

/// A review that is being asked for.
struct Asking<'a> {
    connection: &'a mut Connection,
    match_id: MatchId,
    line: &'a ProgressLine,
    words: &'static Catalogue,
    /// The request that was sent last.
    asked: Option<u64>,
}

/// Time between two looks at the line.
const LOOK_EVERY: Duration = Duration::from_millis(500);

impl Asking<'_> {
    /// All pages.
    async fn whole(&mut self) -> Result<Review, Failure> {
        let (mut review, mut next) = self.page(Ply(0)).await?;
        while let Some(after) = next {
            let (page, following) = self.page(after).await?;
            // A server that repeats itself would be read for ever.
            if following.is_some_and(|following| following <= after) {
                return Err(unreadable("its pages do not follow each other"));
            }
            review.add_page(page);
            next = following;
        }
        match review.has_all_plies() {
            true => Ok(review),
            false => Err(unreadable("it lacks plies")),
        }
    }

    /// One page, and after which ply the next one begins. Where the server wants to be asked more slowly, asks again when it may.
    async fn page(&mut self, after_ply: Ply) -> Result<(Review, Option<Ply>), Failure> {
        let patience = self.connection.patience();
        loop {
            let asked = client::Review {
                match_id: self.match_id.to_string(),
                after_ply,
                limit: Some(PAGE_MAX),
                progress: true,
            };
            let id = self.connection.send(asked).await?;
            self.asked = Some(id);
            match self.answer(id).await {
                Ok(Reply::Reviewed {
                    review,
                    next_after_ply,
                    ..
                }) => {
                    let page = Review::read(review.get());
                    let page = page.map_err(|error| unreadable(&error.to_string()))?;
                    return Ok((page, next_after_ply));
                }
                Ok(other) => return Err(unexpected(&other)),
                Err(failure) => match failure.slow_down(patience) {
                    Some(wait) => sleep(wait).await,
                    None => return Err(failure),
                },
            }
        }
    }

    /// The answer to this request. As long as the server says how far it has come, it is waited for.
    async fn answer(&mut self, id: u64) -> Answer {
        let patience = self.connection.patience();
        let mut words = String::new();
        let (mut heard_at, mut pinged) = (Instant::now(), false);
        loop {
            let heard = timeout(LOOK_EVERY.min(patience), self.connection.receive());
            let Ok(heard) = heard.await else {
                self.line.show(&words);
                // The server says nothing as long as nothing has changed: a ping tells whether it is there.
                match (heard_at.elapsed() < patience, pinged) {
                    (true, _) => {}
                    (false, true) => return Err(lost("it does not answer")),
                    (false, false) => {
                        self.connection.send(Ping {}).await?;
                        (heard_at, pinged) = (Instant::now(), true);
                    }
                }
                continue;
            };
            (heard_at, pinged) = (Instant::now(), false);
            match heard? {
                Incoming::Reply(re, answer) if re == id => return *answer,
                Incoming::Notice(Notice::Reviewing {
                    request,
                    place,
                    positions_done,
                    positions,
                    ..
                }) if request == id => {
                    words = match place {
                        Some(place) => Message::new("reviewed-place").text("place", place),
                        None => Message::new("reviewed-progress")
                            .text("done", positions_done)
                            .text("positions", positions),
                    }
                    .said(self.words);
                    self.line.show(&words);
                }
                // Matches of the user go on meanwhile.
                _ => {}
            }
        }
    }

    /// Cancels the request. It may be answered already, so nothing follows from the reply.
    async fn cancel(&mut self) {
        if let Some(request) = self.asked {
            let _ = self.connection.ask(Cancel { request }).await;
        }
    }
}

/// A review that this client cannot read: the server is of another version.
fn unreadable(why: &str) -> Failure {
    Failure::not_understood(Message::new("not-understood-review").text("said", why))
        .help(Message::new("update-older"))
}
