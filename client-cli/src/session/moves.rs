//! Moves that are typed: made now, or kept for our next turn.

use grundy_shared::Move;
use grundy_shared::notation::MoveError;
use grundy_shared::referee::{Referee, Status};

use super::typed::Typed;
use super::{Session, refusal};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::Ask;
use crate::render::short;

impl Session<'_> {
    /// Keeps a move for our next turn, or drops the one that is kept.
    pub(super) fn plan(&mut self, text: Option<String>) -> Result<(), Failure> {
        let words = match (text, self.premove.take()) {
            (Some(_), _) if self.view.status() != Status::Live => {
                return self.frontend.refused(&refusal("no match is being played"));
            }
            (Some(text), _) => {
                let words = format!(
                    "{} will be played as soon as it is your turn, if it is legal then. Type pre alone to take it back.",
                    short(&text)
                );
                self.premove = Some(text);
                words
            }
            (None, Some(text)) => format!("{} will not be played.", short(&text)),
            (None, None) => {
                let nothing = refusal("no move is waiting for your turn");
                let how = "'pre A-1' plays A-1 as soon as it is your turn, if it is legal then";
                return self.frontend.refused(&nothing.hint(how));
            }
        };
        self.frontend.talk(&words);
        Ok(())
    }

    /// Makes the move that was kept for this turn, or says that it cannot be made.
    pub(super) async fn make_premove(&mut self, text: &str) -> Result<(), Failure> {
        let legal = self
            .view
            .referee()
            .map(|referee| self.read_move(referee, text));
        if !matches!(legal, Some(Ok(_))) {
            let words = format!("{} is not possible now.", short(text));
            self.frontend.talk(&words);
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
                let words = format!("move {text}");
                let hints = self.hints_in(referee.position());
                self.ask(Ask::Move { ply, text, hints }, words).await;
                Ok(())
            }
            Err(mut error) => {
                let numeric = error
                    .example
                    .as_ref()
                    .is_some_and(|mv| is_number(&mv.to_string()));
                let hardly_a_move = is_wordy(text) || (is_number(text) && !numeric);
                // Of a text without a digit the failure says so itself.
                if hardly_a_move && text.contains(|c: char| c.is_ascii_digit()) {
                    error.message = format!("'{}' is not a move: {}", short(text), error.message);
                }
                let mut failure = Failure::illegal_move(text, &error);
                if hardly_a_move {
                    let legal = failure
                        .remedy()
                        .map_or(String::new(), |legal| format!("{legal}; "));
                    failure = match Typed::near(text) {
                        Some(near) => {
                            let words = format!("'{}' is not a move", short(text));
                            Failure::new(Exit::Input, "illegal_move", words)
                                .hint(format!("did you mean '{near}'?"))
                        }
                        None => failure.hint(format!("{legal}'help' lists what else you can type")),
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
