//! A review on the full screen: the match move by move, with the board, who wins there, the marks and the reasons.

#[cfg(test)]
mod tests;
pub(super) mod walk;

use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEventKind};
use grundy_shared::review::Review;
use ratatui::Frame;
use ratatui::layout::{Position as Spot, Rect};

use self::walk::Walk;
use super::keyboard::{Keyboard, Signals, Stroke};
use super::keys::{self, Action};
use super::opening::{open, theme};
use super::paint::review::paint;
use super::table::REVIEW;
use super::targets::{Target, Targets};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Output, Signs};
use crate::render::board::Glyphs;

/// Shows a review until the user leaves.
///
/// # Errors
/// The terminal cannot be used.
pub(crate) async fn show(output: Output, signs: Signs, review: &Review) -> Result<Exit, Failure> {
    // From the first moment on that the screen is on, it must be given back.
    let signals = Signals::hear()?;
    let mut theme = theme(signs);
    let (mut terminal, typed) = open(signs, true, &mut theme)?;
    let mut walk = Walk::new(
        review,
        theme,
        output.glyphs.unwrap_or(Glyphs::ASCII),
        output.words(),
    );
    let mut keyboard = Keyboard::listen_after(typed, signals);
    let (mut mouse, mut targets) = (true, Targets::new());
    loop {
        terminal.draw(|frame: &mut Frame<'_>| targets = paint(frame, &walk))?;
        let action = match keyboard.next().await {
            Stroke::End => return Ok(Exit::Interrupted),
            Stroke::Continued => Some(Action::Redraw),
            Stroke::Event(event) => heard(&mut walk, &event, &targets),
        };
        match action {
            Some(Action::Clear) => return Ok(Exit::Done),
            Some(Action::Interrupt) => return Ok(Exit::Interrupted),
            Some(Action::Suspend) => terminal.suspend()?,
            Some(Action::Redraw) => terminal.enter_again()?,
            Some(Action::Mouse) => {
                mouse = !mouse;
                terminal.hear_mouse(mouse)?;
            }
            Some(Action::Copy) => {
                if let Some(position) = &walk.position {
                    let copied = terminal.copy(&position.to_string())?;
                    walk.copied = Some(copied.said(walk.words));
                }
            }
            Some(action) => walk.act(action),
            None => {}
        }
    }
}

/// What a key or a click asks for; a click on a move goes there.
fn heard(walk: &mut Walk<'_>, event: &Event, targets: &Targets) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            keys::of(REVIEW, key, true).map(|entry| entry.action)
        }
        Event::Mouse(event) => match event.kind {
            MouseEventKind::ScrollUp => Some(Action::Step(false)),
            MouseEventKind::ScrollDown => Some(Action::Step(true)),
            MouseEventKind::Down(MouseButton::Left) => {
                let spot = Spot::new(event.column, event.row);
                let hit = |(place, _): &&(Rect, Target)| place.contains(spot);
                match targets.iter().rev().find(hit).map(|(_, target)| *target) {
                    Some(Target::Key(action)) => Some(action),
                    Some(Target::Ply(number)) => {
                        walk.go(number as usize);
                        None
                    }
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}
