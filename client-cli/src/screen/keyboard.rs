//! What comes from the terminal while the full screen is on: keys, the mouse, pasted text, and signals.

use std::io;

use crossterm::event::{Event, EventStream};
use futures::StreamExt as _;
use tokio::signal::unix::{Signal, SignalKind, signal};

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
        })
    }

    /// What comes next. May be dropped while waiting without losing anything.
    pub(crate) async fn next(&mut self) -> Stroke {
        tokio::select! {
            _ = self.terminate.recv() => Stroke::End,
            _ = self.hang_up.recv() => Stroke::End,
            _ = self.go_on.recv() => Stroke::Continued,
            event = self.events.next() => match event {
                Some(Ok(event)) => Stroke::Event(event),
                Some(Err(_)) | None => Stroke::End,
            },
        }
    }
}
