//! Claims over a player who stays away: the solver is asked first, so that a proven win is not taken from the player who has it.

use grundy_shared::protocol::client::Claim;
use grundy_shared::protocol::{ErrorBody, Reply};
use grundy_shared::referee::{CLAIM_BYTES, CLAIM_NODES, Judged};
use grundy_shared::solver::{Budget, solve};

use super::answers::Question;
use super::player::Player;
use super::requests::match_id;
use super::socket::Socket;
use crate::matches::{Act, Input, refusal};

impl<S: Socket> Player<S> {
    /// Asks the match for its end. What the solver cannot prove within its budget counts as no win of the absent player.
    pub(super) async fn claim(&self, id: u64, ask: &Claim) -> Result<Option<Reply>, ErrorBody> {
        let match_id = match_id(&ask.match_id)?;
        let (app, claim) = (&self.connection.app, ask.claim);
        let live = app.matches.get(match_id);
        let case = live.and_then(|live| live.case_of(self.info.id, app.clock.now()));
        let Some(case) = case else {
            // The match says why not.
            let judged = None;
            return self.act(id, &ask.match_id, Act::Claim { claim, judged });
        };
        let (matches, clock) = (app.matches.clone(), app.clock.clone());
        let (connection, player) = (self.connection.outbox.clone(), self.info.id);
        let claimant = connection.clone();
        let judge = move |_: &Budget<'_>| {
            let budget = Budget {
                nodes: CLAIM_NODES,
                memory_bytes: CLAIM_BYTES,
                stop: &|| claimant.is_gone(),
            };
            let class = solve(&case.position, case.to_move, &budget, 0).outcome;
            Judged {
                ply: case.ply,
                absent_wins: class.winner(case.to_move) == Some(case.absent),
            }
        };
        let question = Question {
            kind: "claim",
            heeds_time: false,
            shown: None,
        };
        self.work_out(id, question, judge, move |reply, judged| {
            if connection.is_gone() {
                // The solver was cut off, and what it says is worth nothing.
                return reply.refuse(refusal::busy("the claimant has hung up"));
            }
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
