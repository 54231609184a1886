//! What comes from the terminal while the full screen is on: keys, the mouse, pasted text, and signals.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::task::Poll;
use std::time::Instant;

use crossterm::event::{Event, EventStream, KeyCode, KeyEvent, KeyModifiers};
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

/// The signals that end the program or let it go on. They are heard from the moment on that this exists, so it comes before the full screen: a signal that
/// nobody hears ends the program at once, and leaves the terminal as the screen has made it.
#[derive(Debug)]
pub(crate) struct Signals {
    /// Those that end it. Ctrl-C is a key where the full screen is on, so an interrupt comes from elsewhere.
    ends: [Signal; 4],
    go_on: Signal,
}

impl Signals {
    /// Begins to hear them.
    ///
    /// # Errors
    /// The program cannot.
    pub(crate) fn hear() -> io::Result<Self> {
        Ok(Self {
            ends: [
                signal(SignalKind::interrupt())?,
                signal(SignalKind::terminate())?,
                signal(SignalKind::hangup())?,
                signal(SignalKind::quit())?,
            ],
            go_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        })
    }

    /// Waits for one that ends the program.
    pub(crate) async fn end(&mut self) {
        while !matches!(self.next().await, Stroke::End) {}
    }

    /// What the next one asks for. May be dropped while waiting without losing anything.
    async fn next(&mut self) -> Stroke {
        let Self { ends, go_on } = self;
        let end = poll_fn(|context| {
            let mut ends = ends.iter_mut();
            match ends.any(|end| end.poll_recv(context).is_ready()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        });
        tokio::select! {
            () = end => Stroke::End,
            _ = go_on.recv() => Stroke::Continued,
        }
    }
}

/// The keyboard of the full screen. Where the screen is off, nothing comes.
#[derive(Debug)]
pub(crate) struct Keyboard {
    /// Keys that were pressed before.
    pressed: VecDeque<Event>,
    events: EventStream,
    signals: Signals,
    late: LateAnswer,
}

impl Keyboard {
    /// Begins to listen. The full screen must be on: what the terminal answers is read here, too.
    pub(crate) fn listen(signals: Signals) -> Self {
        Self::listen_after(Vec::new(), signals)
    }

    /// The same; these keys were pressed before.
    pub(super) fn listen_after(pressed: Vec<Event>, signals: Signals) -> Self {
        Self {
            pressed: pressed.into(),
            events: EventStream::new(),
            signals,
            late: LateAnswer::default(),
        }
    }

    /// What comes next. May be dropped while waiting without losing anything.
    pub(crate) async fn next(&mut self) -> Stroke {
        if let Some(event) = self.pressed.pop_front() {
            return Stroke::Event(event);
        }
        loop {
            let event = tokio::select! {
                stroke = self.signals.next() => return stroke,
                event = self.events.next() => event,
            };
            match event {
                Some(Ok(event)) if self.late.takes(&event, Instant::now()) => {}
                Some(Ok(event)) => return Stroke::Event(entered(event)),
                Some(Err(_)) | None => return Stroke::End,
            }
        }
    }
}

/// Enter, pressed before the screen was on: in its usual mode the terminal turns it into the end of a line.
fn entered(event: Event) -> Event {
    match event {
        Event::Key(key)
            if key.code == KeyCode::Char('j') && key.modifiers == KeyModifiers::CONTROL =>
        {
            Event::Key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE))
        }
        event => event,
    }
}
