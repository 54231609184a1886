//! `grundy play`: a match against a bot, against a friend, or here without a server.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use grundy_shared::bot::Bot;
use grundy_shared::event::TimeControl;
use grundy_shared::games::find;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::odds::Player;
use grundy_shared::protocol::client::{Challenge, Create, Opponent, Seek, Side};
use grundy_shared::protocol::lobby::{BotFilter, Window};
use grundy_shared::protocol::server::Reply;
use grundy_shared::referee::Terms;
use grundy_words::Message;

use super::challenge;
use super::odds::fair_start;
use crate::account::sign_in;
use crate::confirm::{confirmed, may_record};
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::invitation::Invitation;
use crate::library::Library;
use crate::library::keeper::Keeper;
use crate::match_source::local::{self, Players};
use crate::match_source::remote;
use crate::reading::{clock, games, games_of, position};
use crate::render::{bot_name, sentences, welcome};
use crate::seeking::{Found, seek, waited};
use crate::session::match_view::{MatchView, Ours};
use crate::session::{Opening, Session};

/// The strengths of bots that have names, weakest first.
fn strengths() -> String {
    let names: Vec<&str> = Bot::strengths().map(|(name, _)| name).collect();
    names.join(", ")
}

/// What is played if somebody looks for an opponent and names no game.
pub(super) const USUAL_START: &str = "nim:3,5,7";

/// The example position of a game, if this is the name of one.
fn example_of(text: &str) -> Option<&'static str> {
    let game = find(&text.trim().to_ascii_lowercase())?;
    game.examples.first().copied()
}

/// Without a position: the games, an example and the next step.
fn show_games(context: &Context) -> Result<Exit, Failure> {
    if context.output.json {
        return Err(Failure::usage(Message::new("usage-no-start"))
            .help(Message::new("remedy-position").text("example", "nim:3,5,7")));
    }
    context
        .output
        .prose(&welcome::which_game(context.output.words()))?;
    Ok(Exit::Done)
}

/// The side that the user wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum WantedSide {
    /// Make the first move.
    First,
    /// Make the second move.
    Second,
    /// Let chance decide.
    Random,
}

impl WantedSide {
    fn on_the_wire(self) -> Side {
        match self {
            Self::First => Side::First,
            Self::Second => Side::Second,
            Self::Random => Side::Random,
        }
    }
}

/// Who may be the opponent of one who looks for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Opponents {
    /// People and bots.
    All,
    /// People only.
    People,
    /// Bots only.
    Bots,
}

impl Opponents {
    fn on_the_wire(self) -> BotFilter {
        match self {
            Self::All => BotFilter::Yes,
            Self::People => BotFilter::No,
            Self::Bots => BotFilter::Only,
        }
    }
}

/// How far an opponent's terms may be from those that are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Widest {
    /// The same start position and clock.
    Exact,
    /// The same game, and a clock of the same speed.
    Near,
    /// Any game and any clock.
    Any,
}

impl Widest {
    fn on_the_wire(self) -> Window {
        match self {
            Self::Exact => Window::Exact,
            Self::Near => Window::Near,
            Self::Any => Window::Any,
        }
    }
}

/// Arguments of `play`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy play nim:3,5,7                          play the server's bot
  grundy play kayles                             the same from the game's example
  grundy play nim:3,5,7 --bot perfect --side first
  grundy play wythoff:5,8 --clock 3+2 --invite   play a friend; 3 minutes each, plus 2 s a move
  grundy play nim:3,5,7 --against Ada            play a bot of 'grundy offers', or challenge a player
  grundy play nim:3,5,7 --against Ada --games 4  four games, sides swapped after each
  grundy play nim:3,5,7 --open                   wait in the lobby until somebody takes the seat
  grundy play --anyone                           let the server find an opponent
  grundy play --anyone --clock 3+2 --rated       the same for a rated pair: two games, sides swapped
  grundy play nim:3,5,7@misere --local           no server needed
  grundy play --fair 0.6 --bot skill:0.8         a start that is fair if you find a winning move 6 times in 10
  printf 'A-2\\nmoves\\n' | grundy play nim:3,5,7 --local

