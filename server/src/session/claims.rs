//! Claims over a player who stays away: the solver is asked first, so that a proven win is not taken from the player who has it.

use grundy_shared::protocol::client::Claim;
use grundy_shared::protocol::{ErrorBody, Reply};
use grundy_shared::referee::Judged;
use grundy_shared::solver::{Budget, solve};

use super::player::Player;
use super::requests::match_id;
use super::socket::Socket;
use crate::matches::{Act, Claimed, Input};

impl<S: Socket> Player<S> {
    /// Asks the match for its end. What the solver cannot prove within its budget counts as no win of the absent player.
    pub(super) fn claim(&self, id: u64, ask: &Claim) -> Result<Option<Reply>, ErrorBody> {
        let match_id = match_id(&ask.match_id)?;
        let (app, claim) = (&self.connection.app, ask.claim);
        let live = app.matches.get(match_id);
        let claimed = live.and_then(|live| live.claimed(self.info.id, app.clock.now()));
        let Some(claimed) = claimed else {
            // The match says why not.
            let judged = None;
            return self.act(id, &ask.match_id, Act::Claim { claim, judged });
        };
        let (matches, clock) = (app.matches.clone(), app.clock.clone());
        let (connection, player) = (self.connection.outbox.clone(), self.info.id);
        let judge = move |budget: &Budget<'_>| {
            let Claimed {
                position,
                to_move,
                ply,
                absent,
            } = claimed;
            let class = solve(&position, to_move, budget, 0).outcome;
            Judged {
                ply,
                absent_wins: class.winner(to_move) == Some(absent),
            }
        };
        self.work_out(id, "claim", judge, move |reply, judged| {
            let judged = Some(judged);
            let act = Input::Act {
                reply,
                connection,
                received: clock.now(),
                player,
                act: Act::Claim { claim, judged },
            };
            matches.give(match_id, act);
        })
    }
}
