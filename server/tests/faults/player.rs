//! A player by hand: asks, and hears events in their order.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use grundy_shared::event::{Event, TimeControl};
use grundy_shared::ids::{MatchId, Ply, Seq};
use grundy_shared::protocol::client::{Create, Hello, Join, Move, Opponent, Side};
use grundy_shared::protocol::{ClientMessage, ErrorBody, Reply};

use crate::client::{Client, Heard};
use crate::journal::Journal;
use crate::process::{PATIENCE, Server};

/// A player and its connection.
pub(crate) struct Player {
    client: Client<Journal>,
    requests: u64,
    token: String,
    events: VecDeque<(MatchId, Seq, Event)>,
}

impl Player {
    /// A new guest; what it says and hears is noted in `directory`.
    pub(crate) async fn guest(server: &Server, directory: &Path) -> Self {
        Self::hello(server, directory, None).await
    }

    /// The same player on a new connection.
    pub(crate) async fn again(&self, server: &Server, directory: &Path) -> Self {
        Self::hello(server, directory, Some(self.token.clone())).await
    }

    async fn hello(server: &Server, directory: &Path, token: Option<String>) -> Self {
        let number = std::fs::read_dir(directory)
            .expect("the directory is there")
            .count();
        let journal = Journal::create(&directory.join(format!("{number}.journal")));
        let client = Client::connect(server.address(), journal).await;
        let mut player = Self {
            client: client.expect("the server accepts"),
            requests: 0,
            token: String::new(),
            events: VecDeque::new(),
        };
        let hello = Hello {
            protocol: 1,
            client: None,
            token: token.clone().map(Into::into),
            name: None,
            bot: None,
            session: false,
            language: None,
        };
        let Reply::Welcome { token: given, .. } = player.ask(hello).await else {
            panic!("no welcome");
        };
        player.token = given
            .map(|token| token.reveal().to_owned())
            .or(token)
            .expect("a new guest is given a token");
        player
    }

    /// Asks and waits for the answer.
    pub(crate) async fn ask(&mut self, request: impl Into<ClientMessage>) -> Reply {
        self.requests += 1;
        let request_id = self.requests;
        self.client
            .send(request_id, request)
            .await
            .expect("the server listens");
        loop {
            match self.hear().await {
                Heard::Reply(id, reply) if id == request_id => return reply,
                Heard::Event(id, seq, event) => self.events.push_back((id, seq, event)),
                Heard::Reply(..) | Heard::Other => {}
            }
        }
    }

    /// Asks a server that may go away: the answer, if there is one.
    pub(crate) async fn try_ask(&mut self, request: impl Into<ClientMessage>) -> Option<Reply> {
        self.requests += 1;
        let request_id = self.requests;
        self.client.send(request_id, request).await.ok()?;
        loop {
            let heard = tokio::time::timeout(PATIENCE, self.client.hear()).await;
            match heard.expect("the server speaks or goes in time").ok()? {
                Heard::Reply(id, reply) if id == request_id => return Some(reply),
                Heard::Event(id, seq, event) => self.events.push_back((id, seq, event)),
                Heard::Reply(..) | Heard::Other => {}
            }
        }
    }

    /// Asks, and is refused.
    pub(crate) async fn refusal(&mut self, request: impl Into<ClientMessage>) -> ErrorBody {
        match self.ask(request).await {
            Reply::Error(refusal) => refusal,
            reply => panic!("not refused but answered: {reply:?}"),
        }
    }

    /// The next event.
    pub(crate) async fn event(&mut self) -> (MatchId, Seq, Event) {
        loop {
            if let Some(event) = self.events.pop_front() {
                return event;
            }
            if let Heard::Event(id, seq, event) = self.hear().await {
                self.events.push_back((id, seq, event));
            }
        }
    }

    /// Listens for so long, to a server that says nothing.
    pub(crate) async fn hears_nothing(&mut self, for_so_long: Duration) {
        let heard = tokio::time::timeout(for_so_long, self.client.hear()).await;
        assert!(heard.is_err(), "the server said something");
    }

    async fn hear(&mut self) -> Heard {
        let heard = tokio::time::timeout(PATIENCE, self.client.hear()).await;
        heard
            .expect("the server speaks in time")
            .expect("the server lives")
    }

    /// Makes a move.
    pub(crate) fn mv(id: MatchId, ply: u32, text: &str) -> Move {
        Move {
            match_id: id.to_string(),
            ply: Ply(ply),
            move_text: text.to_owned(),
            client_move_id: Some(
                format!("move-{ply}")
                    .parse()
                    .expect("letters, digits and a hyphen"),
            ),
            hints: 0,
        }
    }
}

impl Player {
    /// An invitation to `nim:9,9,9`, without clocks, in which the creator moves first.
    pub(crate) fn create() -> Create {
        Create {
            position: "nim:9,9,9".to_owned(),
            clock: TimeControl::Untimed {},
            games: 1,
            rated: false,
            side: Side::First,
            opponent: Opponent::Invite {},
            client_create_id: None,
        }
    }
}

/// A match of `nim:9,9,9` between two new guests; the first of them moves first.
pub(crate) async fn a_match(
    server: &Server,
    directory: &Path,
    clock: TimeControl,
) -> (MatchId, [Player; 2]) {
    a_match_of("nim:9,9,9", server, directory, clock).await
}

/// The same of another position.
pub(crate) async fn a_match_of(
    position: &str,
    server: &Server,
    directory: &Path,
    clock: TimeControl,
) -> (MatchId, [Player; 2]) {
    let mut first = Player::guest(server, directory).await;
    let mut second = Player::guest(server, directory).await;
    let create = Create {
        position: position.to_owned(),
        clock,
        ..Player::create()
    };
    let Reply::Created {
        match_id,
        code: Some(code),
        ..
    } = first.ask(create).await
    else {
        panic!("not created");
    };
    let Reply::Joined { .. } = second
        .ask(Join {
            code: code.to_string(),
        })
        .await
    else {
        panic!("not joined");
    };
    (match_id, [first, second])
}