Type moves, or: help, moves, board, pre MOVE, if A-1 B-2, hint, why, undo, clock, pause, adjourn, continue, draw, abort, accept, decline, say TEXT, chat, mute, resign, quit. If stdin is not a terminal, each \
line is held until your turn, and the client leaves the match at the end of the input. With \
--json, every event is one line on stdout.")]
pub(crate) struct Arguments {
    /// The start position, such as nim:3,5,7, or a game such as kayles for its example; with --fair a game [default: show the games]
    position: Option<String>,
    /// The bot to play: beginner, casual, club, strong, perfect, or another of 'grundy bot list' [default: club]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["invite", "two"])]
    bot: Option<String>,
    /// The player to play, by id or name, such as a bot of 'grundy offers'
    #[arg(long, value_name = "NAME", conflicts_with_all = ["bot", "invite", "two", "local"])]
    against: Option<String>,
    /// Open a seat in the lobby, and wait until somebody takes it
    #[arg(long, conflicts_with_all = ["bot", "against", "invite", "local"])]
    open: bool,
    /// Let the server find an opponent; after a while it accepts other starts and clocks, too
    #[arg(long, conflicts_with_all = ["bot", "against", "invite", "local", "open"])]
    anyone: bool,
    /// With --open or --anyone: who may be the opponent
    #[arg(long, value_name = "WHO", default_value = "all")]
    opponents: Opponents,
    /// With --anyone: how far the opponent's terms may be from yours [default: near, and any if you name no start position]
    // A flag that is required does not count as missing where another excludes it.
    #[arg(long, value_name = "HOW", requires = "anyone", conflicts_with = "open")]
    widest: Option<Widest>,
    /// Which side you play
    #[arg(long, value_name = "SIDE", default_value = "random")]
    side: WantedSide,
    /// Each player's clock: 3m+2s, 3+2 (minutes and seconds), 5m+d3s (delay), 5m+b3s (Bronstein), 30s/move, 3d/move, 10m+3x30s
    /// (byo-yomi), or none
    #[arg(long, value_name = "CLOCK", default_value = "none", value_parser = clock)]
    clock: TimeControl,
    /// Games to play one after another with sides swapped: 1, or an even number up to 1000
    #[arg(long, value_name = "N", default_value = "1", value_parser = games, conflicts_with_all = ["local", "record"])]
    games: u32,
    /// Play a rated pair: two games, sides swapped, with a clock; with --against, --invite, --open or --anyone
    #[arg(long, conflicts_with_all = ["bot", "games", "local", "record"], requires = "clock")]
    rated: bool,
    /// Choose a start from which you, if you find a winning move with this probability, and the bot are equally likely to win within 1 %
    #[arg(long, value_name = "SKILL", conflicts_with_all = ["against", "open", "anyone", "invite", "two", "rated"])]
    fair: Option<Player>,
    /// Play a friend, who joins with a code
    #[arg(long, conflicts_with = "local")]
    invite: bool,
    /// Play locally, without a server
    #[arg(long)]
    local: bool,
    /// Two players share this keyboard
    #[arg(long, requires = "local", conflicts_with_all = ["invite", "side"])]
    two: bool,
    /// Write the record of the match to this file at the end
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Do not keep the match in the library on this computer
    #[arg(long, requires = "local")]
    no_record: bool,
}

impl Arguments {
    /// Whether no server takes part.
    pub(super) fn is_local(&self) -> bool {
        self.local || (self.position.is_none() && !self.seeks() && self.fair.is_none())
    }

    /// Whether an opponent is looked for.
    fn seeks(&self) -> bool {
        self.open || self.anyone
    }

    /// Plays.
    pub(crate) async fn run(mut self, context: &Context) -> Result<Exit, Failure> {
        if let Some(us) = self.fair {
            self.choose_start(context, us)?;
        }
        if let Some(game) = self.position.as_deref().and_then(example_of) {
            self.position = Some(game.to_owned());
        }
        let usual = self.seeks().then_some(USUAL_START);
        let Some(start) = self.position.as_deref().or(usual) else {
            return show_games(context);
        };
        if self.opponents != Opponents::All && !self.seeks() {
            return Err(Failure::usage(Message::new("usage-opponents"))
                .help(Message::new("usage-opponents-how")));
        }
        if self.rated && !(self.seeks() || self.invite || self.against.is_some()) {
            return Err(Failure::usage(Message::new("usage-rated-bot"))
                .help(Message::new("usage-rated-bot-how")));
        }
        // A position that does not parse is refused here, without a round trip.
        let start = position(start)?.to_string();
        let bot = self.bot()?;
        if !may_record(&context.output, self.record.as_deref()).await? {
            return Ok(Exit::Done);
        }
        if let Some(player) = self.against.clone() {
            let request = Challenge {
                player,
                position: start,
                clock: self.clock,
                games: games_of(self.games, self.rated),
                rated: self.rated,
                side: self.side.on_the_wire(),
                expires_ms: None,
            };
            return challenge::play(context, request, self.record).await;
        }
        if self.seeks() {
            self.meet(context, start).await
        } else if self.local {
            self.play_here(context, start, bot).await
        } else {
            self.play_there(context, start, bot).await
        }
    }

    /// Replaces the game by a start that is fair to both players, and the side by ours in it.
    fn choose_start(&mut self, context: &Context, us: Player) -> Result<(), Failure> {
        let bot = self.bot()?.to_string();
        let them = bot.parse().map_err(|_| {
            Failure::usage(Message::new("usage-fair-bot").text("bot", &bot))
                .help(Message::new("usage-fair-bot-how"))
        })?;
        let first = match self.side {
            WantedSide::First => Some(0),
            WantedSide::Second => Some(1),
            WantedSide::Random => None,
        };
        let game = self.position.as_deref().unwrap_or("nim");
        let (start, first) = fair_start(context, game, [us, them], first, rand::random())?;
        self.position = Some(start.to_string());
        self.side = match first {
            0 => WantedSide::First,
            _ => WantedSide::Second,
        };
        Ok(())
    }

