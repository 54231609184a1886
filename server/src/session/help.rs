//! Which requests can return results of the solver or lead to a move of a built-in bot. All of them are refused to a player in a rated pair, here and nowhere
//! else. The match over all requests has no wildcard, so a new request does not compile before it is decided.

use grundy_shared::event::Proposal;
use grundy_shared::ids::MatchId;
use grundy_shared::protocol::client::Opponent;
use grundy_shared::protocol::tournament::Control;
use grundy_shared::protocol::{ClientMessage, ErrorBody, ErrorCode};

use super::player::Player;
use super::requests::match_id;
use super::socket::Socket;
use crate::help;
use crate::matches::{LiveMatch, builtin, refusal};

/// Where a request can get help from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Helper<'a> {
    /// From nowhere.
    Nobody,
    /// From the solver, or from a built-in bot that plays for certain.
    Certain,
    /// From the built-in bot that the player faces in this match, if there is one.
    Opponent(&'a str),
    /// From the built-in bot of this match, if it is a game of a tournament in which the player has not moved yet.
    OpponentAtStart(&'a str),
    /// From the solver, which judges a claim in this match if one may be made.
    Judge(&'a str),
    /// From the built-in bots of this tournament, if there are any.
    Entrants(&'a str),
}

impl<'a> Helper<'a> {
    pub(super) fn of(message: &'a ClientMessage) -> Self {
        use ClientMessage as M;
        match message {
            M::Solve(_) | M::Explain(_) | M::Review(_) | M::Puzzle(_) | M::SolvePuzzle(_) => {
                Self::Certain
            }
            // Which matches have mistakes is a result of the solver; the counts in the answer are left out elsewhere.
            M::List(ask) => {
                let by_mistakes = ask.only.as_ref().is_some_and(|only| {
                    only.min_mistakes.is_some() || only.max_mistakes.is_some()
                });
                match by_mistakes {
                    true => Self::Certain,
                    false => Self::Nobody,
                }
            }
            M::Create(ask) => match ask.opponent {
                Opponent::Bot { .. } => Self::Certain,
                Opponent::Invite {} => Self::Nobody,
            },
            M::Move(ask) => Self::Opponent(&ask.match_id),
            M::Plan(ask) => Self::Opponent(&ask.match_id),
            M::Continue(ask) => Self::Opponent(&ask.match_id),
            M::Rematch(ask) => Self::Opponent(&ask.match_id),
            // Built-in bots agree to go on, and then move.
            M::Propose(ask) => match ask.proposal {
                Proposal::Resume => Self::Opponent(&ask.match_id),
                _ => Self::Nobody,
            },
            M::Resume(ask) => Self::OpponentAtStart(&ask.match_id),
            M::Claim(ask) => Self::Judge(&ask.match_id),
            M::CreateTournament(ask) => match ask.bots.is_empty() {
                true => Self::Nobody,
                false => Self::Certain,
            },
            M::JoinTournament(ask) => Self::Entrants(&ask.tournament),
            M::ControlTournament(ask) => match ask.action {
                Control::Start | Control::Resume => Self::Entrants(&ask.tournament),
                Control::Pause | Control::Cancel => Self::Nobody,
            },
            M::WatchTournament(ask) => match ask.play {
                true => Self::Entrants(&ask.tournament),
                false => Self::Nobody,
            },
            // Between people, or about what has happened. The chat holds back what watchers write, by the same check.
            M::Join(_)
            | M::Watch(_)
            | M::Leave(_)
            | M::Resign(_)
            | M::Abort(_)
            | M::Answer(_)
            | M::WithdrawProposal(_)
            | M::Withdraw(_)
            | M::DeclineRematch(_)
            | M::Say(_)
            | M::Chat(_)
            | M::Mute(_)
            | M::Unmute(_)
            | M::Muted(_)
            | M::Challenge(_)
            | M::Accept(_)
            | M::Decline(_)
            | M::WithdrawChallenge(_)
            | M::Offer(_)
            | M::Offers(_)
            | M::Seek(_)
            | M::Seeks(_)
            | M::Take(_)
            | M::WithdrawSeek(_)
            | M::Record(_)
            | M::Ratings(_)
            | M::RatingHistory(_)
            | M::Leaderboard(_)
            | M::WithdrawFromTournament(_)
            | M::ShowTournament(_)
            | M::UnwatchTournament(_)
            | M::ListTournaments(_)
            | M::TournamentLog(_)
            // The rules alone say which moves are legal.
            | M::Moves(_)
            // About the account and the connection.
            | M::Hello(_)
            | M::Login(_)
            | M::Recover(_)
            | M::Logout(_)
            | M::SetPassword(_)
            | M::NewRecoveryCodes(_)
            | M::Tokens(_)
            | M::CreateToken(_)
            | M::RotateToken(_)
            | M::RevokeToken(_)
            | M::SignOutPlayer(_)
            | M::HelpPlayer(_)
            | M::Rename(_)
            | M::Ping(_)
            | M::Cancel(_)
            | M::FollowAccount(_)
            | M::LeaveAccount(_)
            | M::Bye(_) => Self::Nobody,
        }
    }
}

impl<S: Socket> Player<S> {
    /// Whether this request certainly gets no help, which needs no read of the store.
    pub(super) fn gets_no_help(&self, message: &ClientMessage) -> bool {
        match Helper::of(message) {
            Helper::Nobody => true,
            Helper::Opponent(id) | Helper::OpponentAtStart(id) => {
                self.live_against_builtin(id) == Some(false)
            }
            Helper::Certain | Helper::Judge(_) | Helper::Entrants(_) => false,
        }
    }

    /// Refuses a request that would help this player, who may not be helped now.
    pub(super) async fn check_help(&self, message: &ClientMessage) -> Result<(), ErrorBody> {
        let app = &self.connection.app;
        let helps = match Helper::of(message) {
            Helper::Nobody => false,
            Helper::Certain => true,
            Helper::Opponent(id) => self.faces_builtin(id).await?,
            Helper::OpponentAtStart(id) => {
                self.faces_builtin(id).await? && self.is_new_to(match_id(id)?).await?
            }
            Helper::Judge(id) => {
                let live = app.matches.get(match_id(id)?);
                live.is_some_and(|live| live.case_of(self.info.id, app.clock.now()).is_some())
            }
            // A tournament that does not exist gives no help: the request itself is refused for its first fault.
            Helper::Entrants(id) => match app.tournaments.find(id).await {
                Ok(live) => live.has_builtin_bots(),
                Err(error) if error.code == ErrorCode::NoSuchTournament => false,
                Err(error) => return Err(error),
            },
        };
        match helps {
            true => help::check(&*app.store, self.info.id).await,
            false => Ok(()),
        }
    }

    /// Whether the player plays against a built-in bot in this match, if it is in memory.
    fn live_against_builtin(&self, match_text: &str) -> Option<bool> {
        let match_id = match_text.parse().ok()?;
        match self.follow(match_id) {
            Some(follow) => follow.live.faces_builtin(self.info.id),
            None => {
                let live = self.connection.app.matches.get(match_id)?;
                live.faces_builtin(self.info.id)
            }
        }
    }

    /// The same for any match: one that is not in memory is read from the store.
    async fn faces_builtin(&self, match_text: &str) -> Result<bool, ErrorBody> {
        if let Some(faces) = self.live_against_builtin(match_text) {
            return Ok(faces);
        }
        let row = self.connection.app.store.row(match_id(match_text)?).await;
        let row = row.map_err(|error| refusal::of_store(&error))?;
        Ok(row.is_some_and(|row| {
            let seated: Vec<_> = row.first.iter().chain(&row.second).collect();
            seated.iter().any(|player| player.id == self.info.id)
                && seated
                    .iter()
                    .any(|player| builtin::bot_of(player).is_some())
        }))
    }

    /// Whether this match is a game of a tournament in which the player has not moved yet. Of servers that share a store, the others do not have it in memory: there
    /// its log is read.
    async fn is_new_to(&self, id: MatchId) -> Result<bool, ErrorBody> {
        let matches = &self.connection.app.matches;
        let live = matches.get(id);
        if let Some(is_new) = live.and_then(|live| live.is_new_to(self.info.id)) {
            return Ok(is_new);
        }
        let referee = matches.replay(self.owner(), id).await?;
        Ok(referee.is_some_and(|referee| LiveMatch::is_new_game(&referee, self.info.id)))
    }
}
