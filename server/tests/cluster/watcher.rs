//! A watcher of the matches of a pair, on another node than both players, who goes to another one when that one fails, and writes down everything that was heard.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::client::{Hello, Ping, Watch};
use grundy_shared::protocol::{ClientMessage, Reply};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::journal::Journal;
use crate::player::{ANSWER, PAUSE, SILENT, Table};
use crate::wire::{Failed, Heard, Wire};

/// A watcher.
pub(crate) struct Watcher {
    row: usize,
    table: Arc<Table>,
    at: usize,
    matches: watch::Receiver<Option<MatchId>>,
    /// What is watched, and the last event of it that was heard.
    watched: Option<(MatchId, Seq)>,
    journal: Journal,
    path: PathBuf,
    requests: u64,
}

impl Watcher {
    /// Of these matches, each as soon as it is played. It begins on this node.
    pub(crate) fn new(
        table: &Arc<Table>,
        matches: watch::Receiver<Option<MatchId>>,
        row: usize,
        at: usize,
    ) -> Self {
        let path = table.directory.join(format!("watcher-{row}.journal"));
        Self {
            row,
            table: Arc::clone(table),
            at: at % table.nodes.len(),
            matches,
            watched: None,
            journal: Journal::create(&path),
            path,
            requests: 0,
        }
    }

    /// Where the journal is.
    pub(crate) fn journal(&self) -> &Path {
        &self.path
    }

    /// Watches match after match until it is to finish.
    pub(crate) async fn watch(mut self, finish: CancellationToken) {
        while !finish.is_cancelled() {
            tokio::select! {
                Err(Failed) = self.visit() => {}
                () = finish.cancelled() => return,
            }
            self.at = (self.at + 1) % self.table.nodes.len();
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Watches on one node until it fails.
    async fn visit(&mut self) -> Result<(), Failed> {
        let connecting = Wire::connect(&self.table.nodes[self.at]);
        let mut wire = timeout(SILENT, connecting).await.map_err(|_| Failed)??;
        let hello = Hello {
            protocol: 1,
            client: Some("cluster/1".to_owned()),
            token: None,
            name: None,
            bot: None,
            session: true,
            language: None,
        };
        let welcome = self.ask(&mut wire, hello).await?;
        let Reply::Welcome { .. } = welcome else {
            return Err(Failed);
        };
        self.matches.mark_changed();
        loop {
            let heard = tokio::select! {
                changed = self.matches.changed() => {
                    // The players have gone, and it finishes soon.
                    changed.map_err(|_| Failed)?;
                    self.turn_to_the_newest(&mut wire).await?;
                    continue;
                }
                heard = timeout(SILENT, wire.hear(&mut self.journal)) => heard,
            };
            match heard {
                Ok(heard) => self.take(&heard?),
                // The players take long, or this server says nothing more: that shows.
                Err(_) => {
                    self.ask(&mut wire, Ping {}).await?;
                }
            }
        }
    }

    async fn turn_to_the_newest(&mut self, wire: &mut Wire) -> Result<(), Failed> {
        let Some(id) = *self.matches.borrow_and_update() else {
            return Ok(());
        };
        if self.watched.is_none_or(|(watched, _)| watched != id) {
            self.watched = Some((id, Seq(0)));
        }
        let since = self.watched.map_or(Seq(0), |(_, since)| since);
        let watch = Watch {
            match_id: id.to_string(),
            since_seq: since,
        };
        match self.ask(wire, watch).await? {
            Reply::Attached { .. } => Ok(()),
            _ => Err(Failed),
        }
    }

    async fn ask(
        &mut self,
        wire: &mut Wire,
        request: impl Into<ClientMessage>,
    ) -> Result<Reply, Failed> {
        self.requests += 1;
        let number = self.requests;
        wire.send(&mut self.journal, number, request.into()).await?;
        let answer = async {
            loop {
                let heard = wire.hear(&mut self.journal).await?;
                self.take(&heard);
                if let Heard::Reply(id, reply) = heard
                    && id == number
                {
                    return Ok(reply);
                }
            }
        };
        timeout(ANSWER, answer).await.map_err(|_| Failed)?
    }

    fn take(&mut self, heard: &Heard) {
        let Heard::Event(id, seq, event) = heard else {
            return;
        };
        if let Some((watched, last)) = &mut self.watched
            && watched == id
        {
            assert_eq!(*seq, last.next(), "a watcher of {id} misses nothing");
            *last = *seq;
        }
        if let Event::Moved { .. } = event {
            self.table.ledger.note(self.row);
        }
    }
}
