//! An operator: ends matches, bans players and lifts the bans. Only where one server runs: a second one learns of a ban at its next start.

use std::sync::Arc;
use std::time::Duration;

use grundy_server::admin::{Configuration, Desk};
use grundy_server::audit::{Actor, AuditEvent, Change};
use grundy_server::config::Config;
use grundy_server::operator::{AdminError, AdminReply, AdminRequest, BanAsk, BanTerms};
use grundy_server::operator::{EndMatchAsk, SubjectAsk};
use grundy_server::store::{BanSubject, Store, StreamId};
use grundy_shared::event::{EndReason, Event, Outcome};
use grundy_shared::ids::{PlayerId, Seq};

use crate::dice::Dice;
use crate::disk::at_once;
use crate::node::Node;
use crate::world::World;

/// Between two requests, on average.
const PAUSE_MS: u64 = 3_000;
/// A ban that could not be lifted is tried again after so long.
const AGAIN: Duration = Duration::from_millis(300);

/// A ban of a player, as the operator knows it. Times are virtual milliseconds.
#[derive(Clone, Copy, Debug)]
struct Ban {
    player: PlayerId,
    /// From then on it is in force. It may have been before, or may be although nobody said so.
    held: Option<u64>,
    /// The operator has asked to lift it: it may be in force or not.
    lifting: bool,
    lifted: Option<u64>,
}

/// What the operator did.
#[derive(Default, Debug)]
pub(crate) struct Deeds {
    bans: Vec<Ban>,
    /// Every change that was acknowledged.
    done: Vec<Change>,
}

impl Deeds {
    /// Whether a player may be refused as banned who asked at this moment.
    pub(crate) fn may_be_banned(&self, player: PlayerId, since: u64) -> bool {
        let mut bans = self.bans.iter().filter(|ban| ban.player == player);
        bans.any(|ban| ban.lifted.is_none_or(|lifted| lifted >= since))
    }

    /// Whether a player was banned at this moment and has been since.
    pub(crate) fn is_banned_since(&self, player: PlayerId, since: u64) -> bool {
        let mut bans = self.bans.iter().filter(|ban| ban.player == player);
        bans.any(|ban| !ban.lifting && ban.held.is_some_and(|held| held < since))
    }
}

/// The operator of one server.
pub(crate) struct Operator {
    world: Arc<World>,
    node: Arc<Node>,
    dice: Dice,
}

impl Operator {
    pub(crate) fn new(world: &Arc<World>, node: &Arc<Node>) -> Self {
        Self {
            world: world.clone(),
            node: node.clone(),
            dice: world.dice.fork(),
        }
    }

