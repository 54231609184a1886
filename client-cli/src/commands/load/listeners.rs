//! Connections that do not play: idle ones, and those that ask for solutions.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::error::LoadError;
use super::pool::{Pool, connect};
use super::tally::{Tally, add};
use super::wire::{Link, LinkError};

/// The pause of who was refused a solution.
const ASK_AGAIN: Duration = Duration::from_millis(20);

/// Connections that only listen.
pub(super) struct Listeners {
    tasks: JoinSet<()>,
}

impl Listeners {
    /// Connections that say hello and then nothing but pongs.
    ///
    /// # Errors
    /// One was refused or failed.
    pub(super) async fn idle(address: SocketAddr, count: usize) -> Result<Self, LoadError> {
        let mut tasks = JoinSet::new();
        for mut link in connect(address, count).await? {
            tasks.spawn_local(async move { while link.next().await.is_ok() {} });
        }
        Ok(Self { tasks })
    }

    /// Connections that ask for the solution of a sum of which each has its own, again and again.
    ///
    /// # Errors
    /// One was refused or failed.
    pub(super) async fn asking(
        address: SocketAddr,
        count: usize,
        pool: &Pool,
    ) -> Result<Self, LoadError> {
        let mut tasks = JoinSet::new();
        for (number, link) in connect(address, count).await?.into_iter().enumerate() {
            let tally = Rc::clone(&pool.tally);
            tasks.spawn_local(async move {
                if let Err(error) = ask_on(link, number, &tally).await {
                    tally.broken(&error);
                }
            });
        }
        Ok(Self { tasks })
    }

    /// Closes all.
    pub(super) async fn close(mut self) {
        self.tasks.shutdown().await;
    }
}

/// Asks for solutions of positions that take a search: boards of Cram. What is refused because too many wait is asked again.
async fn ask_on(mut link: Link, number: usize, tally: &Tally) -> Result<(), LinkError> {
    let row = ".".repeat(4 + number % 4);
    let rows = [&*row; 5].join("/");
    loop {
        let ask = format_args!(r#"{{"type":"solve","position":"cram:{rows}"}}"#);
        match link.request(ask, |_| Ok(())).await {
            Ok(_) => add(&tally.solved, 1),
            Err(LinkError::Refused { code, .. })
                if matches!(&*code, "server_busy" | "analysis_running") =>
            {
                tokio::time::sleep(ASK_AGAIN).await;
            }
            Err(error) => return Err(error),
        }
    }
}
