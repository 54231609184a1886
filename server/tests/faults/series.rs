//! The server dies between the games of a series: exactly the games that were asked for are played.

use std::path::Path;

use grundy_shared::event::TimeControl;
use grundy_shared::ids::{ClientCreateId, MatchId};
use grundy_shared::protocol::client::{
    Create, Hello, Join, List, ListStatus, Opponent, Resign, Side,
};
use grundy_shared::protocol::server::MatchSummary;
use grundy_shared::protocol::{ClientMessage, Reply, Secret};
use tempfile::TempDir;

use crate::client::{Client, Heard};
use crate::journal::Journal;
use crate::process::{Launch, PATIENCE, Server};

const GAMES: u32 = 4;

/// The server is gone.
#[derive(Debug)]
struct Died;

/// What two players know, whatever happens to the server.
#[derive(Default)]
struct Players {
    tokens: [Option<Secret>; 2],
    journals: u32,
}

/// A connection of one of them.
struct Talk(Client<Journal>, u64);

impl Talk {
    async fn ask(&mut self, request: impl Into<ClientMessage>) -> Result<Reply, Died> {
        self.1 += 1;
        self.0.send(self.1, request).await.map_err(|_| Died)?;
        loop {
            let heard = tokio::time::timeout(PATIENCE, self.0.hear()).await;
            match heard.expect("the server speaks or dies in time") {
                Ok(Heard::Reply(id, reply)) if id == self.1 => return Ok(reply),
                Ok(_) => {}
                Err(_) => return Err(Died),
            }
        }
    }

    async fn matches(&mut self, status: ListStatus) -> Result<Vec<MatchSummary>, Died> {
        let list = List {
            status: Some(status),
            mine: true,
            ..List::default()
        };
        match self.ask(list).await? {
            Reply::Matches { matches, .. } => Ok(matches),
            other => panic!("{other:?}"),
        }
    }
}

impl Players {
    async fn talk(&mut self, who: usize, server: &Server, directory: &Path) -> Result<Talk, Died> {
        self.journals += 1;
        let journal = Journal::create(&directory.join(format!("{}.journal", self.journals)));
        let client = Client::connect(server.address(), journal).await;
        let mut talk = Talk(client.map_err(|_| Died)?, 0);
        let hello = Hello {
            protocol: 1,
            client: None,
            token: self.tokens[who].clone(),
            name: None,
            bot: None,
            session: false,
            language: None,
        };
        let Reply::Welcome { token, .. } = talk.ask(hello).await? else {
            panic!("no welcome");
        };
        self.tokens[who] = token.or(self.tokens[who].take());
        Ok(talk)
    }

    /// Plays on until all games are over.
    async fn play(&mut self, server: &Server, directory: &Path) -> Result<Vec<MatchSummary>, Died> {
        let mut ada = self.talk(0, server, directory).await?;
        let mut bo = self.talk(1, server, directory).await?;
        let name: ClientCreateId = "the-series".parse().expect("letters and a hyphen");
        let create = Create {
            position: "nim:3,4,5".to_owned(),
            clock: TimeControl::Untimed {},
            games: GAMES,
            rated: false,
            side: Side::First,
            opponent: Opponent::Invite {},
            client_create_id: Some(name),
        };
        if let Reply::Created {
            code: Some(code), ..
        } = ada.ask(create).await?
        {
            let code = code.to_string();
            bo.ask(Join { code }).await?;
        }
        let mut resigned: Vec<MatchId> = Vec::new();
        loop {
            let open = ada.matches(ListStatus::Live).await?;
            let [only] = &open[..] else {
                assert!(open.is_empty(), "one game at a time: {open:?}");
                return ada.matches(ListStatus::Over).await;
            };
            assert!(!resigned.contains(&only.match_id));
            let match_id = only.match_id.to_string();
            let loser = match resigned.len() % 2 {
                0 => &mut ada,
                _ => &mut bo,
            };
            loser.ask(Resign { match_id }).await?;
            resigned.push(only.match_id);
        }
    }
}

async fn series_with(failpoint: &str) -> bool {
    let directory = TempDir::new().expect("a directory");
    let mut launch =
        Launch::on(&directory.path().join("data")).with("GRUNDYD_FAILPOINT", failpoint);
    let mut players = Players::default();
    let mut died = false;
    let matches = loop {
        let mut server = match launch.start().await {
            Ok(server) => server,
            Err(_) if !died => {
                died = true;
                launch.environment.clear();
                continue;
            }
            Err(status) => panic!("{status}: {}", launch.logged()),
        };
        match players.play(&server, directory.path()).await {
            Ok(matches) => break matches,
            Err(Died) => {
                assert!(!died, "it dies once: {}", launch.logged());
                server.ended().await;
                died = true;
                launch.environment.clear();
            }
        }
    };
    let mut places: Vec<_> = matches
        .iter()
        .map(|game| game.series.expect("a series"))
        .collect();
    places.sort_by_key(|series| series.game);
    let games: Vec<_> = places.iter().map(|series| series.game).collect();
    assert_eq!(games, [1, 2, 3, 4], "{failpoint}");
    let last = places[3];
    assert_eq!(last.first_wins + last.second_wins, 3, "{failpoint}");
    died
}

#[tokio::test]
async fn exactly_the_games_that_were_asked_for_are_played() {
    let mut deaths = 0;
    for place in ["before_commit", "after_commit_before_ack", "before_publish"] {
        // Two guests, the match, the seat, four ends; heartbeats come between.
        for passing in 1..=12 {
            deaths += u32::from(series_with(&format!("{place}:{passing}")).await);
        }
    }
    assert!(deaths > 20, "the server died {deaths} times only");
}
