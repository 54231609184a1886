//! What comes from the terminal while the full screen is on: keys, the mouse, pasted text, and signals.

use std::io;
use std::time::Instant;

use crossterm::event::{Event, EventStream};
use futures::StreamExt as _;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::late_answer::LateAnswer;

/// What comes.
#[derive(Debug)]
pub(crate) enum Stroke {
    /// A key, a click, pasted text, or a new size.
    Event(Event),
    /// The program is to end, or the terminal has gone.
    End,
    /// The program goes on after it stood still: the terminal may have other modes now.
    Continued,
}

/// The keyboard of the full screen. Where the screen is off, nothing comes.
#[derive(Debug)]
pub(crate) struct Keyboard {
    events: EventStream,
    terminate: Signal,
    hang_up: Signal,
    go_on: Signal,
    late: LateAnswer,
}

impl Keyboard {
    /// Begins to listen. The full screen must be on: what the terminal answers is read here, too.
    ///
    /// # Errors
    /// The program cannot hear signals.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            events: EventStream::new(),
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            go_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
            late: LateAnswer::default(),
        })
    }

    /// What comes next. May be dropped while waiting without losing anything.
    pub(crate) async fn next(&mut self) -> Stroke {
        loop {
            let event = tokio::select! {
                _ = self.terminate.recv() => return Stroke::End,
                _ = self.hang_up.recv() => return Stroke::End,
                _ = self.go_on.recv() => return Stroke::Continued,
                event = self.events.next() => event,
            };
            match event {
                Some(Ok(event)) if self.late.takes(&event, Instant::now()) => {}
                Some(Ok(event)) => return Stroke::Event(event),
                Some(Err(_)) | None => return Stroke::End,
            }
        }
    }
}
