//! Whether an answer is one that may be given.

use grundy_shared::Position;
use grundy_shared::event::{Clocks, Event};
use grundy_shared::ids::{ClientCreateId, MatchId, Ply, Seat, Seq};
use grundy_shared::protocol::client::ListStatus;
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};

use crate::client::Client;
use crate::faults::Fault;
use crate::known::{Attempt, Known};
use crate::talk::{Ask, Following, Talk};

/// A wait that is longer than this is for the quota of a day.
const DAY_LONG_MS: u64 = 600_000;

/// How a move was accepted.
struct Accepted {
    id: MatchId,
    seq: Seq,
    ply: Ply,
    text: String,
    clocks: Option<Clocks>,
}

impl Client {
    /// Takes in the answer to a request that was made at this moment, in virtual milliseconds. The answer may have been given
    /// at any moment since: a client that reads late hears it long after its reason has gone.
    pub(crate) fn judge(&mut self, talk: &mut Talk, ask: Ask, since: u64, reply: Reply) {
        match (ask, reply) {
            (ask, Reply::Error(error)) => self.refused(talk, ask, since, &error),
            (
                Ask::Hello { known },
                Reply::Welcome {
                    player,
                    token,
                    obligations,
                    ..
                },
            ) => {
                if known != token.is_none() || self.player.is_some_and(|me| me != player.id) {
                    self.world.wrong(format!(
                        "client {} is welcomed as somebody else",
                        self.index
                    ));
                }
                if self.world.deeds().is_banned_since(player.id, since) {
                    self.world
                        .wrong(format!("{} is banned and was welcomed", player.id));
                }
                talk.welcomed = true;
                self.player = Some(player.id);
                self.world.seated().connects(player.id, &talk.link);
                self.world.board().introduce(player.id);
                if let Some(token) = token {
                    self.token = Some(token.reveal().to_owned());
                }
                for duty in obligations {
                    let known = self.known.entry(duty.match_id);
                    let known = known.or_insert_with(|| Known::new(Some(duty.seat)));
                    known.seat = Some(duty.seat);
                }
            }
            (
                Ask::Create(name),
                Reply::Created {
                    match_id,
                    seat,
                    code,
                    ..
                },
            ) => {
                self.created(name.as_ref(), match_id);
                self.sits(talk, match_id, seat);
                match code {
                    Some(code) => self.world.board().invite(code),
                    None => self.world.board().announce(match_id),
                }
            }
            (Ask::Join, Reply::Joined { match_id, seat }) => {
                self.sits(talk, match_id, seat);
                self.world.board().announce(match_id);
            }
            (
                Ask::Move { id, attempt },
                Reply::Accepted {
                    match_id,
                    seq,
                    ply,
                    move_text,
                    clocks,
                },
            ) => {
                let accepted = Accepted {
                    id: match_id,
                    seq,
                    ply,
                    text: move_text,
                    clocks,
                };
                self.accepted(id, &attempt, &accepted);
            }
            (
                Ask::Resign(id) | Ask::Abort(id) | Ask::Propose(id),
                Reply::Done { proposed: true, .. },
            ) => {
                let proposed = |event: &Event| matches!(event, Event::Proposed { .. });
                if !self.world.disk.any(id, proposed) {
                    self.world.wrong(format!(
                        "a proposal in {id} was acknowledged and is not stored"
                    ));
                }
            }
            (Ask::Resign(id) | Ask::Abort(id), Reply::Done { .. }) => {
                let ended = |event: &Event| matches!(event, Event::Ended { .. });
                if !self.world.disk.any(id, ended) {
                    self.world
                        .wrong(format!("{id} was told to be over and is not"));
                }
            }
            (Ask::Resume(id, since), Reply::Attached { seat, snapshot, .. }) => {
                if seat.is_none() || seat != self.seat_in(id) || snapshot.match_id != id {
                    self.world
                        .wrong(format!("{id} was resumed at another seat: {seat:?}"));
                }
                self.attached(talk, id, since, &snapshot, true);
            }
            (Ask::Watch(id, since), Reply::Attached { seat, snapshot, .. }) => {
                if seat.is_some() {
                    self.world.wrong(format!("{id} is watched from a seat"));
                }
                let joined = |event: &Event| matches!(event, Event::Joined { .. });
                if !self.world.disk.any(id, joined) {
                    self.world
                        .wrong(format!("{id} is watched, and nobody has joined it"));
                }
                self.attached(talk, id, since, &snapshot, false);
            }
            (Ask::Leave(id), Reply::Done { .. }) => {
                talk.follows.remove(&id);
            }
            (
                Ask::Record(id, since),
                Reply::Record {
                    match_id, events, ..
                },
            ) => {
                let dense = (since.0 + 1..)
                    .zip(&events)
                    .all(|(seq, event)| event.seq.0 == seq);
                if id != match_id || !dense {
                    self.world
                        .wrong(format!("the record of {id} after {since} is not it"));
                }
            }
            (
                Ask::FollowAccount(asked, since),
                Reply::Account {
                    stream,
                    seq,
                    complete,
                    challenges,
                },
            ) => {
                self.follows_account(talk, (asked, since), stream, seq, complete, challenges);
            }
            (Ask::LeaveAccount, Reply::Done { .. }) => talk.account_next = None,
            (Ask::Challenge, Reply::Joined { match_id, seat }) => self.sits(talk, match_id, seat),
            (Ask::Accept(challenge), Reply::Joined { match_id, seat }) => {
                if let Err(error) = self.world.bells().accepted(challenge, match_id) {
                    self.world.wrong(error);
                }
                self.sits(talk, match_id, seat);
                self.world.board().announce(match_id);
            }
            (Ask::Seek, Reply::Seeking { seek }) => talk.seeks.push(seek.seek),
            (Ask::Seeks, Reply::Seeks { seeks, .. }) => self.sees(talk, &seeks),
            (Ask::Take(seek), Reply::Joined { match_id, seat }) => {
                self.took(seek, match_id);
                self.sits(talk, match_id, seat);
                self.world.board().announce(match_id);
            }
            (Ask::WithdrawSeek(seek), Reply::Done { .. }) => {
                talk.seeks.retain(|open| *open != seek);
            }
            (
                Ask::Moves(of),
                Reply::Moves {
                    position,
                    to_move,
                    total,
                    moves,
                    ..
                },
            ) => {
                self.are_moves(of, &position, to_move, total, &moves);
            }
            (Ask::Rematch(id), Reply::Rematch { .. }) if self.goes_on_in_a_series(id) => {
                self.world
                    .wrong(format!("a rematch of {id} was offered within a series"));
            }
            (Ask::Challenge, Reply::Challenged { .. })
            | (
                Ask::AnswerChallenge(_)
                | Ask::Offer
                | Ask::Propose(_)
                | Ask::Answer(_)
                | Ask::Claim(_),
                Reply::Done { .. },
            )
            | (Ask::Offers, Reply::Offers { .. })
            | (Ask::Rematch(_) | Ask::Withdraw, Reply::Rematch { .. })
            | (Ask::List, Reply::Matches { .. })
            | (Ask::Ping, Reply::Pong { .. })
            | (Ask::Solve, Reply::Solved { .. })
            | (Ask::Bye, Reply::Done { .. }) => {}
            (ask, reply) => self
                .world
                .wrong(format!("{ask:?} was answered by {reply:?}")),
        }
    }

