//! One connection as a client uses it: what it asked, what it follows, and whether the answers are lawful.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use grundy_shared::ids::{ChallengeId, ClientCreateId, MatchId, SeekId, Seq};
use grundy_shared::protocol::client::{ClientFrame, Resume, Watch};
use grundy_shared::protocol::{ClientMessage, ErrorCode, Reply};
use tokio::time::{Instant, Sleep};

use crate::known::Attempt;
use crate::link::{Downward, Link, Upward};
use crate::pipe::Sent;
use crate::world::World;

/// An answer that takes longer is none, on a connection to which nothing was done.
const ANSWER_MS: u64 = 60_000;

/// What was asked for, and what is needed to judge the answer.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    Hello {
        known: bool,
    },
    Create(Option<ClientCreateId>),
    Join,
    Move {
        id: MatchId,
        attempt: Attempt,
    },
    /// A move that must not succeed.
    BadMove,
    Resign(MatchId),
    Abort(MatchId),
    /// Proposes something to the opponent.
    Propose(MatchId),
    /// Answers or withdraws a proposal, or ends a pause.
    Answer(MatchId),
    /// Claims the win, or calls the match off, because the opponent is away.
    Claim(MatchId),
    Rematch(MatchId),
    Withdraw,
    Resume(MatchId, Seq),
    Watch(MatchId, Seq),
    Leave(MatchId),
    Record(MatchId, Seq),
    List,
    FollowAccount(Option<String>, Seq),
    LeaveAccount,
    Challenge,
    Accept(ChallengeId),
    /// Declines or withdraws it.
    AnswerChallenge(ChallengeId),
    Offer,
    Offers,
    Seek,
    Seeks,
    Take(SeekId),
    WithdrawSeek(SeekId),
    /// The legal moves of this match, or of a position.
    Moves(Option<MatchId>),
    Ping,
    Solve,
    Bye,
    /// Something that must be refused.
    Nonsense(&'static [ErrorCode]),
}

/// A match that the connection follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Following {
    /// The event that has to come next.
    pub(crate) next: Seq,
    pub(crate) seated: bool,
}

/// A connection.
pub(crate) struct Talk {
    pub(crate) link: Arc<Link>,
    world: Arc<World>,
    timer: Pin<Box<Sleep>>,
    next_request: u64,
    pub(crate) asked: BTreeMap<u64, (Ask, u64)>,
    /// Texts without an id of which the refusal has not come.
    pub(crate) nameless: u32,
    pub(crate) follows: BTreeMap<MatchId, Following>,
    /// Rematches that are followed from their first event on without being asked for.
    pub(crate) led_to: Vec<MatchId>,
    /// The number of the next event of the account, if the connection follows it.
    pub(crate) account_next: Option<Seq>,
    /// Its seeks in the lobby.
    pub(crate) seeks: Vec<SeekId>,
    /// The server has said why it closes.
    pub(crate) closed: bool,
    /// The client does not read it any more, and does not hang up either.
    pub(crate) abandoned: bool,
    /// The server has said `welcome`.
    pub(crate) welcomed: bool,
}

impl Talk {
    pub(crate) fn new(world: &Arc<World>, link: Arc<Link>) -> Self {
        Self {
            link,
            world: world.clone(),
            timer: Box::pin(tokio::time::sleep_until(Instant::now())),
            next_request: 1,
            asked: BTreeMap::new(),
            nameless: 0,
            follows: BTreeMap::new(),
            led_to: Vec::new(),
            account_next: None,
            seeks: Vec::new(),
            closed: false,
            abandoned: false,
            welcomed: false,
        }
    }

    /// What comes next; `None` at the end.
    pub(crate) async fn hear(&mut self) -> Option<Downward> {
        std::future::poll_fn(|context| self.poll_hear(context)).await
    }

    fn poll_hear(&mut self, context: &mut Context<'_>) -> Poll<Option<Downward>> {
        self.link.down.poll_next(context, self.timer.as_mut())
    }

