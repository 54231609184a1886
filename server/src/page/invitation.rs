//! The page of an invitation: who invites, to which match, and the way in.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{JoinCode, MatchId, Millis, Seat};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_words::{Catalogue, Rule, Value};

use super::frame::{Frame, failed, note, page};
use super::rules::{of_the_whole, rules_of};
use super::site::Site;
use super::visitor::Visitor;
use super::{plain, viewer};
use crate::addresses::AddressKey;
use crate::costly::{self, OffServing};
use crate::matches::refusal;
use crate::store::{MatchRow, MatchStatus};

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The page of an invitation.
#[derive(Template)]
#[template(path = "join.html")]
struct Join {
    frame: Frame,
    code: String,
    command: String,
    terms: Terms,
}

/// The page of an invitation that somebody has used.
#[derive(Template)]
#[template(path = "taken.html")]
struct Taken {
    frame: Frame,
    id: MatchId,
}

/// What a player agrees to who joins.
struct Terms {
    /// Who invites.
    from: String,
    position: String,
    /// The picture of the position, which needs no scripts to be seen.
    board: String,
    /// The seat, the clocks and the number of games, in sentences.
    about: String,
    /// The rules of the position's games, and those that hold for the whole position.
    rules: Vec<Rule>,
    whole: String,
}

/// Shows an invitation. A code that leads nowhere counts as a guess, as that of a `join` does.
pub(super) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Extension(address): Extension<AddressKey>,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Response {
    let words = visitor.words();
    let absent = |title, text| {
        let (title, text) = (words.say(title), words.say(text));
        note(&site, &visitor, StatusCode::NOT_FOUND, title, text)
    };
    let Ok(code) = code.parse::<JoinCode>() else {
        return absent("join-unknown", "join-unknown-how");
    };
    if is_part_of_another_site(&headers) {
        return absent("join-over", "join-over-how");
    }
    let read = async {
        let found = read(&site, address, code).await?;
        Ok::<_, ErrorBody>((found, viewer::of(&site, &headers).await?))
    };
    let ((id, row), reader) = match read.await {
        Ok(found) => found,
        Err(error) => match error.code {
            ErrorCode::NoSuchCode => return absent("join-over", "join-over-how"),
            _ => return refused(&site, &visitor, &error),
        },
    };
    let url = site.url.print(&headers);
    if row.seats(reader) {
        return Redirect::to(&format!("/g/{id}")).into_response();
    }
    if row.status != MatchStatus::Waiting {
        return match (&row.first, &row.second) {
            (Some(_), Some(_)) if visitor.wants_html => {
                let frame = Frame::still(&visitor, words.say("join-taken"));
                page(&site, &visitor, StatusCode::OK, &Taken { frame, id })
            }
            (Some(_), Some(_)) => {
                let command = format!("grundy watch {id} --server {url}\n");
                plain::text(StatusCode::OK, command)
            }
            // Nobody has come, and nobody can any more.
            _ => absent("join-over", "join-over-how"),
        };
    }
    let Some(terms) = Terms::of(site.leave, &row, words) else {
        return failed(&site, &visitor, &refusal::internal());
    };
    if !visitor.wants_html {
        let about = format!("{}: {}. {}", terms.from, terms.position, terms.about);
        return plain::invitation(&url, &code, &about);
    }
    let join = Join {
        frame: Frame::new(&visitor, terms.from.clone(), "join.js"),
        code: code.to_string(),
        command: format!("grundy join {code} --server {url}"),
        terms,
    };
    page(&site, &visitor, StatusCode::OK, &join)
}

/// Whether another site has made the browser ask, other than by a link: its pictures and frames may not use up the guesses of its readers.
fn is_part_of_another_site(headers: &HeaderMap) -> bool {
    let told = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    told("sec-fetch-site") == Some("cross-site") && told("sec-fetch-dest") != Some("document")
}

/// The match of a code.
async fn read(
    site: &Site,
    address: AddressKey,
    code: JoinCode,
) -> Result<(MatchId, MatchRow), ErrorBody> {
    let app = &site.app;
    let id = crate::invitation::find(app, address, &code.to_string()).await?;
    let row = app.store.row(id).await;
    let row = row.map_err(|error| app.matches.unreadable(id, &error))?;
    Ok((id, row.ok_or_else(refusal::no_such_code)?))
}

/// The answer to an address that has guessed too often, or where the invitation cannot be read now.
fn refused(site: &Site, visitor: &Visitor, error: &ErrorBody) -> Response {
    let wait = error.retry_after_ms.unwrap_or_default();
    if error.code != ErrorCode::RateLimited {
        return failed(site, visitor, error);
    }
    let seconds = HeaderValue::from(wait.div_ceil(SECOND));
    // A browser gets a page instead.
    let text = plain::text(
        StatusCode::TOO_MANY_REQUESTS,
        format!("{}\n", error.message),
    );
    ([(RETRY_AFTER, seconds)], text).into_response()
}