    /// The first legal moves of a position, and how many there are.
    fn are_moves(
        &self,
        of: Option<MatchId>,
        position: &str,
        to_move: Seat,
        total: Option<u64>,
        moves: &[String],
    ) {
        let legal = Position::parse(position).is_ok_and(|position| {
            let first = (0..3).map_while(|nth| position.nth_move(to_move, nth));
            total.map(u128::from) == Some(position.move_count(to_move))
                && first.map(|mv| mv.to_string()).eq(moves.iter().cloned())
        });
        if !legal {
            self.world.wrong(format!(
                "the moves of {position} ({of:?}) are {moves:?} of {total:?}"
            ));
        }
    }

    /// A match was created, under this name always the same.
    fn created(&mut self, name: Option<&ClientCreateId>, id: MatchId) {
        let Some(name) = name else {
            return;
        };
        self.wanted = None;
        let first = *self.created.entry(name.to_string()).or_insert(id);
        if first != id {
            self.world
                .wrong(format!("{name} was created as {first} and then as {id}"));
        }
    }

    /// A refusal for too many matches is right only if there were as many.
    fn had_too_many(&self, ask: &Ask, since: u64) {
        let world = &self.world;
        if let (Ask::Create(_), Some(me)) = (ask, self.player)
            && !world.disk.was_full(world, me, since)
        {
            world.wrong(format!(
                "client {} may not create a match, and has room",
                self.index
            ));
        }
    }

