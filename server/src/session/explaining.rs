//! The reasons for moves, from the solver's threads.

use grundy_shared::bounds::EXPLAINED_MOVES_MAX;
use grundy_shared::ids::Seat;
use grundy_shared::notation::MoveError;
use grundy_shared::protocol::client::Explain;
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::solver::reasons;
use grundy_shared::{Move, Position};

use super::player::Player;
use super::socket::Socket;
use super::spoken;
use crate::costly;
use crate::matches::refusal;

impl<S: Socket> Player<S> {
    /// Explains moves of a position. The words are left out if they do not fit one message with the facts.
    pub(super) async fn explain(&self, id: u64, ask: &Explain) -> Result<Option<Reply>, ErrorBody> {
        let to_move = ask.to_move.unwrap_or(Seat::First);
        let (typed, texts) = (ask.position.clone(), ask.moves.clone());
        let matches = &self.connection.app.matches;
        let read = matches.about(self.owner(), &ask.position, false, move |leave| {
            let position = costly::read(leave, &typed);
            let position = position.map_err(|error| refusal::of_notation(&error))?;
            let moves = read_moves(&position, to_move, &texts)?;
            Ok::<_, ErrorBody>((position, moves))
        });
        let (position, moves) = read.await??;
        let (room, language) = (self.room(), self.language);
        self.analyse(id, "explain", move |budget| {
            let found = reasons(&position, to_move, &moves, budget);
            let reasons = spoken::reasons(found, language, room)?;
            Ok(Reply::Explained { reasons })
        })
    }
}

/// The moves, each once.
fn read_moves(
    position: &Position,
    to_move: Seat,
    texts: &[String],
) -> Result<Vec<Move>, ErrorBody> {
    if texts.len() > EXPLAINED_MOVES_MAX {
        let words = format!("at most {EXPLAINED_MOVES_MAX} moves can be explained at once");
        return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
            .field("moves")
            .limit(EXPLAINED_MOVES_MAX)
            .got(&texts.len().to_string()));
    }
    let mut moves: Vec<Move> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let read = position.parse_move(to_move, text);
        let mv = read.map_err(|error| illegal(index, error))?;
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    Ok(moves)
}

fn illegal(index: usize, error: MoveError) -> ErrorBody {
    ErrorBody {
        column: error.column.and_then(|column| u32::try_from(column).ok()),
        example: error.example,
        ..ErrorBody::new(ErrorCode::IllegalMove, error.message)
    }
    .field(format!("moves[{index}]"))
}