impl Terms {
    /// `None` if the position cannot be read.
    fn of(leave: OffServing, row: &MatchRow, words: &Catalogue) -> Option<Self> {
        let position = costly::read_stored(Some(leave), &row.start).ok()?;
        let (inviter, seat) = match (&row.first, &row.second) {
            (Some(inviter), _) => (inviter, Seat::Second),
            (None, inviter) => (inviter.as_ref()?, Seat::First),
        };
        let seat = match (position.has_sides(), seat) {
            (false, Seat::First) => "first",
            (false, Seat::Second) => "second",
            (true, Seat::First) => "left",
            (true, Seat::Second) => "right",
        };
        let series = row.series.filter(|series| series.games > 1);
        let series = series.map(|series| {
            let rated = if series.rated { "yes" } else { "no" };
            let games = series.games.to_string();
            let variables = [("rated", Value::Text(rated)), ("n", Value::Text(&games))];
            words.with("join-series", &variables)
        });
        let said = [
            Some(words.with("join-seat", &[("seat", Value::Text(seat))])),
            Some(clocks(row.clock, words)),
            series,
        ];
        let said: Vec<String> = said.into_iter().flatten().collect();
        let PlayerInfo { name, .. } = inviter;
        Some(Self {
            from: words.with("join-from", &[("name", Value::Text(name))]),
            position: position.to_string(),
            board: costly::draw(leave, &position).inline_svg(),
            about: words.sentences(&said),
            rules: rules_of(&position, words),
            whole: of_the_whole(&position, words),
        })
    }
}

/// The clocks of a match, in a sentence.
fn clocks(clock: TimeControl, words: &Catalogue) -> String {
    let (kind, base, more, periods) = match clock {
        TimeControl::Untimed {} => ("untimed", Millis(0), Millis(0), 0),
        TimeControl::Fischer {
            base_ms,
            increment_ms: Millis(0),
        } => ("once", base_ms, Millis(0), 0),
        TimeControl::Fischer {
            base_ms,
            increment_ms,
        } => ("fischer", base_ms, increment_ms, 0),
        TimeControl::Delay { base_ms, delay_ms } => ("delay", base_ms, delay_ms, 0),
        TimeControl::Bronstein { base_ms, delay_ms } => ("bronstein", base_ms, delay_ms, 0),
        TimeControl::PerMove { move_ms } => ("per-move", Millis(0), move_ms, 0),
        TimeControl::ByoYomi {
            base_ms: Millis(0),
            period_ms,
            periods,
        } => ("periods", Millis(0), period_ms, periods),
        TimeControl::ByoYomi {
            base_ms,
            period_ms,
            periods,
        } => ("byo-yomi", base_ms, period_ms, periods),
    };
    let (base, more, n) = (span(base, words), span(more, words), periods.to_string());
    let variables = [
        ("kind", Value::Text(kind)),
        ("base", Value::Text(&base)),
        ("more", Value::Text(&more)),
        ("count", Value::Number(u64::from(periods))),
        ("n", Value::Text(&n)),
    ];
    words.with("join-clock", &variables)
}

/// A time in the largest unit in which it is a whole number, or in seconds.
fn span(Millis(ms): Millis, words: &Catalogue) -> String {
    let units = [
        ("span-days", DAY),
        ("span-hours", HOUR),
        ("span-minutes", MINUTE),
        ("span-seconds", SECOND),
    ];
    let whole = units
        .into_iter()
        .find(|(_, unit)| ms >= *unit && ms % unit == 0);
    let (name, count, n) = match whole {
        Some((name, unit)) => (name, ms / unit, (ms / unit).to_string()),
        None => {
            let thousandths = format!("{}.{:03}", ms / SECOND, ms % SECOND);
            // A fraction takes the form for many.
            (
                "span-seconds",
                2,
                thousandths.trim_end_matches('0').to_owned(),
            )
        }
    };
    words.with(
        name,
        &[("count", Value::Number(count)), ("n", Value::Text(&n))],
    )
}

#[cfg(test)]
mod tests {
    use grundy_words::Language;

    use super::*;

    #[test]
    fn every_kind_of_clock_is_told_in_a_sentence() {
        let english = Catalogue::of(Language::English);
        for (clock, said) in [
            ("none", "There is no clock."),
            ("3+0", "Each player has 3 minutes."),
            (
                "3+2",
                "Each player has 3 minutes, plus 2 seconds for each move.",
            ),
        ] {
            assert_eq!(clocks(clock.parse().expect(clock), english), said);
        }
        let (base_ms, delay_ms) = (Millis(90_000), Millis(1_500));
        for (clock, said) in [
            (
                TimeControl::Delay { base_ms, delay_ms },
                "Each player has 90 seconds; on each turn the clock waits 1.5 seconds before it starts.",
            ),
            (
                TimeControl::Bronstein { base_ms, delay_ms },
                "Each player has 90 seconds; after each move the player gets back the time used, up to 1.5 seconds.",
            ),
            (
                TimeControl::PerMove {
                    move_ms: Millis(DAY),
                },
                "Each move must be made within 1 day.",
            ),
            (
                TimeControl::ByoYomi {
                    base_ms: Millis(HOUR),
                    period_ms: Millis(30_000),
                    periods: 3,
                },
                "Each player has 1 hour, then 3 periods of 30 seconds.",
            ),
            (
                TimeControl::ByoYomi {
                    base_ms: Millis(0),
                    period_ms: Millis(30_000),
                    periods: 1,
                },
                "Each player has 1 period of 30 seconds; a move made within a period does not use it up.",
            ),
        ] {
            assert_eq!(clocks(clock, english), said);
        }
        for language in Language::ALL {
            let said = clocks(TimeControl::Untimed {}, Catalogue::of(language));
            assert!(!said.contains("join-clock"), "{said}");
        }
    }
}
