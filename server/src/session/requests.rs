//! What a player asks: each request is answered exactly once, here or by the match that it is about.

use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::ids::{MatchId, Millis, Seat, Seq};
use grundy_shared::protocol::client::{Create, Join, Move, Opponent, Plan, Side};
use grundy_shared::protocol::{ClientMessage, ErrorBody, ErrorCode, Reply};
use grundy_shared::solver::Budget;

use super::guest::may_invite;
use super::player::Player;
use super::socket::{Ending, Socket};
use crate::analysis::Length;
use crate::costly::{self, OffServing};
use crate::invitation;
use crate::matches::{Act, Input, NewMatch, ReplyTo, Rival, refusal};
use crate::planted;

impl<S: Socket> Player<S> {
    /// Answers a request, or sees to it that it is answered. What waits for something is boxed: an idle connection then keeps no
    /// room for it.
    pub(super) async fn answer(&mut self, id: u64, message: ClientMessage) -> Result<(), Ending> {
        // The store's time to answer is not charged to a player who moves.
        let received = self.connection.app.clock.now();
        let mut checked = self.check_scope(&message);
        if checked.is_ok() && !self.gets_no_help(&message) {
            checked = Box::pin(self.check_help(&message)).await;
        }
        if let Err(error) = checked {
            return self.connection.refuse(Some(id), error);
        }
        let answer = match message {
            ClientMessage::Move(ask) => {
                let (match_text, act) = move_of(ask, self.connection.lag.shown());
                self.act_at(received, id, &match_text, act)
            }
            ClientMessage::Resign(ask) => self.act(id, &ask.match_id, Act::Resign),
            ClientMessage::Abort(ask) => self.act(id, &ask.match_id, Act::Abort),
            ClientMessage::Propose(ask) => {
                let act = Act::Propose(ask.proposal);
                self.act_at(received, id, &ask.match_id, act)
            }
            ClientMessage::Answer(ask) => {
                let act = Act::Answer {
                    proposed: ask.proposed_seq,
                    agree: ask.agree,
                };
                self.act(id, &ask.match_id, act)
            }
            ClientMessage::WithdrawProposal(ask) => {
                self.act(id, &ask.match_id, Act::WithdrawProposal)
            }
            ClientMessage::Plan(ask) => Box::pin(self.plan(received, id, ask)).await,
            ClientMessage::Claim(ask) => Box::pin(self.claim(id, &ask)).await,
            ClientMessage::Continue(ask) => self.act_at(received, id, &ask.match_id, Act::Continue),
            ClientMessage::Rematch(ask) => Box::pin(self.rematch(id, &ask.match_id)).await,
            ClientMessage::Withdraw(ask) => self.act(id, &ask.match_id, Act::WithdrawRematch),
            ClientMessage::DeclineRematch(ask) => self.act(id, &ask.match_id, Act::DeclineRematch),
            ClientMessage::Resume(ask) => self.attach(id, &ask.match_id, true, ask.since_seq),
            ClientMessage::Watch(ask) => self.attach(id, &ask.match_id, false, ask.since_seq),
            ClientMessage::Leave(ask) => self.leave(id, &ask.match_id),
            ClientMessage::Join(ask) => Box::pin(self.join(id, &ask)).await,
            ClientMessage::Create(ask) => Box::pin(self.create(id, ask)).await,
            ClientMessage::Hello(_) | ClientMessage::Login(_) | ClientMessage::Recover(_) => {
                Err(ErrorBody::new(
                    ErrorCode::AlreadyIdentified,
                    "this connection has said `hello` already",
                ))
            }
            ClientMessage::Rename(ask) => Box::pin(self.rename(ask)).await.map(Some),
            about @ (ClientMessage::SetPassword(_)
            | ClientMessage::NewRecoveryCodes(_)
            | ClientMessage::Tokens(_)
            | ClientMessage::CreateToken(_)
            | ClientMessage::RotateToken(_)
            | ClientMessage::RevokeToken(_)
            | ClientMessage::Logout(_)
            | ClientMessage::SignOutPlayer(_)
            | ClientMessage::HelpPlayer(_)) => {
                Box::pin(self.answer_of_identity(about)).await.map(Some)
            }
            ClientMessage::Ping(_) => Ok(Some(Reply::Pong {
                now_ms: self.connection.app.clock.now(),
            })),
            ClientMessage::Say(ask) => Box::pin(self.say(id, ask)).await,
            ClientMessage::Chat(ask) => Box::pin(self.chat(&ask)).await.map(Some),
            ClientMessage::Mute(ask) => Box::pin(self.mute(&ask)).await.map(Some),
            ClientMessage::Unmute(ask) => Box::pin(self.unmute(&ask)).await.map(Some),
            ClientMessage::Muted(_) => Box::pin(self.list_muted()).await.map(Some),
            ClientMessage::List(ask) => Box::pin(self.list(&ask)).await.map(Some),
            ClientMessage::Record(ask) => Box::pin(self.record(&ask)).await.map(Some),
            ClientMessage::Moves(ask) => Box::pin(self.moves(id, &ask)).await,
            ClientMessage::Solve(ask) => Box::pin(self.solve(id, &ask)).await,
            ClientMessage::Explain(ask) => Box::pin(self.explain(id, &ask)).await,
            ClientMessage::Review(ask) => Box::pin(self.review(id, &ask)).await,
            ClientMessage::Cancel(ask) => {
                self.running.cancel(ask.request);
                Ok(Some(Reply::done()))
            }
            ClientMessage::FollowAccount(ask) => {
                Box::pin(self.follow_account(id, &ask)).await;
                Ok(None)
            }
            ClientMessage::LeaveAccount(_) => {
                self.leave_account();
                Ok(Some(Reply::done()))
            }
            ClientMessage::Challenge(ask) => Box::pin(self.challenge(id, ask)).await,
            ClientMessage::Accept(ask) => Box::pin(self.accept(id, &ask)).await,
            ClientMessage::Decline(ask) => Box::pin(self.decline(&ask)).await.map(Some),
            ClientMessage::WithdrawChallenge(ask) => {
                Box::pin(self.withdraw_challenge(&ask)).await.map(Some)
            }
            ClientMessage::Offer(ask) => Box::pin(self.offer(ask)).await.map(Some),
            ClientMessage::Offers(ask) => Box::pin(self.offers(&ask)).await.map(Some),
            ClientMessage::Seek(ask) => Box::pin(self.seek(ask)).await.map(Some),
            ClientMessage::Seeks(ask) => Box::pin(self.seeks(&ask)).await.map(Some),
            ClientMessage::Take(ask) => Box::pin(self.take_seek(id, &ask)).await,
            ClientMessage::WithdrawSeek(ask) => Box::pin(self.withdraw_seek(&ask)).await.map(Some),
            ClientMessage::Ratings(ask) => Box::pin(self.ratings(&ask)).await.map(Some),
            ClientMessage::RatingHistory(ask) => {
                Box::pin(self.rating_history(&ask)).await.map(Some)
            }
            ClientMessage::Puzzle(ask) => Box::pin(self.puzzle(&ask)).await.map(Some),
            ClientMessage::SolvePuzzle(ask) => Box::pin(self.solve_puzzle(id, &ask)).await,
            ClientMessage::Leaderboard(ask) => Box::pin(self.leaderboard(&ask)).await.map(Some),
            about @ (ClientMessage::CreateTournament(_)
            | ClientMessage::JoinTournament(_)
            | ClientMessage::WithdrawFromTournament(_)
            | ClientMessage::ControlTournament(_)
            | ClientMessage::ShowTournament(_)
            | ClientMessage::WatchTournament(_)
            | ClientMessage::UnwatchTournament(_)
            | ClientMessage::ListTournaments(_)
            | ClientMessage::TournamentLog(_)) => {
                Box::pin(self.answer_of_tournaments(id, about)).await
            }
            ClientMessage::Bye(_) => {
                Box::pin(self.finish()).await?;
                self.leaving = true;
                Ok(Some(Reply::done()))
            }
        };
        match answer {
            Ok(Some(reply)) => self.connection.reply(Some(id), &reply),
            // Somebody else answers.
            Ok(None) => Ok(()),
            Err(error) => {
                if matches!(
                    error.code,
                    ErrorCode::NoSuchChallenge | ErrorCode::NoSuchSeek
                ) {
                    self.deliver_waiting()?;
                }
                self.connection.refuse(Some(id), error)
            }
        }
    }

