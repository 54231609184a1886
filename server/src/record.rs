//! The record of a match that is over, as its canonical bytes: the head of its chain, and its lines as they are stored.

use std::sync::Arc;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use futures::Stream;
use futures::stream::try_unfold;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::ErrorBody;
use grundy_shared::protocol::server::Chain;
use grundy_shared::{chain, record};

use crate::app::App;
use crate::store::{LOAD_PAGE, Logged};

/// What the log of a match comes to. Cost: linear in its events, a page of which is in memory at once.
///
/// # Errors
/// The log cannot be read.
pub async fn chain(app: &App, id: MatchId) -> Result<Chain, ErrorBody> {
    let (mut head, mut last) = (chain::genesis(id), Seq(0));
    loop {
        let page = page(app, id, last).await?;
        let Some(newest) = page.last() else {
            return Ok(Chain {
                events: last.0,
                head: HEXLOWER.encode(&head),
            });
        };
        last = newest.seq;
        for logged in &page {
            head = chain::link(&head, &logged.body);
        }
    }
}

/// The record of a match that is over, a page of its log at a time.
///
/// # Errors
/// The log cannot be read. Where that happens later, the record ends early, which its first line shows to every reader.
pub async fn stream(
    app: Arc<App>,
    id: MatchId,
) -> Result<impl Stream<Item = Result<Bytes, String>> + Send, ErrorBody> {
    let Chain { events, head } = chain(&app, id).await?;
    let header = Bytes::from(record::header(id, events, &head));
    Ok(try_unfold(
        (app, Some(header), Seq(0)),
        move |state| async move {
            let (app, header, last) = state;
            if let Some(header) = header {
                return Ok(Some((header, (app, None, last))));
            }
            let page = page(&app, id, last).await;
            let page = page.map_err(|error| error.message)?;
            let Some(newest) = page.last().map(|newest| newest.seq) else {
                return Ok(None);
            };
            let lines: Vec<u8> = page
                .iter()
                .flat_map(|logged| record::line(logged.seq, &logged.body))
                .collect();
            Ok(Some((Bytes::from(lines), (app, None, newest))))
        },
    ))
}

/// The events after this one: as many as the store gives at once.
async fn page(app: &App, id: MatchId, after: Seq) -> Result<Vec<Logged>, ErrorBody> {
    let page = app.store.load(id.into(), after, LOAD_PAGE).await;
    let page = page.map_err(|error| app.matches.unreadable(id, &error))?;
    Ok(page.unwrap_or_default())
}
