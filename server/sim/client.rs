//! A client: who it is, what it knows, its connections one after the other.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use grundy_shared::event::{Event, Series};
use grundy_shared::ids::{MatchId, PlayerId, Seat};
use grundy_shared::protocol::client::{Bye, Create, Hello};
use grundy_shared::protocol::{Notice, VERSION};
use tokio::time::Instant;

use crate::dice::Dice;
use crate::faults::Fault;
use crate::known::Known;
use crate::link::{Downward, Upward};
use crate::lobby::Seen;
use crate::node::Node;
use crate::seeking::Account;
use crate::talk::{Ask, Talk};
use crate::world::World;

/// A client gives a connection up that has brought nothing for so long: three pings are missing.
const SILENCE: Duration = Duration::from_secs(40);

/// One client.
pub(crate) struct Client {
    pub(crate) world: Arc<World>,
    pub(crate) dice: Dice,
    pub(crate) index: usize,
    nodes: Vec<Arc<Node>>,
    address: Ipv4Addr,
    pub(crate) token: Option<String>,
    pub(crate) player: Option<PlayerId>,
    /// Whether it is a bot.
    pub(crate) bot: bool,
    pub(crate) account: Account,
    pub(crate) seen: Seen,
    pub(crate) known: BTreeMap<MatchId, Known>,
    pub(crate) moves_named: u64,
    /// A match that was asked for, and of which nothing has been heard.
    pub(crate) wanted: Option<Create>,
    /// What was created under each name.
    pub(crate) created: BTreeMap<String, MatchId>,
    /// Not before this moment is anything sent: the server asked to wait.
    pub(crate) wait_until_ms: u64,
    /// The server said when to come back.
    pub(crate) come_back_after_ms: Option<u64>,
    /// Nothing is left to do.
    pub(crate) done: bool,
}

/// Why a client stops using a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parting {
    /// It has ended.
    Over,
    /// The client leaves it.
    Left,
}

impl Client {
    pub(crate) fn new(world: &Arc<World>, nodes: &[Arc<Node>], index: usize) -> Self {
        let number = u8::try_from(index).unwrap_or(u8::MAX);
        Self {
            dice: world.dice.fork(),
            world: world.clone(),
            index,
            nodes: nodes.to_vec(),
            address: Ipv4Addr::new(10, 0, 0, number),
            token: None,
            player: None,
            bot: index % 5 == 3,
            account: Account::default(),
            seen: Seen::default(),
            known: BTreeMap::new(),
            moves_named: 0,
            wanted: None,
            created: BTreeMap::new(),
            wait_until_ms: 0,
            come_back_after_ms: None,
            done: false,
        }
    }