    /// A refusal for the quota of a day is right only if it was used up. A rematch that the store refused counts as well, so nothing is said where
    /// that can happen.
    fn has_used_up(&mut self, ask: &Ask) {
        const IN_VAIN: [Fault; 6] = [
            Fault::ReadOnly,
            Fault::Busy,
            Fault::StoreFailed,
            Fault::Conflict,
            Fault::CommitLost,
            Fault::CrashBeforeCommit,
        ];
        self.wanted = None;
        let world = &self.world;
        let is_used_up = self
            .player
            .is_some_and(|me| world.disk.has_used_up(world, me));
        let alone = world.plan.nodes == 1;
        if !is_used_up && alone && !IN_VAIN.iter().any(|fault| world.plan.allows(*fault)) {
            world.wrong(format!(
                "client {}: {ask:?} was refused for a quota that is not used up",
                self.index
            ));
        }
    }

    /// Whether the player was banned at some time since then.
    fn may_be_banned(&self, since: u64) -> bool {
        let deeds = self.world.deeds();
        self.player.is_some_and(|me| deeds.may_be_banned(me, since))
    }

    /// The client has a seat in this match, and follows it from event 1 on.
    fn sits(&mut self, talk: &mut Talk, id: MatchId, seat: Seat) {
        let known = self
            .known
            .entry(id)
            .or_insert_with(|| Known::new(Some(seat)));
        known.seat = Some(seat);
        self.sits_here(talk, id);
        let next = Seq(1);
        talk.follows.insert(id, Following { next, seated: true });
    }

    /// The seat in this match is this connection's now.
    fn sits_here(&self, talk: &Talk, id: MatchId) {
        if let Some(me) = self.player {
            let now = self.world.now_ms();
            self.world.seated().sits(id, me, &talk.link, now);
        }
    }

    fn attached(
        &mut self,
        talk: &mut Talk,
        id: MatchId,
        since: Seq,
        snapshot: &grundy_shared::protocol::server::Snapshot,
        seated: bool,
    ) {
        let next = since.next();
        if seated {
            self.sits_here(talk, id);
        }
        talk.follows.insert(id, Following { next, seated });
        let known = self.known.entry(id).or_insert_with(|| Known::new(None));
        if snapshot.seq < since {
            self.world.wrong(format!(
                "{id} stands at {} and was seen at {since}",
                snapshot.seq
            ));
        }
        if snapshot.seq == known.have && known.ply != snapshot.ply {
            self.world.wrong(format!(
                "{id} has {} moves at {} and had {}",
                snapshot.ply, snapshot.seq, known.ply
            ));
        }
    }

    /// A move was accepted: as it was meant, and always by the same answer.
    fn accepted(&mut self, asked: MatchId, attempt: &Attempt, accepted: &Accepted) {
        let Accepted {
            id,
            seq,
            ply,
            text,
            clocks,
        } = accepted;
        if *id != asked || *ply != attempt.ply || *text != attempt.text {
            self.world.wrong(format!(
                "{attempt:?} in {asked} was accepted as {ply} {text} in {id}"
            ));
        }
        let taken_back = self.was_taken_back(*id);
        let Some(known) = self.known.get_mut(id) else {
            return;
        };
        let same = |sent: &&mut Attempt| {
            sent.ply == attempt.ply && sent.client_move_id == attempt.client_move_id
        };
        for sent in known.sent.iter_mut().filter(same) {
            match sent.accepted {
                // Without a name it was made anew, after it had been taken back.
                Some(_) if sent.client_move_id.is_none() && taken_back => {}
                None => sent.accepted = Some((*seq, *clocks)),
                Some(first) if first == (*seq, *clocks) => {}
                Some(first) => self.world.wrong(format!(
                    "move {ply} of {id} was accepted as {first:?} and then as {seq} {clocks:?}"
                )),
            }
        }
        if known.attempt.as_ref() == Some(attempt) {
            known.attempt = None;
        }
    }

