//! Moves that are typed: made now, or kept for our next turn.

use grundy_shared::Move;
use grundy_shared::notation::MoveError;
use grundy_shared::referee::{Referee, Status};
use grundy_words::Message;

use super::Session;
use super::typed::Typed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::Ask;
use crate::render::short;

impl Session<'_> {
    /// Keeps a move for our next turn, or drops the one that is kept.
    pub(super) fn plan(&mut self, text: Option<String>) -> Result<(), Failure> {
        let message = match (text, self.premove.take()) {
            (Some(_), _) if self.view.status() != Status::Live => {
                return self.cannot("typed-no-match");
            }
            (Some(text), _) => {
                let message = Message::new("typed-premove").text("move", short(&text));
                self.premove = Some(text);
                message
            }
            (None, Some(text)) => Message::new("typed-premove-dropped").text("move", short(&text)),
            (None, None) => return self.cannot_but("typed-no-premove", "typed-no-premove-how"),
        };
        self.frontend.talk(&message.said(self.view.words()));
        Ok(())
    }

    /// Makes the move that was kept for this turn, or says that it cannot be made.
    pub(super) async fn make_premove(&mut self, text: &str) -> Result<(), Failure> {
        let legal = self
            .view
            .referee()
            .map(|referee| self.read_move(referee, text));
        if !matches!(legal, Some(Ok(_))) {
            let message = Message::new("typed-impossible").text("move", short(text));
            self.frontend.talk(&message.said(self.view.words()));
            return Ok(());
        }
        self.make_move(text).await
    }

    /// The move that a text stands for now, as a move or as the letter of one on the board.
    fn read_move(&self, referee: &Referee, text: &str) -> Result<Move, MoveError> {
        let (position, to_move) = (referee.position(), referee.to_move());
        position.parse_move(to_move, text).or_else(|error| {
            let meant = self.frontend.meant(&self.view, text).ok_or(error)?;
            position.parse_move(to_move, &meant)
        })
    }

    pub(super) async fn make_move(&mut self, text: &str) -> Result<(), Failure> {
        let Some(referee) = self.view.referee() else {
            return Ok(());
        };
        match self.read_move(referee, text) {
            Ok(mv) => {
                let ply = referee.ply().next();
                let text = mv.to_string();
                let what = Message::new("pending-move").text("move", &text);
                let hints = self.hints_in(referee.position());
                self.ask(Ask::Move { ply, text, hints }, what).await;
                Ok(())
            }
            Err(error) => {
                let example = error.example.as_ref().map(ToString::to_string);
                let numeric = example.as_deref().is_some_and(is_number);
                let hardly_a_move = is_wordy(text) || (is_number(text) && !numeric);
                let mut failure = Failure::not_a_move(text, &error, !hardly_a_move);
                if hardly_a_move {
                    failure = match (Typed::near(text), example) {
                        (Some(near), _) => {
                            let message = Message::new("typed-no-move").text("text", short(text));
                            Failure::told(Exit::Input, "illegal_move", message)
                                .help(Message::new("typed-meant").text("word", near))
                        }
                        (None, None) => failure.help(Message::new("typed-help")),
                        (None, Some(example)) => failure
                            .help(Message::new("typed-help-or-move").text("example", example)),
                    };
                }
                self.frontend.refused(&failure)
            }
        }
    }
}

/// Whether this text was probably not meant as a move: it has a word, or no number.
fn is_wordy(text: &str) -> bool {
    let has_word = text
        .split(|c: char| !c.is_alphabetic())
        .any(|word| word.chars().count() > 2);
    has_word || !text.contains(|c: char| c.is_ascii_digit())
}

/// Whether a text is a number and nothing else: a move of some games.
fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}
