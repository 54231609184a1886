//! What a client does next, lawfully.

use std::ops::ControlFlow;
use std::time::Duration;

use grundy_shared::event::TimeControl;
use grundy_shared::ids::{MatchId, Millis, Ply, Seq};
use grundy_shared::protocol::client::{
    Abort, Bye, Create, Join, Leave, List, ListStatus, Move, Moves, Opponent, Ping, Record,
    Rematch, Resign, Side, Solve, Withdraw,
};

use crate::client::{Client, Parting};
use crate::faults::Fault;
use crate::known::Attempt;
use crate::talk::{Ask, Talk};

/// What was asked for by a connection that is gone may still be carried out so long after the calm, and make a match.
const SETTLING: Duration = Duration::from_secs(12);
/// A move without an answer is sent again after so long.
const RESEND_MS: u64 = 3_000;
/// Start positions: short ones, long ones, and one of a coloured game.
pub(crate) const POSITIONS: &[&str] = &[
    "nim:3,4,5",
    "nim:1",
    "nim:2,2",
    "nim:30,30",
    "nim:9,9,9",
    "hack:0b1-2,0r3",
];

impl Client {
    /// Does something, or nothing.
    pub(crate) fn act(&mut self, talk: &mut Talk) -> ControlFlow<Parting> {
        if !talk.welcomed || self.world.now_ms() < self.wait_until_ms {
            return ControlFlow::Continue(());
        }
        if self.world.is_calm() {
            return self.finish(talk);
        }
        self.part_badly(talk)?;
        if self.misbehave(talk) {
            return ControlFlow::Continue(());
        }
        if self.play(talk) {
            return ControlFlow::Continue(());
        }
        self.pass_time(talk);
        ControlFlow::Continue(())
    }

    /// Comes to an end with everything.
    fn finish(&mut self, talk: &mut Talk) -> ControlFlow<Parting> {
        let open = self.open();
        if open.is_empty() {
            if !talk.asked.is_empty() {
                return ControlFlow::Continue(());
            }
            if self.player.is_some_and(|me| self.world.disk.plays(me)) {
                // It was not told of a match, or of its end: the server has to say so when it comes back.
                return match self.dice.one_in(8) {
                    true => ControlFlow::Break(Parting::Left),
                    false => ControlFlow::Continue(()),
                };
            }
            if !self.world.is_calm_for(SETTLING) {
                return ControlFlow::Continue(());
            }
            self.done = true;
            talk.ask(Ask::Bye, Bye {});
            return ControlFlow::Break(Parting::Left);
        }
        for id in open {
            let follows = talk
                .follows
                .get(&id)
                .is_some_and(|following| following.seated);
            if !follows {
                self.resume(talk, id);
            }
        }
        self.end_pauses(talk);
        if !self.play(talk) {
            self.withdraw(talk);
        }
        ControlFlow::Continue(())
    }

    /// Calls off what nobody has joined.
    fn withdraw(&mut self, talk: &mut Talk) {
        let waiting = self.known.iter().find(|(id, known)| {
            known.is_open()
                && known.status == ListStatus::Waiting
                && known.have > Seq(0)
                && talk.follows.contains_key(id)
        });
        if let Some((id, _)) = waiting
            && !talk.waits(|ask| matches!(ask, Ask::Abort(_)))
        {
            let match_id = id.to_string();
            talk.ask(Ask::Abort(*id), Abort { match_id });
        }
    }

    /// Moves, where it is to move; whether it did.
    pub(crate) fn play(&mut self, talk: &mut Talk) -> bool {
        let to_move: Vec<MatchId> = self
            .known
            .iter()
            .filter(|(id, known)| {
                known.is_to_move()
                    && talk
                        .follows
                        .get(id)
                        .is_some_and(|following| following.seated)
            })
            .map(|(id, _)| *id)
            .collect();
        if to_move.is_empty() {
            return false;
        }
        let id = *self.dice.pick(&to_move);
        let next = self.known[&id].ply.next();
        let attempt = match &self.known[&id].attempt {
            Some(attempt) if attempt.ply == next => attempt.clone(),
            _ => match self.think(id, next) {
                Some(attempt) => attempt,
                None => return false,
            },
        };
        let now = self.world.now_ms();
        let asked = talk.asked.values().rev().find(|(ask, _)| {
            matches!(ask, Ask::Move { id: asked, attempt: sent } if *asked == id && sent.ply == next)
        });
        match asked {
            Some((_, since)) if now < since + RESEND_MS => return false,
            Some(_) => self.world.faults.fired(Fault::Repeat),
            None => {}
        }
        self.send_move(talk, id, attempt);
        true
    }

