//! The legal moves of a position or of a match, one page at a time. No search: counting and naming a move is linear in the parts
//! of its position. Pictures are drawn, and the moves of positions that are not small are listed, by the solver's threads.

use grundy_shared::Position;
use grundy_shared::game::Kind;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::protocol::client::Moves;
use grundy_shared::protocol::{ErrorBody, ErrorCode, INTEGER_MAX, Reply};
use grundy_shared::referee::Status;
use serde::Serialize;

use super::answers::{ENVELOPE, page_limit, too_large};
use super::player::Player;
use super::requests::match_id;
use super::socket::Socket;
use crate::costly::{self, OffServing};
use crate::glances::Glance;
use crate::matches::{refusal, sight};
use crate::store::MatchStatus;

/// The position whose moves are requested.
enum Of {
    /// What the client typed.
    Typed(String),
    /// That of a match in play.
    Played(Position),
}

impl<S: Socket> Player<S> {
    /// Answers a page of moves. One that the solver's threads make is answered when it is made, and the connection reads on meanwhile, so that a move is not
    /// held up by it; the next such request waits for that.
    pub(super) async fn moves(&self, id: u64, ask: &Moves) -> Result<Option<Reply>, ErrorBody> {
        let limit = page_limit(ask.limit, 1)?;
        let (of, to_move) = match (&ask.position, &ask.match_id) {
            (Some(text), None) => (Of::Typed(text.clone()), ask.to_move.unwrap_or(Seat::First)),
            (None, Some(_)) if ask.to_move.is_some() => {
                let words = "the match says who is to move: leave `to_move` out";
                return Err(ErrorBody::new(ErrorCode::UnknownField, words).field("to_move"));
            }
            (None, Some(text)) => {
                let (position, to_move) = self.in_play(match_id(text)?).await?;
                (Of::Played(position), to_move)
            }
            (Some(_), Some(_)) => {
                let words = "give either `position` or `match`, not both";
                return Err(ErrorBody::new(ErrorCode::UnknownField, words).field("match"));
            }
            (None, None) => {
                let words = "`position` or `match` is missing";
                return Err(ErrorBody::new(ErrorCode::MissingField, words).field("position"));
            }
        };
        let app = self.connection.app.clone();
        let reply_bytes = app.config.current().limits.reply_bytes as usize;
        let wanted = Wanted {
            from: ask.from,
            limit,
            picture: ask.picture,
        };
        let room = reply_bytes.saturating_sub(ENVELOPE);
        let text = match &of {
            Of::Typed(text) => text.clone(),
            Of::Played(position) => position.to_string(),
        };
        let is_typed = matches!(of, Of::Typed(_));
        let is_small = costly::is_small(&text);
        // After a move, all clients of a match make the same request; a typed position is rarely requested twice.
        let glance = (!is_typed && ask.picture && ask.from == 0).then(|| Glance {
            position: text.clone(),
            to_move,
            moves: limit,
            room,
        });
        let owner = self.owner();
        let make = async move {
            let work = move |leave| {
                let read;
                let position = match &of {
                    Of::Typed(text) => {
                        let typed = costly::read(leave, text);
                        read = typed.map_err(|error| refusal::of_notation(&error))?;
                        &read
                    }
                    Of::Played(position) => position,
                };
                page(leave, position, to_move, wanted, room)
            };
            let made = async {
                let done = app.matches.about(owner, &text, wanted.picture, work);
                done.await?
            };
            match glance {
                Some(glance) => app.glances.reply(glance, made).await,
                None => made.await,
            }
        };
        if is_small && !ask.picture {
            return make.await.map(Some);
        }
        let turn = self.listing.turn().await;
        let reply = self.reply_to(id);
        let answering = async move {
            // If the connection goes, so does the work.
            match turn.unless_gone(make).await {
                Some(Ok(answer)) => reply.send(&answer),
                Some(Err(error)) => reply.refuse(error),
                None => {}
            }
        };
        drop(self.connection.app.lifecycle.spawn(answering));
        Ok(None)
    }

    /// The position of a match in play, and who is to move. A match that is hidden is refused as one that does not exist.
    pub(super) async fn in_play(&self, id: MatchId) -> Result<(Position, Seat), ErrorBody> {
        let app = &self.connection.app;
        let live = app.matches.get(id);
        if let Some((position, to_move, status)) = live.and_then(|live| live.board(self.info.id))
            && status == Status::Live
        {
            return Ok((position, to_move));
        }
        let row = app.store.row(id).await;
        let row = row.map_err(|error| app.matches.unreadable(id, &error))?;
        match row.filter(|row| self.may_see(row)).map(|row| row.status) {
            None => Err(refusal::no_such_match(&id.to_string())),
            Some(MatchStatus::Waiting) => Err(ErrorBody::new(
                ErrorCode::NotStarted,
                "nobody has taken the other seat yet",
            )),
            Some(MatchStatus::Over) => Err(ErrorBody::new(
                ErrorCode::MatchOver,
                "the match is over; ask for the moves of a position instead",
            )),
            // It began or was read just now, or it is put aside.
            Some(MatchStatus::Live) => {
                app.matches.check(id)?;
                let referee = app.matches.replay(self.owner(), id).await?;
                let referee = referee.ok_or_else(|| refusal::no_such_match(&id.to_string()))?;
                let behind = app.config.current().limits.rated_delay_moves;
                Ok(sight::board(&referee, self.info.id, behind))
            }
        }
    }
}

/// What a page is to have.
#[derive(Clone, Copy)]
struct Wanted {
    /// The number of the first move.
    from: u64,
    /// Most moves.
    limit: usize,
    /// Whether the moves are to be pointed at.
    picture: bool,
}