    fn bot(&self) -> Result<Bot, Failure> {
        match &self.bot {
            None => Ok(Bot::default()),
            Some(name) => Bot::of_typed(name).map_err(|error| {
                let message = Message::new("no-such-bot")
                    .text("name", crate::render::short(&crate::render::clean(name)))
                    .text("said", error);
                let how = Message::new("no-such-bot-how")
                    .text("strengths", strengths())
                    .text("kinds", Bot::NAMES);
                Failure::told(Exit::Input, "no_such_bot", message).help(how)
            }),
        }
    }

    /// Looks for an opponent, and plays. If the server finds nobody, a bot is offered.
    async fn meet(self, context: &Context, position: String) -> Result<Exit, Failure> {
        let widest = self.widest.unwrap_or(match self.position {
            Some(_) => Widest::Near,
            None => Widest::Any,
        });
        let request = Seek {
            position: position.clone(),
            clock: self.clock,
            games: games_of(self.games, self.rated),
            rated: self.rated,
            side: self.side.on_the_wire(),
            bots: self.opponents.on_the_wire(),
            automatic: self.anyone.then(|| widest.on_the_wire()),
        };
        let (link, match_id, us, now) = match seek(context, request).await? {
            Found::Match {
                link,
                match_id,
                us,
                now,
            } => (link, match_id, us, now),
            Found::Nobody { waited: time, bot } => {
                let words = context.output.words();
                let strength = bot.strength().map_or(bot.to_string(), str::to_owned);
                let waited = waited(time, words);
                if !context.output.asks || self.rated {
                    let nobody = Message::new("seek-nobody").text("time", waited);
                    let command = format!("grundy play {position} --bot {strength}");
                    let how = Message::new("seek-nobody-how").text("command", command);
                    return Err(Failure::told(Exit::Refused, "nobody_came", nobody).help(how));
                }
                let question = Message::new("seek-bot-instead")
                    .text("time", waited)
                    .text("bot", bot_name(&bot, words))
                    .said(words);
                return match confirmed(&context.output, &question).await? {
                    true => self.play_there(context, position, bot).await,
                    false => Ok(Exit::Done),
                };
            }
        };
        let view = MatchView::new(match_id, Ours::Player(us.id));
        Session::new(context, link, view, Opening::Joined)
            .at_server_time(now)
            .recording(self.record)
            .run()
            .await
    }

    async fn play_here(
        self,
        context: &Context,
        position: String,
        bot: Bot,
    ) -> Result<Exit, Failure> {
        let seat = match self.side {
            WantedSide::First => Seat::First,
            WantedSide::Second => Seat::Second,
            WantedSide::Random => Seat::BOTH[usize::from(rand::random::<bool>())],
        };
        let (players, ours) = match self.two {
            true => (Players::Two, Ours::Both),
            false => (Players::Bot(seat, bot), Ours::Seat(seat)),
        };
        let match_id = MatchId::from_random(rand::random());
        let terms = Terms {
            position,
            clock: self.clock,
            rematch_of: None,
            series: None,
        };
        let keeper = match (self.no_record, Library::open()) {
            (true, _) => None,
            (false, Ok(library)) => Some(Keeper::new(library, match_id)),
            (false, Err(failure)) => {
                context
                    .output
                    .talk(&sentences::not_kept(&failure, context.output.words()));
                None
            }
        };
        let link = local::start(match_id, terms, players, keeper)?;
        let opening = Opening::Created { invitation: None };
        Session::new(context, link, MatchView::local(match_id, ours), opening)
            .recording(self.record)
            .run()
            .await
    }

    async fn play_there(
        self,
        context: &Context,
        position: String,
        bot: Bot,
    ) -> Result<Exit, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let request = Create {
            position,
            clock: self.clock,
            games: games_of(self.games, self.rated),
            rated: self.rated,
            side: self.side.on_the_wire(),
            opponent: match self.invite {
                true => Opponent::Invite {},
                false => Opponent::Bot {
                    name: bot.to_string(),
                },
            },
            client_create_id: None,
        };
        let (match_id, code, expires_at) = match signed_in.connection.ask(request).await? {
            Reply::Created {
                match_id,
                code,
                expires_at_ms,
                ..
            } => (match_id, code, expires_at_ms),
            other => return Err(unexpected(&other)),
        };
        let server = context.config.server();
        let url = signed_in.welcome.url.as_deref();
        let expires_at = expires_at.map(|at| at.0);
        let invitation = code.map(|code| Invitation::new(code, server, url, expires_at));
        let now = signed_in.welcome.now;
        let ours = Ours::Player(signed_in.welcome.player.id);
        let link = remote::seated(
            signed_in,
            server.clone(),
            match_id,
            context.config.timeout(),
        );
        let opening = Opening::Created { invitation };
        Session::new(context, link, MatchView::new(match_id, ours), opening)
            .at_server_time(now)
            .recording(self.record)
            .run()
            .await
    }
}
