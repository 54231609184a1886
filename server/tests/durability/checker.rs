//! Compares what clients were told, as their journals have it, with what is stored.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use grundy_server::store::{ListFilter, MatchRow, MatchStatus, Order, Page, Store};
use grundy_shared::Position;
use grundy_shared::event::{Clocks, EndReason, Event, PlayerInfo};
use grundy_shared::ids::{ClientMoveId, MatchId, PlayerId, Ply, Seat, Seq};
use grundy_shared::protocol::{ClientMessage, ErrorCode, Reply, ServerFrame, read_client_frame};
use grundy_shared::referee::{Referee, Status};

use crate::journal_reader::{Entry, JournalReader};

/// The log counts whole milliseconds.
const ROUNDING: Duration = Duration::from_millis(2);

/// The stored log of every match.
pub(crate) type Logs = BTreeMap<MatchId, Vec<String>>;

/// One promise of the server.
#[derive(Clone, Debug)]
enum Ack {
    Created {
        seat: Seat,
        position: String,
    },
    Joined {
        seat: Seat,
    },
    Accepted {
        seq: Seq,
        ply: Ply,
        move_text: String,
        clocks: Option<Clocks>,
        name: Option<ClientMoveId>,
    },
    Ended {
        seq: Seq,
        reason: EndReason,
    },
    /// Something was proposed, with this event or one before it.
    Proposed {
        seq: Seq,
    },
}

/// What one client was told.
struct Client {
    journal: JournalReader,
    requests: BTreeMap<u64, ClientMessage>,
    player: Option<PlayerInfo>,
    acks: Vec<(MatchId, Ack)>,
    streams: BTreeMap<MatchId, Vec<(Seq, String)>>,
    refusals: Vec<String>,
}

/// What all clients were told so far.
pub(crate) struct Witness {
    clients: Vec<Client>,
}

/// What is wrong, by kind; nothing should be.
#[derive(Default, Debug)]
pub(crate) struct Findings {
    /// Acknowledged, and not stored so.
    pub(crate) lost: Vec<String>,
    /// Announced to a client, and not stored so.
    pub(crate) early: Vec<String>,
    /// Stored or announced twice.
    pub(crate) doubled: Vec<String>,
    /// Stored, and against the laws of a match or of the store.
    pub(crate) corrupt: Vec<String>,
    /// Anything else that a client should not meet.
    pub(crate) wrong: Vec<String>,
}

impl Findings {
    /// Adds those of another look.
    pub(crate) fn extend(&mut self, more: Self) {
        self.lost.extend(more.lost);
        self.early.extend(more.early);
        self.doubled.extend(more.doubled);
        self.corrupt.extend(more.corrupt);
        self.wrong.extend(more.wrong);
    }

    /// Whether there are none.
    pub(crate) fn is_clean(&self) -> bool {
        self.kinds().iter().all(|(_, kind)| kind.is_empty())
    }

    fn kinds(&self) -> [(&str, &[String]); 5] {
        [
            ("lost", &self.lost),
            ("early", &self.early),
            ("doubled", &self.doubled),
            ("corrupt", &self.corrupt),
            ("wrong", &self.wrong),
        ]
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, findings) in self.kinds() {
            // The first few tell what happened; the journals and the database are kept for the rest.
            for finding in findings.iter().take(5) {
                writeln!(f, "{kind}: {finding}")?;
            }
            if findings.len() > 5 {
                writeln!(f, "{kind}: {} more", findings.len() - 5)?;
            }
        }
        Ok(())
    }
}

impl Witness {
    /// Of these journals.
    pub(crate) fn new(journals: impl IntoIterator<Item = JournalReader>) -> Self {
        let clients = journals.into_iter().map(|journal| Client {
            journal,
            requests: BTreeMap::new(),
            player: None,
            acks: Vec::new(),
            streams: BTreeMap::new(),
            refusals: Vec::new(),
        });
        Self {
            clients: clients.collect(),
        }
    }

    /// Reads what was added to the journals.
    pub(crate) fn catch_up(&mut self) {
        for client in &mut self.clients {
            client.catch_up();
        }
    }

    /// How many acknowledgements there were.
    pub(crate) fn acks(&self) -> u64 {
        self.clients
            .iter()
            .map(|client| client.acks.len() as u64)
            .sum()
    }

