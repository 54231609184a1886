//! From the words of the referee and the store to those of the protocol.

use std::time::Duration;

use grundy_shared::Position;
use grundy_shared::ids::Seq;
use grundy_shared::notation::{MoveError, NotationCode, NotationError};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_shared::referee::{
    MOVE_BYTES_MAX, OFFERS_MAX, PAUSES_MAX, PLAN_MOVES_MAX, PLAN_TEXT_MAX, PLANS_MAX,
    PROPOSALS_MAX, Refusal, SERIES_MAX, START_BYTES_MAX,
};

use crate::analysis::Unfinished;
use crate::lifecycle::Lifecycle;
use crate::metrics::{ByScope, Metrics};
use crate::quotas::{Resource, UsedUp};
use crate::rate;
use crate::reserve::{self, Reserve};
use crate::store::{CommitError, StoreError};

/// When to try again what the store could not do now.
const STORE_RETRY_MS: u64 = 1_000;
/// When to ask again for a new match while an operator has them refused.
const DRAIN_RETRY_MS: u64 = 60_000;
/// When to try again what a full queue refused.
const QUEUE_RETRY_MS: u64 = 200;

/// What the client is told when the referee refuses.
#[must_use]
pub fn of_referee(refusal: &Refusal) -> ErrorBody {
    let of = |code| ErrorBody::new(code, refusal.to_string());
    match refusal {
        Refusal::Notation(error) => of_notation(error),
        Refusal::FinishedStart { position } => {
            of(ErrorCode::BadPosition).field("position").got(position)
        }
        Refusal::StartTooLong { length } => of(ErrorCode::OutOfRange)
            .field("position")
            .limit(START_BYTES_MAX)
            .got(&length.to_string()),
        Refusal::MovesTooLong { length } => of(ErrorCode::OutOfRange)
            .field("position")
            .limit(MOVE_BYTES_MAX)
            .got(&length.to_string()),
        Refusal::BadSeries { games } => of(ErrorCode::OutOfRange)
            .field("games")
            .limit(SERIES_MAX)
            .got(&games.to_string()),
        Refusal::RatedIsAPair { games } => of(ErrorCode::OutOfRange)
            .field("games")
            .limit(2)
            .got(&games.to_string()),
        Refusal::RatedNeedsClock => of(ErrorCode::OutOfRange).field("clock"),
        Refusal::RatedMovesStand | Refusal::RatedNoClaims => of(ErrorCode::NotPossible),
        Refusal::OutOfRange {
            field,
            min,
            max,
            got,
        } => of(ErrorCode::OutOfRange)
            .field(*field)
            .limit(format_args!("{min} to {max}"))
            .got(&got.to_string()),
        Refusal::NotAPlayer => of(ErrorCode::NotAPlayer),
        Refusal::OwnMatch => of(ErrorCode::OwnMatch),
        Refusal::SeatTaken => of(ErrorCode::SeatTaken),
        Refusal::NotStarted => of(ErrorCode::NotStarted),
        Refusal::MatchOver { .. } => of(ErrorCode::MatchOver),
        Refusal::NotOver => of(ErrorCode::NotOver),
        Refusal::TooManyOffers => of(ErrorCode::TooMany).limit(OFFERS_MAX),
        Refusal::TooManyProposals => of(ErrorCode::TooMany).limit(PROPOSALS_MAX),
        Refusal::TooManyPauses => of(ErrorCode::TooMany).limit(PAUSES_MAX),
        Refusal::NoProposal => of(ErrorCode::NoSuchProposal),
        Refusal::NothingToTakeBack
        | Refusal::TooLongToTakeBack
        | Refusal::NoDraws
        | Refusal::NoHints
        | Refusal::NothingToPause => of(ErrorCode::NotPossible),
        Refusal::RatedInOneSitting
        | Refusal::NotAdjourned
        | Refusal::TooFastToPlan
        | Refusal::PlanAfterYourMove => of(ErrorCode::NotPossible),
        Refusal::BadPlanLength { moves, .. } => of(ErrorCode::OutOfRange)
            .field("lines")
            .limit(PLAN_MOVES_MAX)
            .got(&moves.to_string()),
        Refusal::PlanTooLong { length } => of(ErrorCode::OutOfRange)
            .field("lines")
            .limit(PLAN_TEXT_MAX)
            .got(&length.to_string()),
        Refusal::PlanContradicts { replies, .. } => {
            of(ErrorCode::OutOfRange).field("lines").got(&replies[1])
        }
        Refusal::PlanBeyondEnd { .. } => of(ErrorCode::IllegalMove).field("lines"),
        Refusal::IllegalPlan { error, .. } => ErrorBody {
            column: error.column.and_then(|column| u32::try_from(column).ok()),
            example: error.example.clone(),
            ..of(ErrorCode::IllegalMove)
        }
        .field("lines"),
        Refusal::TooManyPlans => of(ErrorCode::TooMany).limit(PLANS_MAX),
        Refusal::NotAway | Refusal::NoClaims | Refusal::ClaimantAway | Refusal::OwnTurn => {
            of(ErrorCode::NotPossible)
        }
        Refusal::ClaimOvertaken => of(ErrorCode::NotPossible).retry_after_ms(0),
        Refusal::ClaimTooEarly { wait } => of(ErrorCode::NotPossible).retry_after_ms(wait.0),
        Refusal::AbsentPlayerWins => of(ErrorCode::AbsentPlayerWins),
        Refusal::Paused { .. } => of(ErrorCode::Paused),
        Refusal::StalePly { expected, got, seq } => ErrorBody {
            expected: Some(expected.0),
            seq: Some(seq.0),
            ..of(ErrorCode::StalePly)
        }
        .field("ply")
        .got(&got.to_string()),
        Refusal::NotYourTurn { .. } => of(ErrorCode::NotYourTurn),
        Refusal::IdempotencyConflict { .. } => {
            of(ErrorCode::IdempotencyConflict).field("client_move_id")
        }
        Refusal::IllegalMove(MoveError {
            column, example, ..
        }) => ErrorBody {
            column: column.and_then(|column| u32::try_from(column).ok()),
            example: example.clone(),
            ..of(ErrorCode::IllegalMove)
        }
        .field("move"),
        Refusal::TooLate { .. } => of(ErrorCode::TooLate),
        Refusal::InTournament => of(ErrorCode::InTournament),
        Refusal::SeriesGoesOn { .. } => of(ErrorCode::InSeries),
    }
}

