//! The terminal while the full screen is on: its modes, and how each way out undoes them.

use std::io::{self, Stdout, Write as _};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use data_encoding::BASE64;
use grundy_words::Message;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal as Painter, TerminalOptions, Viewport};
use rustix::process::{Signal, getpid, kill_process};
use rustix::termios::tcgetwinsize;

use crate::held;

/// Another screen than the one of the shell, and pasted text in brackets.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[2J";
/// Clicks, and the wheel, with places of any size.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";
/// Undoes all of it, whatever was done: no colour, no pasted brackets, the screen of the shell, a cursor.
const LEAVE: &[u8] = b"\x1b[0m\x1b[?2004l\x1b[?1049l\x1b[?25h";

/// Whether the modes are on. Whoever sets it to false restores them, so that this happens once.
static IS_ON: AtomicBool = AtomicBool::new(false);
/// The hook for panics is set once in the life of the program.
static HOOK: Once = Once::new();

/// The terminal with its modes on; dropping it restores them.
#[derive(Debug)]
pub(super) struct Terminal {
    painter: Painter<CrosstermBackend<Stdout>>,
    mouse: bool,
}

impl Terminal {
    /// Turns the modes on.
    ///
    /// # Errors
    /// The terminal cannot be written to, or has no raw mode.
    pub(super) fn enter(mouse: bool) -> io::Result<Self> {
        restore_on_panic();
        let area = size();
        let options = TerminalOptions {
            viewport: Viewport::Fixed(area),
        };
        let painter = Painter::with_options(CrosstermBackend::new(io::stdout()), options)?;
        let mut terminal = Self { painter, mouse };
        terminal.turn_on()?;
        Ok(terminal)
    }

    fn turn_on(&mut self) -> io::Result<()> {
        held::begin();
        IS_ON.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        let mut stdout = io::stdout().lock();
        stdout.write_all(ENTER)?;
        stdout.write_all(if self.mouse { MOUSE_ON } else { MOUSE_OFF })?;
        stdout.flush()
    }

    /// Turns the modes on again after the program stood still, and forgets what was drawn.
    pub(super) fn enter_again(&mut self) -> io::Result<()> {
        // Stopped by somebody else, it could not turn them off. The shell has done so since, but they are taken for turned on.
        disable_raw_mode()?;
        self.turn_on()?;
        self.painter.resize(size())
    }

    /// Gives the terminal back to the shell and stops, until the shell lets the program go on.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        restore();
        // A process that nobody could wake up again is not stopped by this signal.
        kill_process(getpid(), Signal::TSTP)?;
        self.enter_again()
    }

    /// Draws everything anew at the next time.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        self.painter.resize(size())
    }

    /// Whether clicks are heard: then the terminal itself selects no text.
    pub(super) fn hear_mouse(&mut self, mouse: bool) -> io::Result<()> {
        self.mouse = mouse;
        let mut stdout = io::stdout().lock();
        stdout.write_all(if mouse { MOUSE_ON } else { MOUSE_OFF })?;
        stdout.flush()
    }

    /// Asks the terminal to keep a text, to be pasted elsewhere (OSC 52 of xterm). Some terminals do not, and say nothing. What to tell the user.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<Message> {
        let mut stdout = io::stdout().lock();
        write!(stdout, "\x1b]52;c;{}\x1b\\", BASE64.encode(text.as_bytes()))?;
        stdout.flush()?;
        Ok(Message::new("screen-copied").text("text", text))
    }

    /// Draws, in the size that the terminal has now.
    pub(super) fn draw(&mut self, paint: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<()> {
        // After a panic that was survived the screen is the shell's.
        if !IS_ON.load(Ordering::SeqCst) {
            return Ok(());
        }
        let area = size();
        if self.painter.get_frame().area() != area {
            self.painter.resize(area)?;
        }
        self.painter.draw(paint)?;
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Turns the modes off if they are on, and says what has waited for that.
fn restore() {
    if !IS_ON.swap(false, Ordering::SeqCst) {
        return;
    }
    // A terminal that has gone needs nothing, and there is nobody to be told.
    let _ = disable_raw_mode();
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(MOUSE_OFF);
    let _ = stdout.write_all(LEAVE);
    let _ = stdout.flush();
    let mut stderr = io::stderr().lock();
    for text in held::end() {
        let _ = writeln!(stderr, "{text}");
    }
}

/// A panic of the thread that draws restores the terminal before its message is printed. The message of another thread waits until the
/// screen is left: what that thread did was given up, and the match goes on.
fn restore_on_panic() {
    let drawing: ThreadId = thread::current().id();
    HOOK.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if thread::current().id() != drawing && held::hold(&panic.to_string()) {
                return;
            }
            restore();
            report(panic);
        }));
    });
}

/// The size of the terminal; a usual one if it is not known.
fn size() -> Rect {
    let size = tcgetwinsize(io::stdout()).ok();
    match size.map(|size| (size.ws_col, size.ws_row)) {
        Some((columns @ 1.., rows @ 1..)) => Rect::new(0, 0, columns, rows),
        _ => Rect::new(0, 0, 80, 24),
    }
}
