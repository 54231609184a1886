//! A match that the user gives as a start position and a list of moves.

use grundy_shared::event::{Event, PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat};
use grundy_shared::record::Record;
use grundy_shared::referee::{Command, Decision, Referee, Refusal, Terms};
use grundy_words::Message;
use sha2::{Digest as _, Sha256};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::local::now;
use crate::reading::stored_start;

/// The record of a match without clocks from this start, in which these moves were made. Moves are separated by spaces; numbers such as
/// `1.` or `1...` between them are skipped.
///
/// # Errors
/// The position does not parse, or a move is not legal.
pub(crate) fn record(start: &str, moves: &[String]) -> Result<Record, Failure> {
    let start = stored_start(start)?;
    let now = now();
    let players = [(1, "First"), (2, "Second")].map(|(id, name)| PlayerInfo {
        id: PlayerId::from_random(id),
        name: name.to_owned(),
        bot: false,
    });
    let [first, second] = players;
    let ids = [first.id, second.id];
    let terms = Terms {
        position: start.to_string(),
        clock: TimeControl::Untimed {},
        rematch_of: None,
        series: None,
    };
    let created = Referee::create_here(terms, first, Seat::First, now);
    let (mut referee, mut events) = created.map_err(|refusal| refused(&refusal))?;
    carry_out(
        &mut referee,
        &mut events,
        now,
        &Command::Join { player: second },
    )?;
    let words = moves.iter().flat_map(|moves| moves.split_whitespace());
    for text in words.filter(|word| !is_number(word)) {
        let to_move = referee.to_move();
        let made = referee.ply().0;
        if referee.outcome().is_some() {
            let message = Message::new("pasted-over")
                .number("moves", made.into())
                .text("text", crate::render::clean(text));
            return Err(Failure::told(Exit::Input, "illegal_move", message));
        }
        let mv = referee.position().parse_move(to_move, text);
        let mv = mv.map_err(|error| Failure::illegal_move(text, &error))?;
        let command = Command::Move {
            player: ids[to_move.index()],
            ply: referee.ply().next(),
            client_move_id: None,
            text: mv.to_string(),
            opponent_lag: Millis(0),
            hints: 0,
        };
        carry_out(&mut referee, &mut events, now, &command)?;
    }
    Record::new(id_of(&referee), events).map_err(Failure::internal)
}

/// The same id each time for the same start and moves, so that a match that is given twice is one match.
fn id_of(referee: &Referee) -> MatchId {
    let mut digest = Sha256::new();
    digest.update(referee.start().to_string());
    for played in referee.moves() {
        digest.update([b'\n']);
        digest.update(&played.text);
    }
    let bytes: [u8; 32] = digest.finalize().into();
    let (first, _) = bytes
        .split_first_chunk()
        .expect("32 bytes have the first 8");
    MatchId::from_random(u64::from_be_bytes(*first))
}

/// Whether a word numbers a move, as in `1. A-1 B-2`.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && digits.chars().all(|c| c.is_ascii_digit())
}

fn carry_out(
    referee: &mut Referee,
    events: &mut Vec<Event>,
    now: Millis,
    command: &Command,
) -> Result<(), Failure> {
    match referee.handle(now, command) {
        Ok(Decision::Events(ruling)) => {
            let new = referee.accept(ruling);
            events.extend(new.map_err(Failure::internal)?);
            Ok(())
        }
        Ok(Decision::Repeat { .. } | Decision::Nothing) => Ok(()),
        Err(refusal) => Err(refused(&refusal)),
    }
}

fn refused(refusal: &Refusal) -> Failure {
    let message = Message::new("refused")
        .text("code", refusal.code())
        .text("said", refusal);
    Failure::told(Exit::Input, refusal.code(), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(start: &str, moves: &[&str]) -> Result<Vec<String>, String> {
        let moves: Vec<String> = moves.iter().map(|text| (*text).to_owned()).collect();
        let record = record(start, &moves).map_err(|failure| failure.message().to_owned())?;
        let made = record.referee().moves().iter();
        Ok(made.map(|one| one.text.clone()).collect())
    }

    #[test]
    fn a_list_is_read_as_people_write_it() {
        let expected: Vec<String> = ["A-1", "C-7", "B-5"].map(str::to_owned).to_vec();
        for list in [
            &["A-1", "C-7", "B-5"][..],
            &["a1 c7 b5"],
            &["1. A-1 C-7 2. B-5"],
            &["1. A-1", "1... C-7\n2. B-5\n"],
        ] {
            assert_eq!(moves("nim:3,5,7", list).as_ref(), Ok(&expected), "{list:?}");
        }
        assert_eq!(moves("nim:3", &[]), Ok(vec![]));
        assert_eq!(moves("nim:2", &["a2"]), Ok(vec!["A-2".to_owned()]));
    }

    #[test]
    fn a_list_that_cannot_have_been_played_is_refused() {
        for (start, list, words) in [
            ("nim:3", "a4", "4 cannot be taken"),
            (
                "nim:3",
                "a3 a1",
                "the match is over after 1 move, so 'a1' cannot follow",
            ),
            ("nim:0", "a1", "nim:0 is finished"),
            ("nim:x", "", "'x' is not a heap size"),
        ] {
            let error = moves(start, &[list]).expect_err(words);
            assert!(error.contains(words), "{error}");
        }
    }
}
