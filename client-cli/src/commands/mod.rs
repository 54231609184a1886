//! The commands, one file each: its arguments, and what it does.

mod admin;
mod arena;
pub(crate) mod bot;
mod challenge;
mod challenges;
mod completions;
mod config;
mod end;
mod explain;
mod explore;
mod games;
mod graph;
mod identity;
mod join;
mod leaderboard;
mod learn;
mod lesson;
mod load;
mod lobby;
mod login;
mod logout;
mod man;
pub(crate) mod menu;
mod moves;
mod mute;
mod name;
mod odds;
mod offers;
mod password;
mod play;
mod puzzle;
mod rating;
mod resume;
mod review;
mod rules;
mod solve;
mod stats;
mod tables;
mod token;
mod tournament;
mod verify;
mod watch;
mod whoami;

use clap::Subcommand;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// What can be asked for.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a bot or a friend, on a server or locally
    #[command(visible_alias = "p")]
    Play(play::Arguments),
    /// Join a match with its code or link
    Join(join::Arguments),
    /// Challenge a player who is connected
    Challenge(challenge::Arguments),
    /// Wait for challenges, and accept or decline them
    Challenges(challenges::Arguments),
    /// List players, mostly bots, who accept challenges automatically
    Offers(offers::Arguments),
    /// List the players who look for an opponent, and play one
    Lobby(lobby::Arguments),
    /// Show the ratings of a player, or the history of one
    Rating(rating::Arguments),
    /// List the players of a game by their ratings
    Leaderboard(leaderboard::Arguments),
    /// Return to an unfinished match
    Resume(resume::Arguments),
    /// Resign a match without opening it
    #[command(after_help = "Example:\n  grundy resign 7Kq2mVx9Rt")]
    Resign(end::Arguments),
    /// Cancel an invitation, or propose to call a match off before its second move
    #[command(after_help = "Example:\n  grundy abort 7Kq2mVx9Rt")]
    Abort(end::Arguments),
    /// Claim the win if the other player stays away
    #[command(after_help = "\
Example:
  grundy claim 7Kq2mVx9Rt

The other player must have stayed away in a turn of that player for a minute, or ten without clocks, while you \
were in the match: 'grundy resume MATCH' waits there, and offers the claim when it is possible.")]
    Claim(end::Arguments),
    /// Watch a match between other players
    #[command(visible_alias = "w")]
    Watch(watch::Arguments),
    /// Show which moves gave the win away, and which would have kept it
    Review(review::Arguments),
    /// Practise the positions that you won and threw away
    Learn(learn::Arguments),
    /// Win positions that others threw away: a puzzle for each day
    Puzzle(puzzle::Arguments),
    /// Show who wins a position, and with which moves
    #[command(visible_alias = "s")]
    Solve(solve::Arguments),
    /// List the legal moves of a position or of a match
    Moves(moves::Arguments),
    /// Explain why a position is won or lost, in the game's own terms
    Explain(explain::Arguments),
    /// Walk through a match or from a position, and try moves against the solver
    Explore(explore::Arguments),
    /// Draw all positions reachable from a position, with their values
    Graph(graph::Arguments),
    /// Compute how likely each of two players wins, from their skills
    Odds(odds::Arguments),
    /// List starts from which two players are about equally likely to win
    Fair(odds::FairArguments),
    /// Check a certificate, a tournament or an arena without trusting its author
    Verify(verify::Arguments),
    /// List the games, or show the rules and notation of one
    Rules(rules::Arguments),
    /// List, show, export and import matches, of a server and on this computer
    Games(games::Arguments),
    /// Let bots play each other on this computer
    Arena(Box<arena::Arguments>),
    /// Write, check and list bots
    #[command(subcommand)]
    Bot(bot::Command),
    /// Compute what results say about strength: Elo, SPRT, ratings
    Stats(stats::Arguments),
    /// Run and follow tournaments; print schedules, pairings and standings
    #[command(visible_alias = "t")]
    Tournament(tournament::Arguments),
    /// Measure your own server under load
    Load(load::Load),
    /// Sign in to your account, which has a password
    Login(login::Arguments),
    /// Sign out on this computer
    Logout(logout::Arguments),
    /// Set a password, so that you can sign in elsewhere
    Password(password::Arguments),
    /// Set a new password with a recovery code, and sign in
    Recover(login::RecoverArguments),
    /// Create, list, rotate and revoke tokens for programs
    Token(token::Arguments),
    /// Carry your identity to another computer in a sealed file
    Identity(identity::Arguments),
    /// Sign players out and help them back in (operators)
    Admin(admin::Arguments),
    /// Show who you are on the server
    Whoami(whoami::Arguments),
    /// Change your name on the server
    Name(name::Arguments),
    /// Hide a player's chat lines, or list the players you have muted
    Mute(mute::MuteArguments),
    /// Show a player's chat lines again
    Unmute(mute::UnmuteArguments),
    /// Show the settings and where they come from
    Config(config::Arguments),
    /// Print a completion script for a shell
    Completions(completions::Arguments),
    /// Print the manual pages
    Man(man::Arguments),
}

