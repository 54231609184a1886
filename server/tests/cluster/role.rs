//! What a player does besides playing: how the next match comes about.

use std::sync::Arc;

use grundy_shared::event::TimeControl;
use grundy_shared::ids::{JoinCode, MatchId, Millis};
use grundy_shared::protocol::client::{Create, Join, Opponent, Side};
use grundy_shared::protocol::lobby::{BotFilter, Seek, Window};
use grundy_shared::protocol::{Notice, Reply};
use rand::RngExt;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::player::{ANSWER, Player, Table, is_news};
use crate::wire::{Failed, Heard, Wire};

/// An hour: nobody loses on time.
const CLOCK: TimeControl = TimeControl::Fischer {
    base_ms: Millis(3_600_000),
    increment_ms: Millis(0),
};

/// An invitation of the one player to the other.
#[derive(Clone, Debug)]
pub(crate) struct Invitation {
    id: MatchId,
    code: JoinCode,
}

/// How a player gets matches.
pub(crate) enum Role {
    /// Makes the matches.
    Host(watch::Sender<Option<Invitation>>),
    /// Joins them, and says so to watchers. Ends when no more come.
    Guest(
        watch::Receiver<Option<Invitation>>,
        watch::Sender<Option<MatchId>>,
    ),
    /// Plays against a built-in bot.
    Soloist,
    /// Looks in the lobby for somebody who wants to play this position.
    Seeker(String),
}

/// Two players of matches against each other, who begin on different nodes; and which one they play.
pub(crate) fn pair(
    table: &Arc<Table>,
    number: usize,
) -> ([Player; 2], watch::Receiver<Option<MatchId>>) {
    let (inviting, invited) = watch::channel(None);
    let (playing, played) = watch::channel(None);
    let player = |role, name: String, home| Player::new(table, role, name, number, home);
    let host = player(Role::Host(inviting), format!("host-{number}"), number);
    let guest = player(
        Role::Guest(invited, playing),
        format!("guest-{number}"),
        number + 1,
    );
    ([host, guest], played)
}

/// Two players who meet in the lobby, from different nodes.
pub(crate) fn seekers(table: &Arc<Table>, row: usize) -> [Player; 2] {
    // Nobody else plays that.
    let position = "nim:7,8,9,7,8,9";
    [0, 1].map(|number| {
        let role = Role::Seeker(position.to_owned());
        Player::new(table, role, format!("seeker-{number}"), row, number)
    })
}

/// A player against a built-in bot.
pub(crate) fn soloist(table: &Arc<Table>, row: usize, home: usize) -> Player {
    Player::new(table, Role::Soloist, format!("soloist-{home}"), row, home)
}

impl Player {
    /// Gets the next match going; `false` if there is none.
    pub(super) async fn next_match(
        &mut self,
        wire: &mut Wire,
        finish: &CancellationToken,
    ) -> Result<bool, Failed> {
        match &mut self.role {
            Role::Guest(..) => self.next_invitation(wire).await,
            _ if finish.is_cancelled() => Ok(false),
            Role::Host(_) | Role::Soloist => self.create(wire).await.map(|()| true),
            Role::Seeker(position) => {
                let position = position.clone();
                self.seek(wire, position, finish).await
            }
        }
    }

    async fn next_invitation(&mut self, wire: &mut Wire) -> Result<bool, Failed> {
        let Role::Guest(invited, _) = &mut self.role else {
            return Ok(false);
        };
        let last = self.contest.as_ref().map(|(id, _)| *id);
        let is_new =
            |next: &Option<Invitation>| next.as_ref().is_some_and(|next| Some(next.id) != last);
        // Whoever waits hears what the server says.
        let waited = tokio::select! {
            waited = invited.wait_for(is_new) => waited.map(|next| next.clone()),
            heard = wire.hear(&mut self.journal) => return heard.map(|_| true),
        };
        let Ok(Some(invitation)) = waited else {
            return Ok(false);
        };
        self.join(wire, &invitation).await?;
        if let Role::Guest(_, playing) = &self.role {
            playing.send_replace(Some(invitation.id));
        }
        Ok(true)
    }

    async fn create(&mut self, wire: &mut Wire) -> Result<(), Failed> {
        // The same wish until it is answered, also by another node: its own name makes it one match.
        let position = match self.wish.take() {
            Some(position) => position,
            None => self.some_heaps(),
        };
        self.wish = Some(position.clone());
        let name = match &self.identity {
            Some((_, player)) => format!("{player}-{}", self.matches),
            None => return Err(Failed),
        };
        let opponent = match self.role {
            Role::Soloist => Opponent::Bot {
                name: "perfect".to_owned(),
            },
            _ => Opponent::Invite {},
        };
        let create = Create {
            position,
            clock: CLOCK,
            games: 1,
            rated: false,
            side: Side::Random,
            opponent,
            client_create_id: name.parse().ok(),
        };
        match self.ask(wire, create).await? {
            Reply::Created { match_id, code, .. } => {
                self.matches += 1;
                self.wish = None;
                self.begin(match_id);
                if let (Role::Host(inviting), Some(code)) = (&self.role, code) {
                    inviting.send_replace(Some(Invitation { id: match_id, code }));
                }
                Ok(())
            }
            _ => Err(Failed),
        }
    }

    fn some_heaps(&mut self) -> String {
        let heaps = (0..self.random.random_range(2..=5))
            .map(|_| self.random.random_range(1..=9).to_string());
        format!("nim:{}", heaps.collect::<Vec<_>>().join(","))
    }

    async fn join(&mut self, wire: &mut Wire, invitation: &Invitation) -> Result<(), Failed> {
        let join = Join {
            code: invitation.code.to_string(),
        };
        match self.ask(wire, join).await? {
            Reply::Joined { match_id, .. } => {
                self.begin(match_id);
                Ok(())
            }
            // The answer to an earlier try was lost.
            Reply::Error(refusal) if is_news(refusal.code) => {
                self.begin(invitation.id);
                self.resume(wire, invitation.id).await
            }
            _ => Err(Failed),
        }
    }

    /// Waits in the lobby; `false` if it is to finish.
    async fn seek(
        &mut self,
        wire: &mut Wire,
        position: String,
        finish: &CancellationToken,
    ) -> Result<bool, Failed> {
        let seek = Seek {
            position,
            clock: CLOCK,
            games: 1,
            rated: false,
            side: Side::Random,
            bots: BotFilter::Yes,
            automatic: Some(Window::Exact),
        };
        match self.ask(wire, seek).await? {
            Reply::Seeking { .. } => {}
            _ => return Err(Failed),
        }
        let matched = async {
            loop {
                if let Heard::Notice(Notice::SeekEnded { match_id, .. }) = self.hear(wire).await? {
                    return match_id.ok_or(Failed);
                }
            }
        };
        let matched = tokio::select! {
            matched = timeout(ANSWER, matched) => matched,
            () = finish.cancelled() => return Ok(false),
        };
        // Nobody comes, or this server says nothing more: another one may.
        let id = matched.map_err(|_| Failed)??;
        self.begin(id);
        self.resume(wire, id).await.map(|()| true)
    }
}