/// What the client is told of a position that cannot be read.
#[must_use]
pub fn of_notation(error: &NotationError) -> ErrorBody {
    let code = match error.code {
        NotationCode::BadPosition => ErrorCode::BadPosition,
        NotationCode::OutOfRange => ErrorCode::OutOfRange,
        NotationCode::BadGameCode => ErrorCode::BadGameCode,
    };
    ErrorBody {
        column: u32::try_from(error.column).ok(),
        example: Some(error.help.clone()),
        ..ErrorBody::new(code, error.message.clone())
    }
    .field("position")
}

/// Every line of play from the start of a rated pair has the same winner.
#[must_use]
pub fn forced_start(start: &Position) -> ErrorBody {
    let words = "a rated pair needs a start that either player can win, but every line of play from this one has the same winner";
    ErrorBody::new(ErrorCode::BadPosition, words)
        .field("position")
        .got(&start.to_string())
}

/// What the client is told when the store could not.
#[must_use]
pub fn of_store(error: &StoreError) -> ErrorBody {
    match error {
        StoreError::ReadOnly { .. } => ErrorBody::new(
            ErrorCode::ReadOnly,
            "the server cannot write to its store now; nothing was changed",
        )
        .retry_after_ms(STORE_RETRY_MS),
        StoreError::Busy { .. } => ErrorBody::new(ErrorCode::ServerBusy, "the store is busy")
            .retry_after_ms(STORE_RETRY_MS),
        StoreError::Closed | StoreError::Fenced | StoreError::FileChanged { .. } => shutting_down(),
        StoreError::BadCursor => ErrorBody::new(
            ErrorCode::OutOfRange,
            "`before` is not the `next` of a page",
        )
        .field("before"),
        StoreError::Failed { .. }
        | StoreError::Corrupt { .. }
        | StoreError::NotOurs { .. }
        | StoreError::Newer { .. }
        | StoreError::InUse { .. }
        | StoreError::Unsafe { .. }
        | StoreError::Moved { .. }
        | StoreError::NoRoom { .. }
        | StoreError::Lost { .. }
        | StoreError::Unusable { .. } => {
            tracing::error!(%error, "the store failed a request");
            internal()
        }
    }
}

/// What the client is told when a commit was refused; a conflict that could not be resolved counts as busy.
#[must_use]
pub fn of_commit(error: &CommitError) -> ErrorBody {
    match error {
        CommitError::Conflict { .. } => busy("the match is being changed elsewhere"),
        CommitError::Taken(_) => busy("no free id was found"),
        CommitError::Full(_) => busy("too many matches are open"),
        CommitError::Fenced => of_store(&StoreError::Fenced),
        CommitError::Store(error) => of_store(error),
    }
}

/// A queue of the server is full.
#[must_use]
pub fn busy(what: &str) -> ErrorBody {
    ErrorBody::new(ErrorCode::ServerBusy, what).retry_after_ms(QUEUE_RETRY_MS)
}