    /// Does something now and then until faults stop, and then lifts every ban, so that everybody can come to an end.
    pub(crate) async fn operate(self) {
        while !self.world.is_calm() {
            let pause = Duration::from_millis(200 + self.dice.about(PAUSE_MS));
            tokio::select! {
                biased;
                () = self.world.calmed.notified() => {}
                () = tokio::time::sleep(pause) => self.do_something().await,
            }
        }
        while !self.world.has_findings() {
            match self.banned().first() {
                Some(player) => self.unban(*player).await,
                None => break,
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    async fn do_something(&self) {
        match self.dice.below(5) {
            0 | 1 => self.end_match().await,
            2 | 3 => {
                let any = self
                    .world
                    .board()
                    .any_player(|count| self.dice.below(count));
                if let Some(player) = any.filter(|player| !self.banned().contains(player)) {
                    self.ban(player).await;
                }
            }
            _ => {
                let banned = self.banned();
                if !banned.is_empty() {
                    self.unban(*self.dice.pick(&banned)).await;
                }
            }
        }
    }

    /// Whom a ban may keep away.
    fn banned(&self) -> Vec<PlayerId> {
        let deeds = self.world.deeds();
        let bans = deeds.bans.iter().filter(|ban| ban.lifted.is_none());
        bans.map(|ban| ban.player).collect()
    }

    async fn end_match(&self) {
        let any = self.world.board().any_match(|count| self.dice.below(count));
        let Some(match_id) = any else { return };
        let outcome = *self
            .dice
            .pick(&[Outcome::Void, Outcome::First, Outcome::Second]);
        let ask = EndMatchAsk {
            match_id,
            reason: "because".to_owned(),
            result: outcome,
        };
        if self.is_done(AdminRequest::EndMatch(ask)).await {
            let ended = |event: &Event| matches!(event, Event::Ended { reason: EndReason::Operator, outcome: stored, .. } if *stored == outcome);
            if !self.world.disk.any(match_id, ended) {
                let words = format!("the operator was told that {match_id} is over, and it is not");
                self.world.wrong(words);
            }
            let done = Change::EndMatch { match_id, outcome };
            self.world.deeds().done.push(done);
        }
    }

    async fn ban(&self, player: PlayerId) {
        self.world.deeds().bans.push(Ban {
            player,
            held: None,
            lifting: false,
            lifted: None,
        });
        let ask = BanAsk::Player {
            player: player.to_string(),
            terms: BanTerms {
                reason: "because".to_owned(),
                span: None,
            },
        };
        if self.is_done(AdminRequest::Ban(ask)).await {
            let now = self.world.now_ms();
            let mut deeds = self.world.deeds();
            if let Some(ban) = deeds.bans.last_mut() {
                ban.held = Some(now);
            }
            deeds.done.push(Change::Ban {
                subject: BanSubject::Player(player).to_string(),
                until_ms: None,
            });
        }
    }

    async fn unban(&self, player: PlayerId) {
        self.each_ban(player, |ban| ban.lifting = true);
        let ask = SubjectAsk::Player {
            player: player.to_string(),
        };
        let reply = self.ask(AdminRequest::Unban(ask)).await;
        let now = self.world.now_ms();
        match reply {
            Some(AdminReply::Done { .. }) => {
                self.each_ban(player, |ban| ban.lifted = Some(now));
                self.world.deeds().done.push(Change::Unban {
                    subject: BanSubject::Player(player).to_string(),
                });
            }
            // It was lifted, or never stored, when an answer was lost.
            Some(AdminReply::Error(AdminError { code, .. })) if code == "out_of_range" => {
                self.each_ban(player, |ban| ban.lifted = Some(now));
            }
            _ => {}
        }
    }

    /// Changes what is known of the ban of a player that is not lifted.
    fn each_ban(&self, player: PlayerId, change: impl Fn(&mut Ban)) {
        let mut deeds = self.world.deeds();
        let bans = deeds.bans.iter_mut();
        let open = bans.filter(|ban| ban.player == player && ban.lifted.is_none());
        open.for_each(change);
    }

    async fn is_done(&self, request: AdminRequest) -> bool {
        matches!(self.ask(request).await, Some(AdminReply::Done { .. }))
    }

    /// Asks the process that runs now; its answer. What was asked of a process that died may have been done.
    async fn ask(&self, request: AdminRequest) -> Option<AdminReply> {
        let process = self.node.serving()?;
        let world = &self.world;
        world.note(format_args!("operator asks {request:?}"));
        let configuration = Configuration::new(|| Ok(Config::default()), None, None);
        let desk = Desk::new(process.app.clone(), Arc::new(configuration));
        let by = Actor::User { uid: 0 };
        let asking = process
            .app
            .lifecycle
            .spawn(async move { desk.answer(by, request).await });
        let gone = process.life.gone.clone();
        drop(process);
        let reply = gone.run_until_cancelled(asking).await?.ok()?;
        world.note(format_args!("operator hears {reply:?}"));
        Some(reply)
    }
}

/// Every change that was acknowledged is in the audit log.
pub(crate) fn check(world: &World) {
    let mut asked = Vec::new();
    let mut after = Seq(0);
    while let Ok(Some(page)) = at_once(world.disk.memory.load(StreamId::Audit, after, 1_000))
        && let Some(last) = page.last()
    {
        after = last.seq;
        asked.extend(
            page.iter()
                .filter_map(|entry| match serde_json::from_slice(&entry.body) {
                    Ok(AuditEvent::Asked { change, .. }) => Some(change),
                    _ => None,
                }),
        );
    }
    for change in &world.deeds().done {
        match asked.iter().position(|asked| asked == change) {
            Some(at) => drop(asked.swap_remove(at)),
            None => world.wrong(format!("the audit log has no record of {change:?}")),
        }
    }
}