    /// Delivers what waits now: how a challenge has ended comes before the refusal that says so, although another server ended it.
    fn deliver_waiting(&mut self) -> Result<(), Ending> {
        for _ in 0..self.connection.allowance.queue_messages {
            match self.connection.queue.try_next() {
                Some(item) => self.deliver(item)?,
                None => break,
            }
        }
        Ok(())
    }

    /// Plans replies. Up to 128 moves are played to read a plan: unless that is little work, the solver's threads do it before the match decides.
    async fn plan(&self, received: Millis, id: u64, ask: Plan) -> Result<Option<Reply>, ErrorBody> {
        let (position, to_move) = match self.in_play(match_id(&ask.match_id)?).await {
            Ok((position, to_move)) => (Some(position), to_move),
            // The match refuses it in its own words.
            Err(error) if is_out_of_play(error.code) => (None, Seat::First),
            Err(error) => return Err(error),
        };
        let moves: usize = ask.lines.iter().map(Vec::len).sum();
        let is_large = |position: &Position| !costly::is_small_plan(&position.to_string(), moves);
        let read = match position.filter(is_large) {
            None => None,
            Some(position) => {
                let lines = ask.lines.clone();
                let read = move |budget: &Budget<'_>| {
                    let leave = OffServing::with(budget);
                    costly::read_plan(leave, position.clone(), to_move.other(), &lines)
                };
                let matches = &self.connection.app.matches;
                let read = matches.work_out(self.owner(), Length::Long, read).await;
                Some(Box::new(read.map_err(refusal::unfinished)?.value))
            }
        };
        let act = Act::Plan {
            ply: ask.ply,
            lines: ask.lines,
            read,
        };
        self.act_at(received, id, &ask.match_id, act)
    }

    async fn rematch(&self, id: u64, match_text: &str) -> Result<Option<Reply>, ErrorBody> {
        self.check_start_of_rematch(match_text).await?;
        let matches = self.connection.app.matches.clone();
        let room = matches.room_for(&self.info, self.connection.source()).await;
        self.act(id, match_text, Act::Rematch { room })
    }

    /// A rated pair from a start that nobody can lose is not played again: one that was made before they were refused.
    async fn check_start_of_rematch(&self, match_text: &str) -> Result<(), ErrorBody> {
        let row = self.connection.app.store.row(match_id(match_text)?).await;
        let row = row.map_err(|error| refusal::of_store(&error))?;
        let rated = row.filter(|row| row.series.is_some_and(|series| series.rated));
        let Some(row) = rated else {
            return Ok(());
        };
        let (matches, start) = (&self.connection.app.matches, row.start.clone());
        let checked = matches.about(self.owner(), &row.start, true, move |leave| {
            let start = costly::read_stored(leave, &start).ok().zip(leave);
            match start.filter(|(start, leave)| costly::is_forced(*leave, start)) {
                Some((start, _)) => Err(refusal::forced_start(&start)),
                None => Ok(()),
            }
        });
        checked.await?
    }

    pub(super) fn reply_to(&self, id: u64) -> ReplyTo {
        ReplyTo::new(&self.connection.outbox, id, self.connection.last_heard)
    }

    /// Tells a match something, by the shortest way.
    pub(super) fn give(&self, id: MatchId, input: Input) {
        let matches = &self.connection.app.matches;
        match self.follow(id) {
            Some(follow) => matches.give_to(&follow.live, input),
            None => matches.give(id, input),
        }
    }

    pub(super) fn act(
        &self,
        id: u64,
        match_text: &str,
        act: Act,
    ) -> Result<Option<Reply>, ErrorBody> {
        self.act_at(self.connection.app.clock.now(), id, match_text, act)
    }

    fn act_at(
        &self,
        received: Millis,
        id: u64,
        match_text: &str,
        act: Act,
    ) -> Result<Option<Reply>, ErrorBody> {
        let match_id = match_id(match_text)?;
        let act = Input::Act {
            reply: self.reply_to(id),
            connection: self.connection.outbox.clone(),
            received,
            player: self.info.id,
            act,
        };
        self.give(match_id, act);
        Ok(None)
    }

    fn attach(
        &self,
        id: u64,
        match_text: &str,
        seated: bool,
        since: Seq,
    ) -> Result<Option<Reply>, ErrorBody> {
        let match_id = match_id(match_text)?;
        if self.follow(match_id).is_none() {
            self.check_follows()?;
        }
        let attach = Input::Attach {
            reply: Some(self.reply_to(id)),
            connection: self.connection.outbox.clone(),
            player: self.info.id,
            seated,
            invites: may_invite(self.token.scopes),
            since,
        };
        self.give(match_id, attach);
        Ok(None)
    }

    pub(super) fn check_follows(&self) -> Result<(), ErrorBody> {
        let limit = self.connection.allowance.follows;
        if self.followed() >= limit as usize {
            let message = "this connection follows too many matches: `leave` one first";
            return Err(ErrorBody::new(ErrorCode::TooMany, message).limit(limit));
        }
        Ok(())
    }

    fn leave(&self, id: u64, match_text: &str) -> Result<Option<Reply>, ErrorBody> {
        let match_id = match_id(match_text)?;
        // The match says when it has done so: what it tells before that was not left yet.
        let leave = Input::Leave {
            reply: self.reply_to(id),
            connection: self.connection.outbox.clone(),
            player: self.info.id,
        };
        self.give(match_id, leave);
        Ok(None)
    }

    async fn join(&mut self, id: u64, ask: &Join) -> Result<Option<Reply>, ErrorBody> {
        let app = &self.connection.app;
        self.check_follows()?;
        let match_id = invitation::find(app, self.connection.address, &ask.code).await?;
        if !app.lifecycle.takes_matches() {
            return Err(refusal::no_new_matches(&app.lifecycle));
        }
        let join = Input::Join {
            reply: self.reply_to(id),
            connection: self.connection.outbox.clone(),
            // The other player's clock starts with this: looking the code up is not that player's time.
            received: app.clock.now(),
            player: self.info.clone(),
        };
        self.give(match_id, join);
        Ok(None)
    }

    async fn create(&mut self, id: u64, ask: Create) -> Result<Option<Reply>, ErrorBody> {
        self.check_follows()?;
        let against = match &ask.opponent {
            Opponent::Invite {} => Rival::Invited,
            Opponent::Bot { name } => Rival::Bot(name.parse::<Bot>().map_err(|error| {
                ErrorBody::new(ErrorCode::OutOfRange, error.to_string())
                    .field("opponent.name")
                    .limit(Bot::NAMES)
                    .got(name)
            })?),
        };
        if let Rival::Bot(_) = against
            && ask.rated
        {
            let words = "a match against a built-in bot cannot be rated";
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words).field("rated"));
        }
        let wanted = NewMatch {
            position: ask.position,
            clock: ask.clock,
            games: ask.games,
            rated: ask.rated,
            seat: seat_of(ask.side),
            against,
            client_create_id: ask.client_create_id,
        };
        let made = self
            .connection
            .app
            .matches
            .create(self.info.clone(), wanted, self.connection.source())
            .await?;
        let (code, expires_at_ms) = made.code.unzip();
        let created = Reply::Created {
            match_id: made.id,
            seat: made.seat,
            code,
            expires_at_ms,
        };
        self.seat(id, made.id, created);
        Ok(None)
    }

    /// Answers a request for a new match, which the connection follows from the player's seat from here on.
    pub(super) fn seat(&self, id: u64, match_id: MatchId, answer: Reply) {
        let seat = Input::Seat {
            reply: self.reply_to(id),
            answer: Box::new(answer),
            connection: self.connection.outbox.clone(),
            player: self.info.id,
        };
        self.give(match_id, seat);
    }
}

/// The seat that is asked for; `None` if chance decides.
pub(super) fn seat_of(side: Side) -> Option<Seat> {
    match side {
        Side::First => Some(Seat::First),
        Side::Second => Some(Seat::Second),
        Side::Random => None,
    }
}

/// Whether a match has no position to move in.
fn is_out_of_play(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::NoSuchMatch | ErrorCode::NotStarted | ErrorCode::MatchOver
    )
}

/// The match that a request names.
pub(super) fn match_id(text: &str) -> Result<MatchId, ErrorBody> {
    text.parse().map_err(|_| refusal::no_such_match(text))
}

/// The text of the match, and the move in it.
fn move_of(ask: Move, lag: Millis) -> (String, Act) {
    let client_move_id = ask.client_move_id;
    let act = Act::Move {
        ply: ask.ply,
        text: ask.move_text,
        client_move_id: client_move_id.filter(|_| !planted::shows("drop_move_id", 10)),
        lag,
        hints: ask.hints,
    };
    (ask.match_id, act)
}