    /// Compares with what is stored.
    pub(crate) async fn check(&self, store: &dyn Store) -> (Logs, Findings) {
        let mut findings = Findings::default();
        let mut logs = Logs::new();
        for (id, row) in rows(store).await {
            let log = log(store, id).await;
            check_log(id, &row, &log, &mut findings);
            logs.insert(id, log);
        }
        for client in &self.clients {
            client.check(&logs, &mut findings);
            if let Some(player) = &client.player
                && store
                    .player(player.id)
                    .await
                    .expect("a player can be read")
                    .as_ref()
                    != Some(player)
            {
                findings
                    .lost
                    .push(format!("the identity of {}", player.name));
            }
        }
        (logs, findings)
    }

    /// With every match over and every bot finished: each player of a match has heard every event of it.
    pub(crate) fn check_complete(&self, logs: &Logs, findings: &mut Findings) {
        for (id, log) in logs {
            let players = log.iter().filter_map(|body| match event(body)? {
                Event::Created { creator, .. } => Some(creator.id),
                Event::Joined { player, .. } => Some(player.id),
                _ => None,
            });
            let players: Vec<PlayerId> = players.collect();
            if !matches!(
                log.last().and_then(|body| event(body)),
                Some(Event::Ended { .. })
            ) {
                findings.wrong.push(format!("{id} did not come to its end"));
            }
            // A match without a guest was called off by a host that never heard its code.
            for player in players.iter().filter(|_| players.len() == 2) {
                let heard = self.clients.iter().filter(|client| client.is(*player));
                let heard = heard
                    .filter_map(|client| client.streams.get(id))
                    .map(Vec::len)
                    .sum::<usize>();
                if heard < log.len() {
                    findings.wrong.push(format!(
                        "{id}: player {player} heard {heard} of {} events",
                        log.len()
                    ));
                }
            }
        }
    }
}

impl Client {
    fn is(&self, player: PlayerId) -> bool {
        self.player.as_ref().is_some_and(|own| own.id == player)
    }

    fn catch_up(&mut self) {
        while let Some(entry) = self.journal.next() {
            match entry {
                Entry::Sent(frame) => {
                    let (id, request) = read_client_frame(&frame).expect("bots speak the protocol");
                    self.requests.insert(id, request);
                }
                Entry::Received(frame) => self.received(&frame),
            }
        }
    }

    fn received(&mut self, frame: &str) {
        let frame: ServerFrame =
            serde_json::from_str(frame).expect("the server speaks the protocol");
        if let (Some(id), Some(seq)) = (frame.match_id, frame.seq) {
            self.streams
                .entry(id)
                .or_default()
                .push((seq, frame.body.get().to_owned()));
            return;
        }
        let Some(Some(request)) = frame.re else {
            return;
        };
        let reply: Reply =
            serde_json::from_str(frame.body.get()).expect("the server speaks the protocol");
        let Some(request) = self.requests.remove(&request) else {
            self.refusals
                .push(format!("request {request} was answered twice"));
            return;
        };
        self.answered(request, reply);
    }

    fn answered(&mut self, request: ClientMessage, reply: Reply) {
        let ack = match (request, reply) {
            (_, Reply::Welcome { player, .. }) => {
                self.player = Some(player);
                return;
            }
            (ClientMessage::Create(create), Reply::Created { match_id, seat, .. }) => {
                let position =
                    Position::parse(&create.position).expect("bots create good positions");
                (
                    match_id,
                    Ack::Created {
                        seat,
                        position: position.to_string(),
                    },
                )
            }
            (_, Reply::Joined { match_id, seat }) => (match_id, Ack::Joined { seat }),
            (
                ClientMessage::Move(mv),
                Reply::Accepted {
                    match_id,
                    seq,
                    ply,
                    move_text,
                    clocks,
                },
            ) => (
                match_id,
                Ack::Accepted {
                    seq,
                    ply,
                    move_text,
                    clocks,
                    name: mv.client_move_id,
                },
            ),
            (
                ClientMessage::Resign(_),
                Reply::Done {
                    match_id: Some(id),
                    seq: Some(seq),
                    ..
                },
            ) => (
                id,
                Ack::Ended {
                    seq,
                    reason: EndReason::Resignation,
                },
            ),
            (
                ClientMessage::Abort(_),
                Reply::Done {
                    match_id: Some(id),
                    seq: Some(seq),
                    proposed: false,
                },
            ) => (
                id,
                Ack::Ended {
                    seq,
                    reason: EndReason::Aborted,
                },
            ),
            (
                ClientMessage::Abort(_),
                Reply::Done {
                    match_id: Some(id),
                    seq: Some(seq),
                    proposed: true,
                },
            ) => (id, Ack::Proposed { seq }),
            (request, Reply::Error(refusal)) => {
                // A repeated `join` may come when the match is over already; the bot judges that. And a server that is
                // stopped says so.
                let expected = matches!(request, ClientMessage::Join(_))
                    || refusal.code == ErrorCode::ShuttingDown;
                if !expected {
                    self.refusals
                        .push(format!("{} was refused: {refusal}", request.kind()));
                }
                return;
            }
            _ => return,
        };
        self.acks.push(ack);
    }