    pub(crate) fn send(&self, said: Upward) {
        let bytes = match &said {
            Upward::Text(text) => text.len(),
            _ => 8,
        };
        // What does not fit any more will not be answered: the connection is in trouble anyway.
        if self.link.up.send(said, bytes, self.world.latency()) != Sent::Yes {
            self.link.mark_troubled();
        }
    }

    /// Asks something.
    pub(crate) fn ask(&mut self, ask: Ask, message: impl Into<ClientMessage>) {
        let id = self.number(ask);
        let frame = ClientFrame {
            id,
            body: message.into(),
        };
        self.send(Upward::Text(frame.to_json()));
    }

    /// Asks to follow a match after this event.
    pub(crate) fn ask_to_follow(&mut self, id: MatchId, since: Seq, seated: bool) {
        let (match_id, since_seq) = (id.to_string(), since);
        if seated {
            self.ask(
                Ask::Resume(id, since),
                Resume {
                    match_id,
                    since_seq,
                },
            );
        } else {
            self.ask(
                Ask::Watch(id, since),
                Watch {
                    match_id,
                    since_seq,
                },
            );
        }
    }

    /// Takes the number of a request.
    pub(crate) fn number(&mut self, ask: Ask) -> u64 {
        let id = self.next_request;
        self.next_request += 1;
        self.asked.insert(id, (ask, self.world.now_ms()));
        id
    }

    /// Whether a request like this waits for its answer.
    pub(crate) fn waits(&self, like: impl Fn(&Ask) -> bool) -> bool {
        self.asked.values().any(|(ask, _)| like(ask))
    }

    /// The request that a reply answers, and when it was made, in virtual milliseconds.
    pub(crate) fn answered(&mut self, re: Option<u64>, reply: &Reply) -> Option<(Ask, u64)> {
        let Some(re) = re else {
            match self.nameless.checked_sub(1) {
                Some(left) => self.nameless = left,
                None => self
                    .world
                    .wrong(format!("a reply to no request: {reply:?}")),
            }
            return None;
        };
        let asked = self.asked.remove(&re);
        if asked.is_none() {
            let link = self.link.number;
            self.world.wrong(format!(
                "link {link}: request {re} was answered twice, or never made: {reply:?}"
            ));
        }
        asked
    }

    /// Requests that were not answered for too long, though nothing was done to the connection.
    pub(crate) fn check_unanswered(&mut self) {
        if self.link.is_troubled() || self.closed {
            return;
        }
        let now = self.world.now_ms();
        let late = |since: u64| now.saturating_sub(since) > ANSWER_MS;
        if let Some((re, (ask, since))) = self.asked.iter().find(|(_, (_, since))| late(*since)) {
            self.world.stuck(format!(
                "link {}: request {re}, {ask:?}, of {since} ms has no answer",
                self.link.number
            ));
            self.link.mark_troubled();
        }
    }

    /// Takes in that an event has come; whether it may.
    pub(crate) fn event(&mut self, id: MatchId, seq: Seq, follows_on: Option<MatchId>) -> bool {
        let led = self.led_to.iter().position(|led| *led == id);
        if let Some(at) = led {
            self.led_to.swap_remove(at);
        }
        // The news that led here may still be in the backlog of the match before.
        let plays = |of| {
            let following = self.follows.get(&of);
            self.led_to.contains(&of)
                || following.is_some_and(|following: &Following| following.seated)
        };
        if seq == Seq(1) && (led.is_some() || follows_on.is_some_and(plays)) {
            let next = Seq(1);
            self.follows.insert(id, Following { next, seated: true });
        }
        let link = self.link.number;
        match self.follows.get_mut(&id) {
            None => {
                self.world.wrong(format!(
                    "link {link}: event {seq} of {id}, which it does not follow"
                ));
                false
            }
            Some(following) if following.next != seq => {
                let due = following.next;
                self.world.wrong(format!(
                    "link {link}: event {seq} of {id}, and {due} was due"
                ));
                false
            }
            Some(following) => {
                following.next = seq.next();
                true
            }
        }
    }
}