impl Command {
    /// Whether it never talks to a server.
    pub(crate) fn is_local(&self) -> bool {
        match self {
            Self::Play(arguments) => arguments.is_local(),
            Self::Stats(arguments) => arguments.is_local(),
            Self::Solve(_)
            | Self::Explain(_)
            | Self::Graph(_)
            | Self::Odds(_)
            | Self::Fair(_)
            | Self::Rules(_)
            | Self::Arena(_)
            | Self::Completions(_)
            | Self::Man(_) => true,
            _ => false,
        }
    }

    /// Runs it. `tree` is the tree of all commands, for those that print it.
    pub(crate) fn run(
        self,
        context: &Context,
        tree: fn() -> clap::Command,
    ) -> Result<Exit, Failure> {
        match self {
            Self::Play(arguments) => online(arguments.run(context)),
            Self::Join(arguments) => online(arguments.run(context)),
            Self::Challenge(arguments) => online(arguments.run(context)),
            Self::Challenges(arguments) => online(arguments.run(context)),
            Self::Offers(arguments) => online(arguments.run(context)),
            Self::Lobby(arguments) => online(arguments.run(context)),
            Self::Rating(arguments) => online(arguments.run(context)),
            Self::Leaderboard(arguments) => online(arguments.run(context)),
            Self::Resume(arguments) => online(arguments.run(context)),
            Self::Resign(arguments) => online(arguments.run(context, end::Way::Resign)),
            Self::Abort(arguments) => online(arguments.run(context, end::Way::Abort)),
            Self::Claim(arguments) => online(arguments.run(context, end::Way::Claim)),
            Self::Watch(arguments) => online(arguments.run(context)),
            Self::Review(arguments) => online(arguments.run(context)),
            Self::Learn(arguments) => online(arguments.run(context)),
            Self::Puzzle(arguments) => online(arguments.run(context)),
            Self::Solve(arguments) => arguments.run(context),
            Self::Moves(arguments) => online(arguments.run(context)),
            Self::Explain(arguments) => arguments.run(context),
            Self::Explore(arguments) => online(arguments.run(context)),
            Self::Graph(arguments) => arguments.run(context),
            Self::Odds(arguments) => arguments.run(context),
            Self::Fair(arguments) => arguments.run(context),
            Self::Verify(arguments) => arguments.run(context),
            Self::Rules(arguments) => arguments.run(context),
            Self::Games(arguments) => online(arguments.run(context)),
            Self::Arena(arguments) => arguments.run(context),
            Self::Bot(command) => command.run(context),
            Self::Stats(arguments) => online(arguments.run(context)),
            Self::Tournament(arguments) => arguments.run(context),
            Self::Load(arguments) => measure(&arguments, context),
            Self::Login(arguments) => online(arguments.run(context)),
            Self::Logout(arguments) => online(arguments.run(context)),
            Self::Password(arguments) => online(arguments.run(context)),
            Self::Recover(arguments) => online(arguments.run(context)),
            Self::Token(arguments) => online(arguments.run(context)),
            Self::Identity(arguments) => online(arguments.run(context)),
            Self::Admin(arguments) => online(arguments.run(context)),
            Self::Whoami(arguments) => online(arguments.run(context)),
            Self::Name(arguments) => online(arguments.run(context)),
            Self::Mute(arguments) => online(arguments.run(context)),
            Self::Unmute(arguments) => online(arguments.run(context)),
            Self::Config(arguments) => arguments.run(context),
            Self::Completions(arguments) => arguments.run(context, tree()),
            Self::Man(arguments) => arguments.run(context, tree()),
        }
    }
}

/// Runs the load generator, which has its own runtime. Unless a server is named, it starts one.
fn measure(arguments: &load::Load, context: &Context) -> Result<Exit, Failure> {
    let server = context.config.named_server();
    match load::run(arguments, server.as_deref()) {
        Ok(Some(report)) => {
            match context.output.json {
                true => context.output.object(&report)?,
                false => {
                    let words = context.output.words();
                    context.output.line(&load::lines(&report, words))?;
                }
            }
            Ok(match report.clean() {
                true => Exit::Done,
                false => Exit::Failed,
            })
        }
        // This was the process of the relay, which has spoken already.
        Ok(None) => Ok(Exit::Done),
        Err(error) => {
            let exit = Exit::ALL
                .iter()
                .find(|exit| exit.number() == error.exit_code());
            let exit = exit.copied().unwrap_or(Exit::Failed);
            Err(Failure::told(exit, "load", error.message()))
        }
    }
}

/// Runs a command that talks to others on this thread.
fn online<T>(command: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let result = runtime.block_on(command);
    // A thread that waits for a line of stdin is not waited for.
    runtime.shutdown_background();
    result
}