    /// Plays until there is nothing left to do.
    pub(crate) async fn live(mut self) {
        let late = self.dice.within(1..2_000);
        tokio::time::sleep(Duration::from_millis(late)).await;
        while !self.done && !self.world.has_findings() {
            let node = match &*self.nodes {
                [only] => only,
                several => self.dice.pick(several),
            };
            let link = node.connect(self.address);
            if let Some(link) = link {
                let talk = Talk::new(&self.world, link);
                self.converse(talk).await;
            }
            let pause = match self.come_back_after_ms.take() {
                Some(told) => told,
                None => 200 + self.dice.about(700),
            };
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        self.world.board().finished += 1;
        self.world
            .note(format_args!("client {} is done", self.index));
    }

    /// Uses a connection until it ends.
    async fn converse(&mut self, mut talk: Talk) {
        if self.world.strikes(Fault::NoHello, 30) {
            return self.say_nothing(talk).await;
        }
        let began = self.world.now_ms();
        self.greet(&mut talk);
        if self.token.is_none() && self.world.strikes(Fault::LostWelcome, 20) {
            talk.link.cut();
            return;
        }
        let mut act_at = Instant::now() + Duration::from_millis(self.pause());
        let mut heard_at = Instant::now();
        let mut deaf_until = Instant::now();
        loop {
            tokio::select! {
                biased;
                said = talk.hear(), if deaf_until <= Instant::now() => {
                    heard_at = Instant::now();
                    let Some(said) = said else { break };
                    if self.take_in(&mut talk, said).is_break() {
                        break;
                    }
                }
                () = tokio::time::sleep_until(deaf_until), if deaf_until > Instant::now() => {}
                () = tokio::time::sleep_until(act_at) => {
                    act_at = Instant::now() + Duration::from_millis(self.pause());
                    if heard_at.elapsed() > SILENCE {
                        break;
                    }
                    talk.check_unanswered();
                    if self.world.strikes(Fault::SlowReader, 250) {
                        deaf_until = Instant::now() + Duration::from_millis(self.dice.within(1_000..20_000));
                        talk.link.mark_troubled();
                    }
                    if self.act(&mut talk).is_break() {
                        break;
                    }
                }
            }
            if self.world.has_findings() {
                break;
            }
        }
        if talk.abandoned {
            let (link, after) = (talk.link.clone(), self.dice.within(2_000..50_000));
            self.world.helpers.spawn(async move {
                tokio::time::sleep(Duration::from_millis(after)).await;
                link.cut();
            });
        } else {
            talk.link.cut();
        }
        let lasted = self.world.now_ms() - began;
        self.world.note(format_args!(
            "client {} leaves link {} after {lasted}",
            self.index, talk.link.number
        ));
    }

    fn pause(&self) -> u64 {
        match self.world.is_calm() {
            true => 150,
            false => self.dice.about(self.world.plan.pause_ms) + 20,
        }
    }

    fn greet(&mut self, talk: &mut Talk) {
        let hello = Hello {
            protocol: VERSION,
            client: None,
            token: self.token.clone().map(Into::into),
            name: None,
            bot: (self.bot && self.token.is_none()).then_some(true),
            session: false,
            language: None,
        };
        let known = self.token.is_some();
        if let Some(me) = self.player {
            self.world.seated().connects(me, &talk.link);
        }
        talk.ask(Ask::Hello { known }, hello);
    }

    async fn say_nothing(&mut self, mut talk: Talk) {
        talk.link.mark_troubled();
        if self.dice.one_in(2) {
            talk.ask(Ask::Bye, Bye {});
        }
        let until = Instant::now() + Duration::from_millis(self.dice.within(100..8_000));
        while let Ok(Some(said)) = tokio::time::timeout_at(until, talk.hear()).await {
            if let Downward::Reply(re, reply) = said {
                talk.answered(re, &reply);
            }
        }
        talk.link.cut();
    }

    /// Takes in what the server says.
    fn take_in(&mut self, talk: &mut Talk, said: Downward) -> ControlFlow<Parting> {
        match said {
            Downward::Ping => talk.send(Upward::Pong),
            Downward::Close(code, reason) => {
                talk.closed = true;
                self.world.note(format_args!(
                    "client {} is closed: {code:?} {reason}",
                    self.index
                ));
                return ControlFlow::Break(Parting::Over);
            }
            Downward::Notice(notice) => self.notice(talk, *notice),
            Downward::Event {
                match_id,
                seq,
                body,
            } => match serde_json::from_str::<Event>(&body) {
                Ok(event) => {
                    let follows_on = match &event {
                        Event::Created {
                            rematch_of, series, ..
                        } => rematch_of.or_else(|| series.and_then(game_before)),
                        _ => None,
                    };
                    if talk.event(match_id, seq, follows_on) {
                        self.learn(talk, match_id, seq, &event);
                    }
                }
                Err(error) => self
                    .world
                    .wrong(format!("event {seq} of {match_id}: {error}")),
            },
            Downward::Account { player, seq, body } => match serde_json::from_str(&body) {
                Ok(event) => self.account_event(talk, player, seq, &body, event),
                Err(error) => self
                    .world
                    .wrong(format!("event {seq} of account {player}: {error}")),
            },
            Downward::Reply(re, reply) => {
                if let Some((ask, since)) = talk.answered(re, &reply) {
                    self.judge(talk, ask, since, *reply);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn notice(&mut self, talk: &mut Talk, notice: Notice) {
        match notice {
            Notice::ShuttingDown { reconnect_after_ms } => {
                self.come_back_after_ms = Some(reconnect_after_ms.0);
            }
            Notice::SeekEnded {
                seek,
                match_id,
                seat,
                opponent,
                ..
            } => {
                if opponent.is_some_and(|opponent| Some(opponent.id) == self.player) {
                    let words = format!("client {} is its own opponent", self.index);
                    self.world.wrong(words);
                }
                self.seek_ended(talk, seek, match_id.zip(seat));
            }
            Notice::SignedOut {} => self.world.wrong(format!(
                "client {} is signed out, although nobody revokes its token",
                self.index
            )),
            Notice::Superseded { match_id } => {
                talk.follows.remove(&match_id);
            }
            Notice::Snapshot(snapshot) => {
                self.world.disk.expect_snapshot(&self.world, &snapshot);
                let id = snapshot.match_id;
                match talk.follows.get_mut(&id) {
                    Some(following)
                        if !following.seated && snapshot.seq.next() >= following.next =>
                    {
                        following.next = snapshot.seq.next();
                        self.known
                            .entry(id)
                            .or_insert_with(|| Known::new(None))
                            .jump(&snapshot);
                    }
                    _ => self.world.wrong(format!(
                        "link {}: a snapshot of {id} that cannot be",
                        talk.link.number
                    )),
                }
            }
            _ => {}
        }
    }

    fn learn(&mut self, talk: &mut Talk, id: MatchId, seq: grundy_shared::ids::Seq, event: &Event) {
        let me = self.player;
        // The log says who sits there: a client that is led into a game may not know its seat yet.
        let seat = me.and_then(|me| self.world.disk.seat_of(id, me));
        let known = self.known.entry(id).or_insert_with(|| Known::new(None));
        if let Some((owner, _)) = event.hidden_from_others()
            && seat != Some(owner)
            && !self
                .world
                .disk
                .any(id, |event| matches!(event, Event::Ended { .. }))
        {
            self.world.wrong(format!(
                "event {seq} of {id} shows what only the {owner} player may see"
            ));
        }
        if seat.is_none() && !self.world.disk.is_past(id, seq) {
            self.world
                .wrong(format!("a watcher was told event {seq} of {id} too early"));
        }
        if let Err(error) = known.learn(seq, event, me) {
            self.world.wrong(format!(
                "client {}: event {seq} of {id}: {error}",
                self.index
            ));
        }
        let next = match event {
            Event::RematchAccepted { rematch, .. } => Some(rematch),
            Event::Ended { next, .. } => next.as_ref(),
            _ => None,
        };
        if let (Some(seat), Some(next)) = (known.seat, next) {
            self.known
                .entry(*next)
                .or_insert_with(|| Known::new(Some(seat.other())));
            if talk
                .follows
                .get(&id)
                .is_some_and(|following| following.seated)
            {
                talk.led_to.push(*next);
            }
        }
    }

    /// The open matches in which this client sits.
    pub(crate) fn open(&self) -> Vec<MatchId> {
        let open = self.known.iter().filter(|(_, known)| known.is_open());
        open.map(|(id, _)| *id).collect()
    }

    pub(crate) fn seat_in(&self, id: MatchId) -> Option<Seat> {
        self.known.get(&id).and_then(|known| known.seat)
    }
}

/// The game before this one in its series.
fn game_before(series: Series) -> Option<MatchId> {
    let game = series.game.checked_sub(1).filter(|game| *game > 0)?;
    Some(Series { game, ..series }.match_id())
}
