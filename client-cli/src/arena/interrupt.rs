//! Ctrl-C: the first one lets the running games end, the second ends them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::signal::unix::{SignalKind, signal};

use crate::bot::groups::Groups;
use crate::failure::Failure;

/// How often the user has asked to stop.
#[derive(Clone, Default, Debug)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicU8>,
    groups: Groups,
}

impl Interrupt {
    /// Counts SIGINT and SIGTERM from now on; the second one kills all bots. On the full screen, which takes their usual effect away, also SIGHUP
    /// and SIGQUIT: otherwise `nohup` keeps its meaning.
    ///
    /// # Errors
    /// The signals cannot be listened to.
    pub(crate) fn listen(groups: Groups, on_screen: bool) -> Result<Self, Failure> {
        let interrupt = Self {
            asked: Arc::default(),
            groups,
        };
        let counter = interrupt.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let signals = runtime.block_on(async {
            let int = signal(SignalKind::interrupt())?;
            let term = signal(SignalKind::terminate())?;
            let others = match on_screen {
                true => Some((signal(SignalKind::hangup())?, signal(SignalKind::quit())?)),
                false => None,
            };
            Ok::<_, std::io::Error>((int, term, others))
        });
        let (mut int, mut term, mut others) = signals?;
        // The thread ends with the process.
        std::thread::spawn(move || {
            runtime.block_on(async {
                loop {
                    let other = async {
                        match &mut others {
                            Some((hangup, quit)) => tokio::select! {
                                _ = hangup.recv() => {}
                                _ = quit.recv() => {}
                            },
                            None => std::future::pending().await,
                        }
                    };
                    tokio::select! {
                        _ = int.recv() => {}
                        _ = term.recv() => {}
                        () = other => {}
                    }
                    counter.ask();
                }
            });
        });
        Ok(interrupt)
    }

    /// The user asks to stop; the second time all bots are killed.
    pub(crate) fn ask(&self) {
        if self.asked.fetch_max(1, Ordering::SeqCst) >= 1 {
            self.asked.store(2, Ordering::SeqCst);
            self.groups.kill_all();
        }
    }

    /// Whether no further game is to begin.
    pub(crate) fn is_stopping(&self) -> bool {
        self.asked.load(Ordering::SeqCst) >= 1
    }

    /// Whether running games are ended: their results do not count.
    pub(crate) fn is_aborting(&self) -> bool {
        self.asked.load(Ordering::SeqCst) >= 2
    }

    /// As the first Ctrl-C.
    pub(crate) fn stop(&self) {
        self.asked.fetch_max(1, Ordering::SeqCst);
    }
}
