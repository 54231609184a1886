//! What a player asks outside matches: account events, challenges, standing offers.

use std::ops::RangeInclusive;

use grundy_shared::bounds::{CHALLENGE_STANDS, OFFER_GAMES_MAX};
use grundy_shared::event::{PlayerInfo, Series};
use grundy_shared::ids::{ChallengeId, MatchId, Millis, Seat};
use grundy_shared::protocol::account::OfferInfo;
use grundy_shared::protocol::client::{
    Accept, Challenge, Decline, FollowAccount, Offer, Offers, Rename, WithdrawChallenge,
};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::rated::Family;
use grundy_shared::referee::{BASE_MS, Referee, Terms as RefereeTerms};

use super::answers::page_limit;
use super::naming::rename;
use super::player::Player;
use super::requests::seat_of;
use super::socket::Socket;
use crate::accounts::{
    Asked, Challenged, STANDS_FOR_MS, Terms, challenger_is_full, no_such_challenge,
};
use crate::costly::{self, OffServing};
use crate::matches::{Created, NewMatch, Rival, refusal};

/// The terms of a challenge, if a match can be made of them.
fn terms_of(
    leave: Option<OffServing>,
    ask: &Challenge,
    creator: &PlayerInfo,
    now: Millis,
) -> Result<Terms, ErrorBody> {
    let of_referee = |refused| refusal::of_referee(&refused);
    let position = costly::read(leave, &ask.position);
    let position = position.map_err(|error| refusal::of_notation(&error))?;
    let terms = RefereeTerms {
        position: position.to_string(),
        clock: ask.clock,
        rematch_of: None,
        // The name of the series does not matter yet.
        series: Series::first(MatchId::from_random(0), ask.games, ask.rated).map_err(of_referee)?,
    };
    let made = Referee::create_from(position, terms, creator.clone(), Seat::First, now, false);
    let (referee, _) = made.map_err(of_referee)?;
    let start = referee.start();
    let rated = leave.filter(|_| ask.rated);
    if rated.is_some_and(|leave| costly::is_forced(leave, start)) {
        return Err(refusal::forced_start(start));
    }
    Ok(Terms {
        position: start.to_string(),
        games: start.games().into_iter().map(|game| game.name).collect(),
        clock: ask.clock,
        family: Family::of(start),
        count: ask.games,
        rated: ask.rated,
        side: ask.side,
    })
}

impl<S: Socket> Player<S> {
    pub(super) async fn rename(&mut self, ask: Rename) -> Result<Reply, ErrorBody> {
        rename(&self.connection.app, self.info.id, &ask.name).await?;
        self.info.name = ask.name;
        Ok(Reply::Renamed {
            player: self.info.clone(),
        })
    }

    pub(super) async fn follow_account(&mut self, id: u64, ask: &FollowAccount) {
        self.follows_account = true;
        let since = (ask.stream.as_deref(), ask.since_seq);
        let accounts = &self.connection.app.accounts;
        let follow = accounts.follow(
            self.reply_to(id),
            &self.info,
            &self.connection.outbox,
            since,
            self.room(),
        );
        follow.await;
    }

    pub(super) fn leave_account(&mut self) {
        if std::mem::take(&mut self.follows_account) {
            let accounts = &self.connection.app.accounts;
            accounts.leave(self.info.id, &self.connection.outbox);
        }
    }

    pub(super) async fn challenge(
        &mut self,
        id: u64,
        ask: Challenge,
    ) -> Result<Option<Reply>, ErrorBody> {
        self.check_follows()?;
        let app = &self.connection.app;
        let stands_for = ask.expires_ms.unwrap_or(STANDS_FOR_MS);
        check_between("expires_ms", stands_for, CHALLENGE_STANDS)?;
        if !app.lifecycle.accepts_matches() {
            return Err(refusal::no_new_matches(&app.lifecycle));
        }
        let asked = Asked {
            player: ask.player.clone(),
            terms: self.terms(&ask).await?,
            stands_for,
            address: self.connection.address_digest(),
        };
        let challenged = app
            .accounts
            .challenge(&self.info, &self.connection.outbox, asked)
            .await?;
        let (opponent, at_once) = match challenged {
            Challenged::Waits(challenge) => return Ok(Some(Reply::Challenged { challenge })),
            Challenged::Fits { opponent, at_once } => (opponent, at_once),
        };
        let wanted = NewMatch {
            position: ask.position,
            clock: ask.clock,
            games: ask.games,
            rated: ask.rated,
            seat: seat_of(ask.side),
            against: Rival::Player {
                info: opponent,
                at_most: Some(at_once),
            },
            client_create_id: None,
        };
        let made = app
            .matches
            .create(self.info.clone(), wanted, self.connection.source());
        let made = made.await?;
        self.seated(id, &made, made.seat);
        Ok(None)
    }

    /// The terms of a challenge, checked as those of a match are.
    pub(super) async fn terms(&self, ask: &Challenge) -> Result<Terms, ErrorBody> {
        let (asked, creator) = (ask.clone(), self.info.clone());
        let app = &self.connection.app;
        let now = app.clock.now();
        let terms = move |leave| terms_of(leave, &asked, &creator, now);
        let terms = app
            .matches
            .about(self.owner(), &ask.position, ask.rated, terms);
        terms.await?
    }