    fn check(&self, logs: &Logs, findings: &mut Findings) {
        let name = self.player.as_ref().map_or("nobody", |player| &player.name);
        findings.wrong.extend(
            self.refusals
                .iter()
                .map(|refusal| format!("{name}: {refusal}")),
        );
        for (id, ack) in &self.acks {
            if !logs.get(id).is_some_and(|log| self.is_kept(ack, log)) {
                findings.lost.push(format!("{name} in {id}: {ack:?}"));
            }
        }
        for (id, stream) in &self.streams {
            let log = logs.get(id).map_or(&[][..], Vec::as_slice);
            for ((seq, body), expected) in stream.iter().zip(1..) {
                if seq.0 < expected {
                    findings
                        .doubled
                        .push(format!("{name} heard event {seq} of {id} again"));
                    break;
                } else if seq.0 > expected {
                    findings.wrong.push(format!(
                        "{name} heard event {seq} of {id} instead of {expected}"
                    ));
                    break;
                } else if at(log, *seq) != Some(body) {
                    findings
                        .early
                        .push(format!("{name} heard in {id} as event {seq}: {body}"));
                }
            }
        }
    }

    /// Whether the log has what was acknowledged, exactly so.
    fn is_kept(&self, ack: &Ack, log: &[String]) -> bool {
        let at = |seq: Seq| at(log, seq).and_then(|body| event(body));
        match ack {
            Ack::Created { seat, position } => matches!(
                at(Seq(1)),
                Some(Event::Created { creator, seat: stored, position: start, .. })
                    if self.is(creator.id) && stored == *seat && start == *position
            ),
            Ack::Joined { seat } => log.iter().filter_map(|body| event(body)).any(|event| {
                matches!(event, Event::Joined { seat: stored, player, .. } if self.is(player.id) && stored == *seat)
            }),
            Ack::Accepted { seq, ply, move_text, clocks, name } => matches!(
                at(*seq),
                Some(Event::Moved { ply: stored, move_text: text, client_move_id, clocks: left, .. })
                    if stored == *ply && text == *move_text && client_move_id == *name && left == *clocks
            ),
            Ack::Proposed { seq } => {
                let is_proposal = |body: &String| matches!(event(body), Some(Event::Proposed { .. }));
                log.len() as u64 >= seq.0 && log.iter().any(is_proposal)
            }
            Ack::Ended { seq, reason } => {
                matches!(at(*seq), Some(Event::Ended { reason: stored, .. }) if stored == *reason)
            }
        }
    }
}

fn at(log: &[String], seq: Seq) -> Option<&String> {
    log.get(usize::try_from(seq.0).ok()?.checked_sub(1)?)
}

fn event(body: &str) -> Option<Event> {
    serde_json::from_str(body).ok()
}

async fn rows(store: &dyn Store) -> Vec<(MatchId, MatchRow)> {
    let mut rows = Vec::new();
    let mut from = None;
    loop {
        let page = Page {
            order: Order::Newest,
            from,
            limit: usize::MAX,
        };
        let listing = store
            .list(ListFilter::default(), page)
            .await
            .expect("matches can be listed");
        let found = listing.found.into_iter();
        rows.extend(found.map(|listed| (listed.id, listed.row)));
        match listing.next {
            Some(next) => from = Some(next),
            None => return rows,
        }
    }
}

