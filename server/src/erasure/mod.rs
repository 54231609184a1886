//! Erases players: their names, secrets and words, in every table and every log, and in the bytes of the files.
//!
//! First one commit gives the player a neutral name and removes all that proves who the player is (docs/decisions/0033). From then on the erasure is
//! noted in the store until it is finished: a start goes on with it. The logs are rewritten one by one, each in a transaction with its chain, so
//! that the store is sound at every moment. At the end what was deleted is overwritten in the files.

mod body;
mod logs;
mod obstacles;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{PlayerId, Seq, TournamentId};
use grundy_shared::protocol::ErrorBody;
use tokio::time::Instant;

use self::body::Subject;
use self::logs::Logs;
use self::obstacles::check_free;
use crate::app::App;
use crate::audit::{Actor, AuditEvent, Change};
use crate::counted::counted;
use crate::failpoint;
use crate::matches::refusal;
use crate::names::name_key;
use crate::store::{
    Commit, CommitError, Duty, Erasure, NewErasure, NodeId, Projection, Rewritten, StoreError,
    Unique,
};
use crate::tournaments::ENDED_BY_OPERATOR;

/// Characters of a neutral name that are drawn.
const DRAWN: usize = 8;
/// The signs that they are drawn from: none looks like another.
const SIGNS: &[u8] = b"234678acdefhjkmnprtwxyz";
/// Neutral names that are drawn before the erasure is given up.
const DRAWS: usize = 8;
/// Passes over the logs. The second finds what was under way during the first, which is nothing in practice.
const PASSES: usize = 10;
/// Between two portions of freed pages that are overwritten: others commit meanwhile.
const BETWEEN_PORTIONS: Duration = Duration::from_millis(5);
/// How long connections of the player may take to end.
const CONNECTIONS_END: Duration = Duration::from_secs(10);
/// In this time the servers that share the store have heard of it, and have closed the player's connections to them: they look for it each second.
const OTHERS_HEAR: Duration = Duration::from_secs(3);
/// Between two looks at them.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Between two looks for erasures that other servers have left.
const RESUME_EVERY: Duration = Duration::from_secs(5);
/// The longest pause before an erasure that failed is tried again.
const RESUME_MOST: Duration = Duration::from_secs(30 * 60);
/// Records of the audit log that are read at a time.
const RECORDS: usize = 200;

/// What came of an erasure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Erased {
    /// The player with the name that stands for it.
    pub player: PlayerInfo,
    /// What was rewritten.
    pub rewritten: Rewritten,
}

/// Erases this player, or goes on with an erasure that was interrupted. Everything is durable and overwritten when this returns.
///
/// # Errors
/// The player plays or looks for an opponent, is erased already, another player is being erased; or the store failed: then the erasure goes on at the next
/// start, or when it is asked for again.
pub async fn erase(
    app: &App,
    by: Actor,
    player: PlayerInfo,
    reason: Option<String>,
) -> Result<Erased, ErrorBody> {
    let Ok(_alone) = app.erasing.try_lock() else {
        return Err(refusal::busy("another player is being erased"));
    };
    let of_store = |error: StoreError| refusal::of_store(&error);
    let claimed = app.store.claim(app.lease, Duty::Erasure).await;
    if !claimed.map_err(of_store)? {
        let words = "another server erases a player, or looks for erasures that were not finished; ask again in some seconds";
        return Err(refusal::busy(words));
    }
    // What other servers have begun.
    app.tournaments.look().await;
    let unfinished = app.store.erasures().await.map_err(of_store)?;
    let unfinished = unfinished.into_iter().find(|one| one.player == player.id);
    let (asked, erasure) = match unfinished {
        Some(erasure) => (
            asked_before(app, player.id).await.map_err(of_store)?,
            erasure,
        ),
        None => {
            let (asked, erasure) = Box::pin(begin(app, by, &player, reason)).await?;
            (Some(asked), erasure)
        }
    };
    Box::pin(finish(app, erasure, player.bot, asked)).await
}

/// Goes on with erasures that were not finished: at the start, and where several servers share the store, from time to time, since another one may have been
/// interrupted.
pub async fn keep_resumed(app: Arc<App>) {
    let draining = app.lifecycle.draining();
    let mut failures = Failures::default();
    loop {
        resume(&app, &mut failures).await;
        if app.lease.node == NodeId::ONLY
            || draining
                .run_until_cancelled(tokio::time::sleep(RESUME_EVERY))
                .await
                .is_none()
        {
            return;
        }
    }
}

/// Erasures that could not be finished: how long each waits, and until when.
type Failures = BTreeMap<PlayerId, (Duration, Instant)>;