    pub(super) async fn accept(
        &mut self,
        id: u64,
        ask: &Accept,
    ) -> Result<Option<Reply>, ErrorBody> {
        self.check_follows()?;
        let app = &self.connection.app;
        let accepting = app
            .accounts
            .accept(challenge_id(&ask.challenge)?, self.info.id)
            .await?;
        let info = &accepting.info;
        let wanted = NewMatch {
            position: info.position.clone(),
            clock: info.clock,
            games: info.games,
            rated: info.rated,
            seat: seat_of(info.side),
            against: Rival::Player {
                info: self.info.clone(),
                at_most: None,
            },
            client_create_id: None,
        };
        app.matches.check_takes_matches()?;
        let from = app.matches.source(accepting.address);
        let made = app
            .matches
            .create_with(info.from.clone(), wanted, from, |made, _| {
                accepting.ends_with(made)
            });
        let made = match made.await {
            Ok(made) => made,
            Err(refused) if refusal::is_settled(&refused) => {
                return Err(app.accounts.was_over(accepting.info.challenge).await);
            }
            Err(refused) if refusal::is_of_creator(&refused) => return Err(challenger_is_full()),
            Err(refused) => return Err(refused),
        };
        accepting.done(made.id).await;
        self.seated(id, &made, made.seat.other());
        Ok(None)
    }

    pub(super) async fn decline(&self, ask: &Decline) -> Result<Reply, ErrorBody> {
        let accounts = &self.connection.app.accounts;
        let id = challenge_id(&ask.challenge)?;
        accounts.decline(id, self.info.id, ask.reason).await?;
        Ok(done())
    }

    pub(super) async fn withdraw_challenge(
        &self,
        ask: &WithdrawChallenge,
    ) -> Result<Reply, ErrorBody> {
        let accounts = &self.connection.app.accounts;
        let id = challenge_id(&ask.challenge)?;
        accounts.withdraw(id, self.info.id).await?;
        Ok(done())
    }

    pub(super) async fn offer(&self, ask: Offer) -> Result<Reply, ErrorBody> {
        if ask.games.len() > OFFER_GAMES_MAX {
            let words = "an offer names too many games";
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("games")
                .limit(OFFER_GAMES_MAX));
        }
        if let Some(unknown) = ask.games.iter().find(|game| !is_game(game)) {
            let words = "no game has this name: `grundy rules list` shows them";
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("games")
                .got(unknown));
        }
        let most = self.connection.allowance.matches;
        if !(1..=most).contains(&ask.at_once) {
            let words = format!("`at_once` must be from 1 to {most}");
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("at_once")
                .limit(most)
                .got(&ask.at_once.to_string()));
        }
        let bases = Millis(*BASE_MS.start())..=Millis(*BASE_MS.end());
        let min_base_ms = ask.min_base_ms.unwrap_or(*bases.start());
        check_between("min_base_ms", min_base_ms, bases)?;
        let offer = OfferInfo {
            player: self.info.clone(),
            games: ask.games,
            at_once: ask.at_once,
            min_base_ms,
            untimed: ask.untimed,
        };
        let accounts = &self.connection.app.accounts;
        accounts.offer(&self.connection.outbox, offer).await?;
        Ok(done())
    }

    pub(super) async fn offers(&self, ask: &Offers) -> Result<Reply, ErrorBody> {
        let limit = page_limit(ask.limit, 1)?;
        let accounts = &self.connection.app.accounts;
        let listed = accounts.offers(ask.game.as_deref(), ask.after, limit);
        let (mut offers, mut more) = listed.await?;
        // An offer is bounded, and the room of a reply is larger than one.
        let mut room = self.room();
        let fits = |offer: &OfferInfo| {
            let size = serde_json::to_string(offer).map_or(usize::MAX, |text| text.len() + 1);
            let fits = size <= room;
            room = room.saturating_sub(size);
            fits
        };
        let fitting = offers.iter().map_while({
            let mut fits = fits;
            move |offer| fits(offer).then_some(())
        });
        let fitting = fitting.count().max(1).min(offers.len());
        more = more || fitting < offers.len();
        offers.truncate(fitting);
        let next = offers.last().filter(|_| more).map(|last| last.player.id);
        Ok(Reply::Offers { offers, next })
    }

    /// Answers with the seat in a new match, which the connection follows from here on.
    fn seated(&mut self, id: u64, made: &Created, seat: Seat) {
        let joined = Reply::Joined {
            match_id: made.id,
            seat,
        };
        self.seat(id, made.id, joined);
    }
}

fn is_game(name: &str) -> bool {
    grundy_shared::games::find(name).is_some()
}

fn challenge_id(text: &str) -> Result<ChallengeId, ErrorBody> {
    text.parse().map_err(|_| no_such_challenge(text))
}

fn check_between(
    field: &str,
    given: Millis,
    bounds: RangeInclusive<Millis>,
) -> Result<(), ErrorBody> {
    if bounds.contains(&given) {
        return Ok(());
    }
    let (low, high) = bounds.into_inner();
    let words = format!("`{field}` must be from {low} to {high}");
    Err(ErrorBody::new(ErrorCode::OutOfRange, words)
        .field(field)
        .limit(format_args!("{low} to {high}"))
        .got(&given.to_string()))
}

fn done() -> Reply {
    Reply::done()
}