    fn refused(&mut self, talk: &mut Talk, ask: Ask, since: u64, error: &ErrorBody) {
        let world = self.world.clone();
        let several = world.board().several_servers_since(since);
        let code = error.code;
        let used_up = code == ErrorCode::RateLimited
            && error.retry_after_ms.is_some_and(|wait| wait > DAY_LONG_MS);
        // Only the claim has to wait, or what is new.
        let holds_up_all = !matches!(ask, Ask::Claim(_)) && !used_up;
        if let Some(wait) = error.retry_after_ms.filter(|_| holds_up_all) {
            self.wait_until_ms = self.wait_until_ms.max(world.now_ms() + wait);
        }
        if let Ask::Take(seek) = &ask
            && !matches!(code, ErrorCode::RateLimited | ErrorCode::ServerBusy)
        {
            self.may_not_take(*seek);
        }
        if code == ErrorCode::ServerBusy && error.retry_after_ms.is_none() {
            return world.wrong(format!("{ask:?} was refused without a time: {error}"));
        }
        match code {
            ErrorCode::Banned if self.may_be_banned(since) => return,
            ErrorCode::RateLimited if used_up => return self.has_used_up(&ask),
            ErrorCode::RateLimited
            | ErrorCode::ServerBusy
            | ErrorCode::ReadOnly
            | ErrorCode::ShuttingDown => return,
            ErrorCode::TooMany => return self.had_too_many(&ask, since),
            // A server that did not make a match does not know of it.
            ErrorCode::NoSuchMatch if several => return,
            ErrorCode::Internal if since < world.board().failing_until => return,
            ErrorCode::Internal => {
                return world.wrong(format!("{ask:?} failed: {}", error.message));
            }
            _ => {}
        }
        let lawful = match &ask {
            Ask::Nonsense(codes) => codes.contains(&code),
            Ask::BadMove => true,
            Ask::Hello { .. } | Ask::Ping | Ask::List | Ask::Bye => false,
            Ask::FollowAccount(..) | Ask::LeaveAccount | Ask::Offers => false,
            // After `bye` the connection follows nothing.
            Ask::Challenge | Ask::Offer if code == ErrorCode::AccountNotFollowed => talk.closed,
            Ask::Offer => false,
            Ask::Challenge => matches!(code, ErrorCode::PlayerAbsent | ErrorCode::Declined),
            // Its challenger has no room.
            Ask::Accept(_) if code == ErrorCode::Declined => true,
            Ask::Accept(challenge) | Ask::AnswerChallenge(challenge) => {
                code == ErrorCode::NoSuchChallenge && !self.knows_it_open(talk, *challenge)
            }
            Ask::Seek | Ask::Seeks => false,
            // The seek may have ended, or another server has it.
            Ask::Take(_) => matches!(code, ErrorCode::NoSuchSeek | ErrorCode::Declined),
            Ask::WithdrawSeek(_) => code == ErrorCode::NoSuchSeek,
            Ask::Moves(id) => {
                let hidden = |id: &MatchId| world.disk.was_invitation(*id, since);
                match code {
                    ErrorCode::NotStarted | ErrorCode::MatchOver => id.is_some(),
                    ErrorCode::NoSuchMatch => id.as_ref().is_some_and(hidden),
                    _ => false,
                }
            }
            Ask::Solve | Ask::Claim(_) if code == ErrorCode::RatedMatch => world.plan.rated,
            Ask::Solve => matches!(
                code,
                ErrorCode::AnalysisRunning | ErrorCode::AnalysisTooLarge
            ),
            Ask::Create(_) => false,
            Ask::Join => {
                matches!(
                    code,
                    ErrorCode::NoSuchCode | ErrorCode::SeatTaken | ErrorCode::OwnMatch
                ) || several
            }
            Ask::Move { id, attempt } => self.may_refuse_move(talk, *id, attempt, code, several),
            Ask::Resign(id) => {
                self.look_again(talk, *id);
                matches!(code, ErrorCode::MatchOver | ErrorCode::NotStarted)
            }
            Ask::Abort(id) => {
                self.look_again(talk, *id);
                matches!(code, ErrorCode::MatchOver | ErrorCode::TooLate)
            }
            Ask::Propose(id) => {
                self.look_again(talk, *id);
                // Like a move, a plan is refused if the client has missed a newer move.
                matches!(
                    code,
                    ErrorCode::MatchOver
                        | ErrorCode::TooLate
                        | ErrorCode::NotPossible
                        | ErrorCode::StalePly
                        | ErrorCode::TooMany
                ) || (code == ErrorCode::IllegalMove && self.was_taken_back(*id))
            }
            Ask::Answer(id) => {
                self.look_again(talk, *id);
                matches!(code, ErrorCode::MatchOver | ErrorCode::NoSuchProposal)
            }
            Ask::Claim(id) => {
                self.look_again(talk, *id);
                let analyses = code == ErrorCode::AnalysisRunning;
                let not_now = matches!(
                    code,
                    ErrorCode::NotPossible | ErrorCode::AbsentPlayerWins | ErrorCode::Paused
                );
                analyses || not_now || code == ErrorCode::MatchOver
            }
            Ask::Rematch(id) if code == ErrorCode::InSeries => self.goes_on_in_a_series(*id),
            Ask::Rematch(_) | Ask::Withdraw => {
                matches!(code, ErrorCode::NotOver | ErrorCode::NotStarted)
            }
            // A server that did not create a match does not have it in memory. It reads the events of another server, or says when to ask again.
            Ask::Resume(..) => code == ErrorCode::NoSuchMatch && several,
            Ask::Watch(id, _) | Ask::Record(id, _) => {
                let waiting =
                    code == ErrorCode::NoSuchMatch && world.disk.was_invitation(*id, since);
                let behind = code == ErrorCode::NoSuchMatch && several;
                // The answer to its `join` may have been lost.
                let own = code == ErrorCode::OwnMatch && matches!(ask, Ask::Watch(..));
                waiting || behind || own
            }
            Ask::Leave(_) => false,
        };
        if !lawful {
            world.wrong(format!(
                "client {}: {ask:?} was refused: {code}, {}",
                self.index, error.message
            ));
        }
    }

