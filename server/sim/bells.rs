//! Checks the events of accounts: what they say is stored, and everybody gets the same event under the same number.

use std::collections::{BTreeMap, BTreeSet};

use grundy_shared::event::Event;
use grundy_shared::ids::{ChallengeId, MatchId, PlayerId, Seq};
use grundy_shared::protocol::AccountEvent;
use grundy_shared::protocol::account::ChallengeEnd;

use crate::world::World;

/// What was heard of all numberings.
#[derive(Default)]
pub(crate) struct Bells {
    /// Each event, by its numbering and its number.
    heard: BTreeMap<(String, Seq), Box<str>>,
    /// What each numbering has told once.
    told: BTreeSet<(String, String)>,
    /// How each challenge ended.
    ends: BTreeMap<ChallengeId, (ChallengeEnd, Option<MatchId>)>,
    /// The match of each challenge that was accepted.
    made: BTreeMap<ChallengeId, MatchId>,
}

impl Bells {
    /// Takes in an event of this numbering that somebody has heard.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn hear(
        &mut self,
        stream: &str,
        seq: Seq,
        body: &str,
        event: &AccountEvent,
    ) -> Result<(), String> {
        let key = (stream.to_owned(), seq);
        if let Some(before) = self.heard.get(&key) {
            return match **before == *body {
                true => Ok(()),
                false => Err(format!(
                    "event {seq} of {stream} was {before} and is {body}"
                )),
            };
        }
        self.heard.insert(key, body.into());
        let what = match event {
            AccountEvent::MatchBegan { match_id, .. } => format!("began {match_id}"),
            AccountEvent::MatchEnded { match_id, .. } => format!("ended {match_id}"),
            AccountEvent::Challenged { challenge, .. } => {
                format!("challenged {}", challenge.challenge)
            }
            AccountEvent::ChallengeEnded { challenge, .. } => format!("end of {challenge}"),
            AccountEvent::TournamentPaired {
                tournament, round, ..
            } => format!("round {round} of {tournament}"),
        };
        if !self.told.insert((stream.to_owned(), what)) {
            return Err(format!("{stream} tells twice: {body}"));
        }
        match event {
            AccountEvent::ChallengeEnded {
                challenge,
                end,
                match_id,
                ..
            } => self.ended(*challenge, *end, *match_id),
            _ => Ok(()),
        }
    }

    fn ended(
        &mut self,
        challenge: ChallengeId,
        end: ChallengeEnd,
        made: Option<MatchId>,
    ) -> Result<(), String> {
        let first = *self.ends.entry(challenge).or_insert((end, made));
        if first != (end, made) {
            return Err(format!(
                "challenge {challenge} ended as {first:?} and as {end:?} {made:?}"
            ));
        }
        match made {
            Some(made) => self.accepted(challenge, made),
            None => Ok(()),
        }
    }

    /// The acceptance of a challenge has made this match.
    ///
    /// # Errors
    /// Another one was made before.
    pub(crate) fn accepted(&mut self, challenge: ChallengeId, made: MatchId) -> Result<(), String> {
        let first = *self.made.entry(challenge).or_insert(made);
        match first == made {
            true => Ok(()),
            false => Err(format!(
                "challenge {challenge} was accepted as {first} and as {made}"
            )),
        }
    }
}

/// Checks that what an event of an account says is stored when it is sent.
pub(crate) fn expect(world: &World, player: PlayerId, event: &AccountEvent) {
    let disk = &world.disk;
    let holds = match event {
        AccountEvent::MatchBegan { match_id, seat, .. } => {
            let sits = |event: &Event| match event {
                Event::Created {
                    creator: info,
                    seat: taken,
                    ..
                }
                | Event::Joined {
                    player: info,
                    seat: taken,
                    ..
                } => info.id == player && taken == seat,
                _ => false,
            };
            disk.length(*match_id) >= 2 && disk.any(*match_id, sits)
        }
        AccountEvent::MatchEnded {
            match_id,
            outcome,
            reason,
            ..
        } => disk.any(
            *match_id,
            |event| matches!(event, Event::Ended { outcome: how, reason: why, .. } if how == outcome && why == reason),
        ),
        AccountEvent::ChallengeEnded {
            end: ChallengeEnd::Accepted,
            match_id,
            ..
        } => match_id.is_some_and(|id| disk.length(id) >= 2),
        AccountEvent::Challenged { .. } | AccountEvent::ChallengeEnded { .. } => true,
        // Nobody creates a tournament here, so none is stored.
        AccountEvent::TournamentPaired { .. } => false,
    };
    if !holds {
        world.wrong(format!(
            "{player} was told of what is not stored: {event:?}"
        ));
    }
}