/// The refusal if a job of the solver's threads has no result.
#[must_use]
pub fn unfinished(why: Unfinished) -> ErrorBody {
    match why {
        Unfinished::QueueFull => busy("too many analyses wait"),
        Unfinished::Failed => internal(),
    }
}

/// What the match was to end has ended another way.
#[must_use]
pub(super) fn settled() -> ErrorBody {
    let words = "what this match was to end has ended meanwhile";
    ErrorBody::new(ErrorCode::NoSuchSeek, words)
}

/// Whether a match could not be made because what it was to end has ended another way.
#[must_use]
pub fn is_settled(refused: &ErrorBody) -> bool {
    refused.code == ErrorCode::NoSuchSeek
}

/// Whether the disk has room for what is new.
///
/// # Errors
/// `read_only`.
pub fn of_reserve(reserve: &Reserve) -> Result<(), ErrorBody> {
    match reserve.is_low() {
        true => {
            let words = "the disk of the server is nearly full: running matches go on, and nothing new is stored until there is room";
            Err(ErrorBody::new(ErrorCode::ReadOnly, words).retry_after_ms(reserve::RETRY_MS))
        }
        false => Ok(()),
    }
}

/// Too much of something; counted under the limit that was reached.
#[must_use]
pub fn rate_limited(
    metrics: &Metrics,
    scope: &'static str,
    what: &str,
    wait: Duration,
) -> ErrorBody {
    metrics.rate_limited.get_or_create(&ByScope { scope }).inc();
    ErrorBody::new(ErrorCode::RateLimited, what).retry_after_ms(rate::in_ms(wait))
}

/// A quota is used up: refused, and counted under it.
#[must_use]
pub fn used_up(metrics: &Metrics, used_up: UsedUp) -> ErrorBody {
    let UsedUp {
        counted,
        of_address,
        quota,
        wait,
    } = used_up;
    let scope = counted.scope();
    metrics.rate_limited.get_or_create(&ByScope { scope }).inc();
    let what = match counted {
        Resource::Bytes => "bytes",
        Resource::Matches => "new matches",
        Resource::Guests => "new guests",
    };
    let whose = if of_address { "your address" } else { "you" };
    let words = format!("the day's quota for {whose} is used up: {quota} {what} in 24 hours");
    ErrorBody::new(ErrorCode::RateLimited, words)
        .limit(format_args!("{quota} {what} in 24 hours"))
        .retry_after_ms(rate::in_ms(wait))
}

/// Whether a match was refused for what its creator has or has used up, and not for its rival: whoever takes a seat that the creator has
/// offered must not hear of it as of the own matches.
#[must_use]
pub fn is_of_creator(refused: &ErrorBody) -> bool {
    match refused.code {
        ErrorCode::RateLimited => true,
        ErrorCode::TooMany => refused.field.as_deref() != Some("player"),
        _ => false,
    }
}

/// The server made an error.
#[must_use]
pub fn internal() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Internal,
        "the server made an error; `resume` shows what is stored",
    )
}

/// The match is put aside.
#[must_use]
pub fn quarantined() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Internal,
        "the match is put aside until the server is started again; the operator's log says why",
    )
}

/// What is stored of the match contradicts itself.
#[must_use]
pub fn damaged() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Internal,
        "the record of this match is damaged: the operator can see by `grundy-server fsck` where, and restore a backup",
    )
}

/// The server stops.
#[must_use]
pub fn shutting_down() -> ErrorBody {
    ErrorBody::new(ErrorCode::ShuttingDown, "the server is stopping").retry_after_ms(STORE_RETRY_MS)
}

/// New matches are refused, because the server stops, or an operator prepares that.
#[must_use]
pub fn no_new_matches(lifecycle: &Lifecycle) -> ErrorBody {
    if lifecycle.is_draining() {
        return shutting_down();
    }
    let words =
        "the server is about to be stopped, and takes no new matches; matches that run go on";
    ErrorBody::new(ErrorCode::ShuttingDown, words).retry_after_ms(DRAIN_RETRY_MS)
}

/// The client says that it has an event which has not happened.
#[must_use]
pub fn not_so_far(since: Seq) -> ErrorBody {
    ErrorBody::new(ErrorCode::OutOfRange, "the match has not come so far yet")
        .field("since_seq")
        .got(&since.to_string())
}

/// A join code opens no match (any more): the same answer whether it ever did. It does not repeat the code, which is a secret if it is good elsewhere.
#[must_use]
pub fn no_such_code() -> ErrorBody {
    let words = "the code is wrong, used, revoked or expired";
    ErrorBody::new(ErrorCode::NoSuchCode, words).field("code")
}

/// There is no such match, or it is not for the asker to see.
#[must_use]
pub fn no_such_match(asked: &str) -> ErrorBody {
    ErrorBody::new(ErrorCode::NoSuchMatch, "there is no such match")
        .field("match")
        .got(asked)
}