async fn log(store: &dyn Store, id: MatchId) -> Vec<String> {
    let mut log = Vec::new();
    loop {
        let after = Seq(log.len() as u64);
        let page = store
            .load(id.into(), after, usize::MAX)
            .await
            .expect("a log can be read");
        let page = page.expect("a listed match exists");
        if page.is_empty() {
            return log;
        }
        for logged in page {
            assert_eq!(
                logged.seq.0,
                log.len() as u64 + 1,
                "the log of {id} is dense"
            );
            log.push(logged.text().to_owned());
        }
    }
}

/// One match: every law of the referee (order, turns, plies, legality, clocks, result), the summary, nothing doubled,
/// nobody beaten by a clock that ran while the server was away.
fn check_log(id: MatchId, row: &MatchRow, log: &[String], findings: &mut Findings) {
    let events: Vec<Event> = log.iter().filter_map(|body| event(body)).collect();
    if events.len() < log.len() {
        findings
            .corrupt
            .push(format!("{id} has an event that does not read"));
        return;
    }
    let mut plies = BTreeSet::new();
    let mut names = BTreeSet::new();
    for event in &events {
        match event {
            Event::Moved {
                seat,
                ply,
                client_move_id,
                ..
            } => {
                let again = client_move_id
                    .as_ref()
                    .is_some_and(|name| !names.insert((*seat, name)));
                if !plies.insert(*ply) || again {
                    findings
                        .doubled
                        .push(format!("{id}: move {ply} ({client_move_id:?})"));
                }
            }
            Event::Ended {
                reason: EndReason::Time,
                ..
            } => {
                findings
                    .wrong
                    .push(format!("{id} was lost on time by a bot that never waits"));
            }
            _ => {}
        }
    }
    match Referee::replay(&events) {
        Err(error) => findings.corrupt.push(format!("{id}: {error}")),
        Ok(referee) => {
            let status = match referee.status() {
                Status::Waiting => MatchStatus::Waiting,
                Status::Live => MatchStatus::Live,
                Status::Over => MatchStatus::Over,
            };
            if (row.status, row.outcome.zip(row.reason)) != (status, referee.outcome()) {
                findings.corrupt.push(format!(
                    "{id} ends as {:?}, its row says {row:?}",
                    referee.outcome()
                ));
            }
        }
    }
}

/// A log may only grow: what was stored once is there for ever.
pub(crate) fn check_history(before: &Logs, after: &Logs, findings: &mut Findings) {
    for (id, log) in before {
        if !after.get(id).is_some_and(|longer| longer.starts_with(log)) {
            findings.lost.push(format!(
                "{id} had {} events that are not the beginning of its log any more",
                log.len()
            ));
        }
    }
}

/// Every match whose clock ran when the server died has been given back at least the time until the next start, before
/// anything else could happen in it: by a credit, or because its clock was held.
pub(crate) fn check_outage(before: &Logs, after: &Logs, away: Duration, findings: &mut Findings) {
    for (id, log) in before {
        let events: Vec<Event> = log.iter().filter_map(|body| event(body)).collect();
        let Ok(referee) = Referee::replay(&events) else {
            continue;
        };
        let Some(longer) = after.get(id).filter(|_| referee.deadline().is_some()) else {
            continue;
        };
        let next = longer.iter().skip(log.len()).filter_map(|body| event(body));
        if let Some(given_back) = given_back(referee, next)
            && given_back + ROUNDING < away
        {
            findings.wrong.push(format!(
                "{id}: nobody served for {away:?}, and its clock was given back {given_back:?}"
            ));
        }
    }
}

/// How much of the time up to the next move, or up to the last event before it, the player to move was not charged. `None` if the
/// clock is still held then: nothing runs, so nothing can be missing.
fn given_back(mut referee: Referee, next: impl Iterator<Item = Event>) -> Option<Duration> {
    let seat = referee.to_move();
    let began = referee.last_at();
    let left = |referee: &Referee, at| referee.clocks_at(at).map(|clocks| clocks.of(seat).0);
    let had = left(&referee, began)?;
    let mut until = began;
    for event in next {
        until = event.at();
        if matches!(event, Event::Moved { .. } | Event::Ended { .. })
            || referee.apply(&event).is_err()
        {
            break;
        }
    }
    referee.deadline()?;
    let charged = had.saturating_sub(left(&referee, until)?);
    Some(Duration::from_millis(
        until.since(began).0.saturating_sub(charged),
    ))
}