/// One that cannot be finished is tried again later.
async fn resume(app: &App, failures: &mut Failures) {
    let unfinished = match app.store.erasures().await {
        Ok(unfinished) => unfinished,
        Err(error) => return tracing::error!(%error, "erasures cannot be read"),
    };
    failures.retain(|player, _| unfinished.iter().any(|one| one.player == *player));
    for erasure in unfinished {
        let failed = failures.get(&erasure.player);
        if failed.is_some_and(|(_, again)| *again > Instant::now()) {
            continue;
        }
        let _alone = app.erasing.lock().await;
        match app.store.claim(app.lease, Duty::Erasure).await {
            Ok(true) => {}
            // Another server is at it.
            Ok(false) => return,
            Err(error) => return tracing::warn!(%error, "erasures cannot be gone on with"),
        }
        let player = erasure.player;
        let asked = asked_before(app, player).await.unwrap_or_default();
        let bot = app.store.player(player).await;
        let bot = bot.is_ok_and(|found| found.is_some_and(|found| found.bot));
        match Box::pin(finish(app, erasure, bot, asked)).await {
            Ok(_) => tracing::info!(%player, "an erasure that was interrupted is finished"),
            Err(error) => {
                // It reads all that is stored: a log that is damaged stays so until somebody repairs it.
                let (pause, again) = failures
                    .entry(player)
                    .or_insert((RESUME_EVERY, Instant::now()));
                *pause = (*pause * 2).min(RESUME_MOST);
                *again = Instant::now() + *pause;
                tracing::error!(%player, error = error.message, again_in_s = pause.as_secs(), "an erasure is not finished");
            }
        }
    }
}

/// Replaces the name, and takes away all that proves who the player is; the number of the record in the audit log.
async fn begin(
    app: &App,
    by: Actor,
    player: &PlayerInfo,
    reason: Option<String>,
) -> Result<(Seq, Erasure), ErrorBody> {
    let mut subject = Subject {
        player: player.id,
        name: String::new(),
        former: vec![player.name.clone()],
    };
    let collected = Logs::new(app).collect_names(&mut subject).await;
    collected.map_err(|error| of_commit(&error))?;
    end_tournaments(app, by, player, &subject.former, reason.as_ref()).await?;
    check_free(app, player, &subject.former, &[]).await?;
    for _ in 0..DRAWS {
        let name = draw_name(app);
        let new = NewErasure {
            player: player.id,
            name_key: name_key(&name),
            name: name.clone(),
            names: subject.former.clone(),
        };
        let change = Change::Erase { player: player.id };
        let at_once = vec![Projection::Erase(Box::new(new))];
        match app.audit.ask(by, change, reason.clone(), at_once).await {
            Ok(asked) => {
                failpoint::hit("after_erasure_begun");
                let erasure = Erasure {
                    player: player.id,
                    name,
                    names: subject.former,
                    done: Rewritten::default(),
                };
                return Ok((asked, erasure));
            }
            Err(CommitError::Taken(Unique::Name)) => {}
            Err(CommitError::Full(_)) => {
                check_free(app, player, &subject.former, &[]).await?;
                return Err(refusal::busy("the player has just begun a match"));
            }
            Err(error) => return Err(of_commit(&error)),
        }
    }
    Err(refusal::busy("no free name was found"))
}

