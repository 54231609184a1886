//! Planned replies, which the server makes even while we are away.

use grundy_shared::ids::Seat;
use grundy_shared::referee::Status;
use grundy_words::Message;

use super::Session;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::Ask;
use crate::render::sentences;

/// The word that cancels the plan.
const NONE: &str = "none";

impl Session<'_> {
    /// Shows the plan, adds a line to it, or cancels it.
    pub(super) async fn plan_replies(&mut self, text: Option<&str>) -> Result<(), Failure> {
        let Some((seat, referee)) = self.view.seat().zip(self.view.referee()) else {
            return Ok(());
        };
        let planned = referee.plan(seat);
        let Some(text) = text else {
            self.frontend.talk(&sentences::plan(&self.view, planned));
            return Ok(());
        };
        if self.view.status() != Status::Live {
            return self.cannot("typed-no-match");
        }
        if self.view.is_local() {
            return self.cannot_but("typed-plan-where", "typed-plan-where-how");
        }
        let lines = match text.eq_ignore_ascii_case(NONE) {
            true => Vec::new(),
            false => {
                let line = match self.read_line(seat, &moves_of(text)) {
                    Ok(line) => line,
                    Err(failure) => return self.frontend.refused(&failure),
                };
                let others = planned.iter().filter(|other| !clashes(other, &line));
                others.cloned().chain([line.clone()]).collect()
            }
        };
        let ply = referee.ply().next();
        self.propose(Ask::Plan { ply, lines }).await;
        Ok(())
    }

    /// The moves in printed form, if each is legal in its place.
    fn read_line(&self, seat: Seat, moves: &[String]) -> Result<Vec<String>, Failure> {
        if moves.is_empty() || moves.len() % 2 == 1 {
            let message = Message::new("typed-plan-reply");
            return Err(Failure::told(Exit::Input, "illegal_move", message)
                .help(Message::new("typed-plan-reply-how")));
        }
        let Some(mut position) = self.view.position().cloned() else {
            return Ok(moves.to_vec());
        };
        let mut mover = seat.other();
        let mut line = Vec::with_capacity(moves.len());
        for text in moves {
            let read = position.parse_move(mover, text);
            let mv = read.map_err(|error| Failure::illegal_move(text, &error))?;
            position = position.play(&mv);
            mover = mover.other();
            line.push(mv.to_string());
        }
        Ok(line)
    }
}

/// The moves of a line, typed with or without words between them: `A-1 B-2`, `A-1 then B-2`.
fn moves_of(text: &str) -> Vec<String> {
    let words = text.split_whitespace();
    let moves =
        words.filter(|word| !["then", "if", "->"].contains(&word.to_ascii_lowercase().as_str()));
    moves.map(str::to_owned).collect()
}

/// Whether a new line replaces this one: it answers the same moves differently, or continues this line.
fn clashes(planned: &[String], new: &[String]) -> bool {
    match planned
        .iter()
        .zip(new)
        .position(|(one, other)| one != other)
    {
        Some(at) => at % 2 == 1,
        None => planned.len() <= new.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<String> {
        moves_of(text)
    }

    #[test]
    fn a_line_is_typed_with_or_without_words() {
        assert_eq!(line("A-1 B-2"), line(" A-1  then B-2 "));
        assert_eq!(line("A-1 then B-2 if A-2 THEN C-1").len(), 4);
    }

    #[test]
    fn a_new_line_takes_the_place_of_what_it_contradicts() {
        assert!(clashes(&line("A-1 B-1"), &line("A-1 B-2")));
        assert!(clashes(&line("A-1 B-1"), &line("A-1 B-1 A-1 C-1")));
        assert!(clashes(&line("A-1 B-1 A-1 C-1"), &line("A-1 B-1 A-1 C-2")));
        assert!(!clashes(&line("A-1 B-1"), &line("A-2 B-1")));
        assert!(!clashes(&line("A-1 B-1 A-1 C-1"), &line("A-1 B-1 A-2 C-2")));
        assert!(!clashes(&line("A-1 B-1 A-1 C-1"), &line("A-1 B-1")));
    }
}