    fn may_refuse_move(
        &mut self,
        talk: &mut Talk,
        id: MatchId,
        attempt: &Attempt,
        code: ErrorCode,
        several: bool,
    ) -> bool {
        self.look_again(talk, id);
        match code {
            ErrorCode::MatchOver => true,
            // The client did not know of a newer move; a repeat of one that is stored is accepted again.
            ErrorCode::StalePly | ErrorCode::NotYourTurn => {
                // After a takeback it may have become lawful later, and been stored then.
                several || !self.was_stored(id, attempt) || self.was_taken_back(id)
            }
            ErrorCode::Paused => {
                let paused = |event: &Event| matches!(event, Event::Paused { .. });
                self.world.disk.any(id, paused)
            }
            // It was meant for a position that is gone.
            ErrorCode::IllegalMove => self.was_taken_back(id),
            _ => false,
        }
    }

    fn was_taken_back(&self, id: MatchId) -> bool {
        let taken_back = |event: &Event| matches!(event, Event::TakenBack { .. });
        self.world.disk.any(id, taken_back)
    }

    /// Whether the log has this move under its name: then its repeat must be accepted.
    fn was_stored(&self, id: MatchId, attempt: &Attempt) -> bool {
        self.world.disk.any(id, |event| {
            matches!(event, Event::Moved { ply, client_move_id: Some(name), .. }
                if *ply == attempt.ply && Some(name) == attempt.client_move_id.as_ref())
        })
    }

    /// Whether the log of this match names the next game of its series: then there is no rematch of it.
    fn goes_on_in_a_series(&self, id: MatchId) -> bool {
        let names_the_next = |event: &Event| matches!(event, Event::Ended { next: Some(_), .. });
        self.world.disk.any(id, names_the_next)
    }

    /// What the client knows seems to be old: it resumes.
    fn look_again(&mut self, talk: &mut Talk, id: MatchId) {
        let seated = self
            .known
            .get(&id)
            .is_some_and(|known| known.seat.is_some() && known.status != ListStatus::Over);
        if seated {
            self.resume(talk, id);
        }
    }

    pub(crate) fn resume(&mut self, talk: &mut Talk, id: MatchId) {
        let Some(known) = self.known.get(&id) else {
            return;
        };
        let since = known.have;
        if !talk.waits(|ask| matches!(ask, Ask::Resume(asked, _) if *asked == id)) {
            talk.ask_to_follow(id, since, true);
        }
    }
}
