//! What a client does that it should not: each of it has its lawful answer.

use std::ops::ControlFlow;

use grundy_server::session::socket::CloseCode;
use grundy_shared::ids::{Ply, Seat};
use grundy_shared::protocol::client::{Bye, Hello, Join, Move, Ping};
use grundy_shared::protocol::{ErrorCode, VERSION};

use crate::client::{Client, Parting};
use crate::faults::Fault;
use crate::link::Upward;
use crate::talk::{Ask, Talk};

impl Client {
    /// Goes away, or is cut off, in one of the ways there are.
    pub(crate) fn part_badly(&mut self, talk: &mut Talk) -> ControlFlow<Parting> {
        let world = self.world.clone();
        if world.strikes(Fault::Cut, 60) {
            talk.link.cut();
            return ControlFlow::Break(Parting::Left);
        }
        if world.strikes(Fault::HangUp, 120) {
            return ControlFlow::Break(Parting::Left);
        }
        if world.strikes(Fault::HalfOpen, 150) {
            talk.link.go_silent();
            // The client may notice at once, or wait for the silence to last.
            if self.dice.one_in(2) {
                return ControlFlow::Break(Parting::Left);
            }
        }
        if world.strikes(Fault::Bye, 150) {
            talk.ask(Ask::Bye, Bye {});
            talk.closed = true;
        }
        if world.strikes(Fault::SecondConnection, 100) {
            // The old connection stays, and is not read any more until the server gives it up.
            talk.link.mark_troubled();
            talk.abandoned = true;
            return ControlFlow::Break(Parting::Left);
        }
        ControlFlow::Continue(())
    }

    /// Says something wrong; whether it did.
    pub(crate) fn misbehave(&mut self, talk: &mut Talk) -> bool {
        let world = self.world.clone();
        if world.strikes(Fault::BadJson, 250) {
            talk.nameless += 1;
            talk.send(Upward::Text("{nonsense".to_owned()));
        } else if world.strikes(Fault::BadField, 250) {
            self.ask_badly(talk);
        } else if world.strikes(Fault::BadFrame, 400) {
            talk.link.mark_troubled();
            match self.dice.below(3) {
                0 => {
                    talk.nameless += 1;
                    talk.send(Upward::Binary);
                }
                1 => talk.send(Upward::Unlawful(CloseCode::TooLarge, "message too large")),
                _ => talk.send(Upward::Unlawful(CloseCode::BadText, "text is not UTF-8")),
            }
        } else if world.strikes(Fault::Flood, 300) {
            talk.link.mark_troubled();
            for _ in 0..self.dice.within(20..60) {
                talk.ask(Ask::Ping, Ping {});
            }
        } else if world.strikes(Fault::BadToken, 300) {
            self.hello_again(talk);
        } else if world.strikes(Fault::WrongCode, 300) {
            let join = Join {
                code: "WXYZWXYZ".to_owned(),
            };
            talk.ask(Ask::Nonsense(&[ErrorCode::NoSuchCode]), join);
        } else {
            return self.move_badly(talk);
        }
        true
    }

    fn ask_badly(&mut self, talk: &mut Talk) {
        let (body, codes): (&str, &[ErrorCode]) = *self.dice.pick(&[
            (r#"{"type":"pong"}"#, &[ErrorCode::UnknownType][..]),
            (
                r#"{"type":"ping","loud":true}"#,
                &[ErrorCode::UnknownField][..],
            ),
            (r#"{"type":"join"}"#, &[ErrorCode::MissingField][..]),
            (
                r#"{"type":"create","position":"nim:0","opponent":{"type":"invite"}}"#,
                &[ErrorCode::BadPosition][..],
            ),
            (
                r#"{"type":"resume","match":"1111111111"}"#,
                &[ErrorCode::NoSuchMatch][..],
            ),
        ]);
        let id = talk.number(Ask::Nonsense(codes));
        talk.send(Upward::Text(format!(r#"{{"id":{id},"body":{body}}}"#)));
    }

    fn hello_again(&mut self, talk: &mut Talk) {
        let hello = Hello {
            protocol: VERSION,
            client: None,
            token: Some("none".to_owned().into()),
            name: None,
            bot: None,
            session: false,
            language: None,
        };
        talk.ask(Ask::Nonsense(&[ErrorCode::AlreadyIdentified]), hello);
    }

    /// Moves where, when or as it must not.
    fn move_badly(&mut self, talk: &mut Talk) -> bool {
        let world = self.world.clone();
        let matches: Vec<_> = self.known.keys().copied().collect();
        if matches.is_empty() {
            return false;
        }
        let id = *self.dice.pick(&matches);
        let known = &self.known[&id];
        let followed = talk.follows.contains_key(&id);
        let next = known.ply.next();
        let (ply, text, name) =
            if world.plan.allows(Fault::Repeat) && !known.sent.is_empty() && self.dice.one_in(12) {
                let sent = self.dice.pick(&known.sent).clone();
                // A repeat without a name is a new move, and late.
                if sent.client_move_id.is_some() {
                    world.fired(Fault::Repeat);
                    self.send_move(talk, id, sent);
                    return true;
                }
                return false;
            } else if !known.sent.is_empty() && world.strikes(Fault::ChangedRepeat, 60) {
                let sent = self.dice.pick(&known.sent);
                if sent.accepted.is_none() {
                    return false;
                }
                (sent.ply, "999>0".to_owned(), sent.client_move_id.clone())
            } else if known.seat.is_none() && world.strikes(Fault::StrangersMove, 40) {
                (next, "0".to_owned(), None)
            } else if known.seat.is_some() && world.strikes(Fault::WrongPly, 60) {
                (Ply(next.0 + 7), "0".to_owned(), None)
            } else if known.is_to_move() && followed && world.strikes(Fault::IllegalMove, 60) {
                (next, "999>0".to_owned(), None)
            } else if known.seat == Some(Seat::to_move_at(next))
                && world.strikes(Fault::OutOfTurn, 40)
            {
                (next, "A-1".to_owned(), None)
            } else {
                return false;
            };
        let message = Move {
            match_id: id.to_string(),
            ply,
            move_text: text,
            client_move_id: name,
            hints: 0,
        };
        talk.ask(Ask::BadMove, message);
        true
    }
}
