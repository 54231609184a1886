//! `grundy watch`: a match that others play.

use std::path::PathBuf;

use clap::Args;

use crate::account::sign_in;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::remote::{Manner, attach};
use crate::reading::match_id;
use crate::session::match_view::{MatchView, Ours};
use crate::session::{Opening, Session};

/// Arguments of `watch`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  grundy watch 7Kq2mVx9Rt")]
pub(crate) struct Arguments {
    /// The match
    #[arg(value_name = "MATCH")]
    match_id: String,
    /// Write the record of the match to this file at the end
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl Arguments {
    /// Watches until the match is over.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let match_id = match_id(&self.match_id)?;
        let signed_in = sign_in(context, 0).await?;
        let now = signed_in.welcome.now;
        let server = context.config.server().clone();
        let patience = context.config.timeout();
        let link = attach(signed_in, server, match_id, Manner::Watching, patience).await?;
        let view = MatchView::new(match_id, Ours::Neither);
        Session::new(context, link, view, Opening::Attached)
            .at_server_time(now)
            .recording(self.record)
            .run()
            .await
    }
}