/// Part of the room that a picture may take, so that there is some for moves.
const PICTURE_SHARE: usize = 4;

/// As many moves as fit, one at least if there is one. A picture is drawn only off the serving threads.
fn page(
    leave: Option<OffServing>,
    position: &Position,
    to_move: Seat,
    wanted: Wanted,
    room: usize,
) -> Result<Reply, ErrorBody> {
    let Wanted { from, limit, .. } = wanted;
    let total = position.move_count(to_move);
    let text = position.to_string();
    let mut room = room.saturating_sub(text.len());
    let drawn = leave.filter(|_| wanted.picture);
    let drawn = drawn.map(|leave| costly::draw(leave, position));
    let picture = drawn
        .as_ref()
        .filter(|_| from == 0)
        .map(|picture| picture.inline_svg());
    let size = |svg: &String| json_bytes(svg);
    let picture = picture.filter(|svg| size(svg) <= room / PICTURE_SHARE * (PICTURE_SHARE - 1));
    room = room.saturating_sub(picture.as_ref().map_or(0, size));
    let mut touches = drawn.as_ref().map(|_| Vec::new());
    let mut moves = Vec::new();
    for mv in position.moves_from(to_move, from.into()).take(limit) {
        let mv = mv.to_string();
        let ways = drawn.as_ref().map(|drawn| drawn.touched_by(&mv));
        // Quotes and a comma.
        let mut size = mv.len() + 3;
        size += ways.as_ref().map_or(0, |ways| json_bytes(ways) + 1);
        if size > room {
            if moves.is_empty() {
                return Err(too_large("one move does not fit one message"));
            }
            break;
        }
        room -= size;
        moves.push(mv);
        if let Some((all, ways)) = touches.as_mut().zip(ways) {
            all.push(ways);
        }
    }
    let next = from + moves.len() as u64;
    let is_last = u128::from(next) >= total || moves.is_empty() || next > INTEGER_MAX;
    Ok(Reply::Moves {
        position: text,
        to_move,
        cyclic: position.kind() == Kind::Loopy,
        total: u64::try_from(total).ok(),
        moves,
        next: (!is_last).then_some(next),
        picture,
        touches,
    })
}

/// Bytes of a value as JSON.
fn json_bytes(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(usize::MAX, |text| text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves_from(from: u64, limit: usize) -> Wanted {
        Wanted {
            from,
            limit,
            picture: false,
        }
    }

    fn pages(position: &str, limit: usize, room: usize) -> Vec<String> {
        let position = Position::parse(position).expect("a position");
        let (mut all, mut from) = (Vec::new(), Some(0));
        while let Some(at) = from {
            let reply = page(
                Some(OffServing::by_design()),
                &position,
                Seat::First,
                moves_from(at, limit),
                room,
            )
            .expect("it fits");
            let Reply::Moves { moves, next, .. } = reply else {
                panic!("{reply:?}")
            };
            assert!(moves.len() <= limit);
            all.extend(moves);
            from = next;
        }
        all
    }

    #[test]
    fn pages_of_any_size_hold_every_move_once() {
        for position in [
            "nim:3,5,2",
            "nim:3+kayles:6+nim:0",
            "kayles:4+nim:2@selective",
            "nim:2,1@every",
            "nim:0",
            // Lists that are walked from the beginning.
            "cram:..../....+nim:2+clobber:xo/ox",
            "col:0-1-2,3+nodekayles:0-1,2",
        ] {
            let parsed = Position::parse(position).expect("a position");
            let expected: Vec<_> = parsed.moves(Seat::First).map(|mv| mv.to_string()).collect();
            for (limit, room) in [(1, 1_000), (3, 1_000), (200, 100), (200, 60_000)] {
                assert_eq!(pages(position, limit, room), expected, "{position}");
            }
        }
    }

    #[test]
    fn a_page_in_the_middle_of_10_to_the_18_moves_costs_no_more_than_the_first() {
        let position = Position::parse("nim:1000000000000000000").expect("a position");
        let from = 9_007_199_254_740_900;
        let reply = page(
            Some(OffServing::by_design()),
            &position,
            Seat::First,
            moves_from(from, 2),
            1_000,
        )
        .expect("it fits");
        let Reply::Moves {
            moves, next, total, ..
        } = reply
        else {
            panic!("{reply:?}")
        };
        assert_eq!(moves, ["A-9007199254740901", "A-9007199254740902"]);
        assert_eq!(next, Some(from + 2));
        assert_eq!(total, Some(1_000_000_000_000_000_000));
    }

    #[test]
    fn a_picture_comes_with_the_first_page_and_every_page_fits() {
        for position in [
            "nim:3,5,7",
            "cram:................../..................",
            "kayles:200",
        ] {
            let position = Position::parse(position).expect("a position");
            let (mut from, mut all) = (Some(0), 0);
            while let Some(at) = from {
                let wanted = Wanted {
                    picture: true,
                    ..moves_from(at, 50)
                };
                let reply = page(
                    Some(OffServing::by_design()),
                    &position,
                    Seat::First,
                    wanted,
                    60_000,
                )
                .expect("it fits");
                assert!(json_bytes(&reply) <= 60_000 + ENVELOPE, "{position}");
                let Reply::Moves {
                    moves,
                    next,
                    picture,
                    touches,
                    ..
                } = reply
                else {
                    panic!("{reply:?}")
                };
                assert_eq!(picture.is_some(), at == 0, "{position}");
                assert_eq!(touches.map(|touches| touches.len()), Some(moves.len()));
                all += moves.len() as u128;
                from = next;
            }
            assert_eq!(all, position.move_count(Seat::First));
        }
    }
}