    fn think(&mut self, id: MatchId, ply: Ply) -> Option<Attempt> {
        let named = !self.dice.one_in(8);
        let known = self.known.get_mut(&id)?;
        let (seat, position) = (known.seat?, known.position.as_ref()?);
        let count = position.move_count(seat);
        if count == 0 {
            return None;
        }
        // Small moves make long matches, and large ones end them.
        let below = u64::try_from(count).unwrap_or(u64::MAX);
        let nth = match self.world.is_calm() {
            true => below - 1 - self.dice.within(0..below.div_ceil(4)),
            false => self.dice.within(0..below),
        };
        let text = position.nth_move(seat, u128::from(nth))?.to_string();
        self.moves_named += 1;
        let name = format!("c{}-{}", self.index, self.moves_named);
        let attempt = Attempt {
            ply,
            text,
            client_move_id: named.then(|| name.parse().expect("a short name")),
            accepted: None,
        };
        known.attempt = Some(attempt.clone());
        known.sent.push(attempt.clone());
        Some(attempt)
    }

    pub(crate) fn send_move(&self, talk: &mut Talk, id: MatchId, attempt: Attempt) {
        let message = Move {
            match_id: id.to_string(),
            ply: attempt.ply,
            move_text: attempt.text.clone(),
            client_move_id: attempt.client_move_id.clone(),
            hints: 0,
        };
        talk.ask(Ask::Move { id, attempt }, message);
    }

    /// Something else than a move.
    fn pass_time(&mut self, talk: &mut Talk) {
        let open = self.open();
        let some = (!open.is_empty()).then(|| *self.dice.pick(&open));
        match self.dice.below(48) {
            40..48 => self.agree(talk),
            0..5 => self.create(talk, open.len()),
            5..11 => self.join(talk),
            11..14 => {
                let any = self.world.board().any_match(|count| self.dice.below(count));
                if let Some(id) = any.filter(|id| self.seat_in(*id).is_none()) {
                    self.watch(talk, id);
                }
            }
            14..17 => self.rematch(talk),
            17 => {
                let over = |known: &crate::known::Known| {
                    known.seat.is_some() && known.status == ListStatus::Over
                };
                let id = self.known.iter().find(|(_, known)| over(known));
                if let Some((id, _)) = id {
                    let match_id = id.to_string();
                    talk.ask(Ask::Withdraw, Withdraw { match_id });
                }
            }
            18..22 => {
                if let Some(id) = some {
                    self.resume(talk, id);
                }
            }
            22 => {
                if let Some(id) = some {
                    let match_id = id.to_string();
                    talk.ask(Ask::Resign(id), Resign { match_id });
                }
            }
            23 => {
                if let Some(id) = some {
                    let match_id = id.to_string();
                    talk.ask(Ask::Abort(id), Abort { match_id });
                }
            }
            24 => {
                let follows: Vec<MatchId> = talk.follows.keys().copied().collect();
                if !follows.is_empty() {
                    let id = *self.dice.pick(&follows);
                    let match_id = id.to_string();
                    talk.ask(Ask::Leave(id), Leave { match_id });
                }
            }
            25 | 26 => self.record(talk),
            27 => {
                let list = List {
                    status: None,
                    mine: self.dice.one_in(2),
                    limit: Some(5),
                    ..List::default()
                };
                talk.ask(Ask::List, list);
            }
            28 => {
                let solve = Solve {
                    position: (*self.dice.pick(POSITIONS)).to_owned(),
                    to_move: None,
                    max_moves: Some(2),
                };
                talk.ask(Ask::Solve, solve);
            }
            29..37 if self.world.plan.lobby && self.dice.one_in(2) => self.go_to_the_lobby(talk),
            29..37 => self.seek(talk),
            37 | 38 => self.list_moves(talk),
            _ => talk.ask(Ask::Ping, Ping {}),
        }
    }