/// Ends the tournaments that the player organises: nobody else can lead them to their end. Each has a record of its own. Waits until the player's games in
/// them are over.
async fn end_tournaments(
    app: &App,
    by: Actor,
    player: &PlayerInfo,
    names: &[String],
    reason: Option<&String>,
) -> Result<(), ErrorBody> {
    let organised = app.tournaments.organised_by(player.id);
    // A tournament that is cancelled stays so: nothing is cancelled for an erasure that is refused.
    check_free(app, player, names, &organised).await?;
    for tournament in &organised {
        let change = Change::EndTournament {
            tournament: *tournament,
        };
        let asked = app.audit.ask(by, change, reason.cloned(), Vec::new()).await;
        let asked = asked.map_err(|error| of_commit(&error))?;
        let ended = end_tournament(app, *tournament).await;
        let outcome = match &ended {
            Ok(()) => Ok("cancelled, because its organiser is erased".to_owned()),
            Err(refused) => Err(refused.message.clone()),
        };
        app.audit.answer(asked, outcome).await;
        ended?;
    }
    let until = Instant::now() + CONNECTIONS_END;
    while !organised.is_empty()
        && Instant::now() < until
        && check_free(app, player, names, &[]).await.is_err()
    {
        // Anything else does not go away by itself.
        check_free(app, player, names, &organised).await?;
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Ok(())
}

async fn end_tournament(app: &App, id: TournamentId) -> Result<(), ErrorBody> {
    let ended = app
        .tournaments
        .end(&id.to_string(), ENDED_BY_OPERATOR)
        .await;
    ended.map(drop)
}

/// A name that says nothing of the player.
fn draw_name(app: &App) -> String {
    let signs = (0..DRAWN).map(|_| {
        let drawn = app.chance.below(SIGNS.len() as u64);
        SIGNS[usize::try_from(drawn).unwrap_or_default()] as char
    });
    format!("erased-{}", signs.collect::<String>())
}

async fn finish(
    app: &App,
    erasure: Erasure,
    bot: bool,
    asked: Option<Seq>,
) -> Result<Erased, ErrorBody> {
    let (player, name) = (erasure.player, erasure.name.clone());
    let rewritten = carry_out(app, erasure, asked).await.map_err(|error| {
        let mut why = of_commit(&error);
        why.message = format!(
            "the player has no name and nobody can sign in, but the erasure is not finished: {}. \
             It goes on at the next start, or with: grundy-server admin erase {player} --confirm {name}",
            why.message
        );
        why
    })?;
    let id = player;
    Ok(Erased {
        player: PlayerInfo { id, name, bot },
        rewritten,
    })
}

fn of_commit(error: &CommitError) -> ErrorBody {
    match error {
        CommitError::Store(StoreError::Closed) => refusal::shutting_down(),
        // The message names what is damaged, or what the erasure waits for, so that the operator can act on it.
        CommitError::Store(error @ (StoreError::Corrupt { .. } | StoreError::Busy { .. })) => {
            let mut refused = refusal::of_store(error);
            refused.message = match error {
                StoreError::Busy { why } => why.clone(),
                damaged => damaged.to_string(),
            };
            refused
        }
        error => refusal::of_commit(error),
    }
}

/// Removes the player from memory and from the logs, and overwrites what was deleted.
async fn carry_out(
    app: &App,
    erasure: Erasure,
    asked: Option<Seq>,
) -> Result<Rewritten, CommitError> {
    let player = erasure.player;
    leave_memory(app, player, &erasure.name).await;
    let subject = Subject {
        player,
        name: erasure.name,
        former: erasure.names,
    };
    // Between the question and the sign-out the player may have entered one at another server.
    let mut names = subject.former.clone();
    names.push(subject.name.clone());
    for tournament in app.tournaments.organised_by(player) {
        if let Err(refused) = end_tournament(app, tournament).await {
            let why = format!(
                "tournament {tournament} cannot be ended: {}",
                refused.message
            );
            return Err(StoreError::Busy { why }.into());
        }
    }
    if let Some(tournament) = app.tournaments.unfinished_with(player, &names, &[]) {
        let why = format!("the player is in tournament {tournament}, which is not over");
        return Err(StoreError::Busy { why }.into());
    }
    let mut logs = Logs::new(app);
    let mut passes = 0;
    while logs.rewrite_all(&subject).await? > 0 {
        passes += 1;
        if passes == PASSES {
            let why = "the player's name comes back again and again".to_owned();
            return Err(StoreError::Busy { why }.into());
        }
    }
    logs.forget().await?;
    let committer = &app.committer;
    let forget = Commit::default().with(Projection::ForgetNames(player));
    committer.commit(forget).await?;
    failpoint::hit("before_scrub");
    while !app.store.scrub(app.lease).await? {
        if app.lifecycle.is_draining() {
            return Err(StoreError::Closed.into());
        }
        tokio::time::sleep(BETWEEN_PORTIONS).await;
    }
    let erasures = app.store.erasures().await?;
    let rewritten = erasures.iter().find(|erasure| erasure.player == player);
    let rewritten = rewritten.map_or_else(Rewritten::default, |erasure| erasure.done);
    let erased = Projection::Erased(player);
    match asked {
        Some(asked) => {
            let outcome = Ok(outcome_of(&rewritten));
            app.audit.conclude(asked, outcome, &[erased]).await?;
        }
        None => committer.commit(Commit::default().with(erased)).await?,
    }
    Ok(rewritten)
}

/// What the audit log says of an erasure: nothing that names the player.
fn outcome_of(rewritten: &Rewritten) -> String {
    format!(
        "erased: {} rewritten, {} changed; digest of the heads before and afterwards: {}",
        counted(rewritten.streams, "log"),
        counted(rewritten.events, "event"),
        data_encoding::HEXLOWER.encode(&rewritten.heads)
    )
}

/// Closes the player's connections, and has nobody answered with the old name from what is in memory.
async fn leave_memory(app: &App, player: PlayerId, name: &str) {
    app.hearing.forget(player, name);
    let ended = async {
        while app.connections.count(player) > 0 {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    if tokio::time::timeout(CONNECTIONS_END, ended).await.is_err() {
        tracing::warn!(%player, "a connection of the player has not ended yet");
    }
    if app.lease.node != NodeId::ONLY {
        // What they write until then is rewritten with the rest.
        tokio::time::sleep(OTHERS_HEAR).await;
    }
    // After the last connection has ended: until then its acts can still produce events for other accounts.
    app.accounts.erase(player, name);
}

/// The number of the record with which the erasure of this player was asked for. Cost: linear in the audit log.
async fn asked_before(app: &App, player: PlayerId) -> Result<Option<Seq>, StoreError> {
    let (mut asked, mut last) = (None, Seq(0));
    loop {
        let page = app.audit.read(last, RECORDS).await?;
        let Some((newest, _)) = page.last() else {
            return Ok(asked);
        };
        last = *newest;
        for (seq, body) in page {
            let event = serde_json::from_value(body);
            if let Ok(AuditEvent::Asked {
                change: Change::Erase { player: of },
                ..
            }) = event
                && of == player
            {
                asked = Some(seq);
            }
        }
    }
}