    fn create(&mut self, talk: &mut Talk, open: usize) {
        if talk.waits(|ask| matches!(ask, Ask::Create(_))) {
            return;
        }
        if let Some(create) = self.wanted.clone() {
            // The same under the same name: it is one match.
            talk.ask(Ask::Create(create.client_create_id.clone()), create);
            return;
        }
        if open >= 3 && !self.dice.one_in(6) {
            return;
        }
        self.moves_named += 1;
        let name = format!("m{}-{}", self.index, self.moves_named);
        let named = !self.dice.one_in(4);
        let clock = self.choose_clock();
        let plan = &self.world.plan;
        let opponent = match self.dice.one_in(4) {
            true if !plan.rated => Opponent::Bot {
                name: (*self.dice.pick(&["perfect", "random", "skill:0.5"])).to_owned(),
            },
            _ => Opponent::Invite {},
        };
        let position = *self.dice.pick(POSITIONS);
        // A single counter is won by the first player whatever is played.
        let rated = plan.rated && clock != (TimeControl::Untimed {}) && position != "nim:1";
        let create = Create {
            position: position.to_owned(),
            clock,
            games: match *self.dice.pick(&[1, 1, 1, 4]) {
                _ if rated => 2,
                games => games,
            },
            rated,
            side: *self.dice.pick(&[Side::First, Side::Second, Side::Random]),
            opponent,
            client_create_id: named.then(|| name.parse().expect("a short name")),
        };
        if named {
            self.wanted = Some(create.clone());
        }
        talk.ask(Ask::Create(create.client_create_id.clone()), create);
    }

    /// One of every kind, short enough that flags fall within the run.
    fn choose_clock(&mut self) -> TimeControl {
        let base_ms = Millis(*self.dice.pick(&[3_000, 10_000, 60_000]));
        match self.dice.below(12) {
            0..4 => TimeControl::Untimed {},
            4..8 => TimeControl::Fischer {
                base_ms,
                increment_ms: Millis(*self.dice.pick(&[0, 1_000])),
            },
            8 => TimeControl::Delay {
                base_ms,
                delay_ms: Millis(1_000),
            },
            9 => TimeControl::Bronstein {
                base_ms,
                delay_ms: Millis(1_000),
            },
            10 => TimeControl::PerMove { move_ms: base_ms },
            _ => TimeControl::ByoYomi {
                base_ms: Millis(*self.dice.pick(&[0, 3_000])),
                period_ms: Millis(2_000),
                periods: 3,
            },
        }
    }

    fn join(&mut self, talk: &mut Talk) {
        // Now and then a code is left for another one: two come for one seat.
        let leave = self.dice.one_in(6);
        let code = self
            .world
            .board()
            .code(|count| self.dice.below(count), leave);
        if let Some(code) = code {
            let text = code.to_string();
            talk.ask(Ask::Join, Join { code: text });
        }
    }

    fn watch(&mut self, talk: &mut Talk, id: MatchId) {
        let since = match self.known.get(&id) {
            Some(known) if self.dice.one_in(2) => known.have,
            _ => Seq(0),
        };
        talk.ask_to_follow(id, since, false);
    }

    fn rematch(&mut self, talk: &mut Talk) {
        let over = |known: &crate::known::Known| {
            known.seat.is_some() && known.status == ListStatus::Over && known.rematch.is_none()
        };
        let wished: Vec<(MatchId, bool)> = self
            .known
            .iter()
            .filter(|(_, known)| over(known))
            .map(|(id, known)| (*id, known.offered))
            .collect();
        if wished.is_empty() {
            return;
        }
        let offered: Vec<_> = wished
            .iter()
            .copied()
            .filter(|(_, offered)| *offered)
            .collect();
        let from = if offered.is_empty() {
            &wished
        } else {
            &offered
        };
        let (id, _) = *self.dice.pick(from);
        let match_id = id.to_string();
        talk.ask(Ask::Rematch(id), Rematch { match_id });
    }

    /// Asks for the legal moves of a match, or of a position.
    fn list_moves(&mut self, talk: &mut Talk) {
        let any = self.world.board().any_match(|count| self.dice.below(count));
        let asked = any.filter(|_| self.dice.one_in(2));
        let position = (*self.dice.pick(POSITIONS)).to_owned();
        let moves = Moves {
            position: asked.is_none().then_some(position),
            match_id: asked.map(|id| id.to_string()),
            limit: Some(3),
            ..Moves::default()
        };
        talk.ask(Ask::Moves(asked), moves);
    }

    fn record(&mut self, talk: &mut Talk) {
        let Some(id) = self.world.board().any_match(|count| self.dice.below(count)) else {
            return;
        };
        let since_seq = Seq(self.dice.within(0..3));
        if self.world.disk.length(id) < since_seq.0 {
            return;
        }
        let record = Record {
            match_id: id.to_string(),
            since_seq,
            limit: Some(*self.dice.pick(&[3, 50])),
        };
        talk.ask(Ask::Record(id, since_seq), record);
    }
}
