//! Making tournaments. Durable before anybody hears of one, with the commitment to a seed that is drawn here.

use std::sync::Arc;

use bytes::Bytes;
use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::bounds::START_DELAY_MAX;
use grundy_shared::chain;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{Millis, Seat, Seq, TournamentId};
use grundy_shared::protocol::tournament::CreateTournament;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_shared::referee::{Referee, Terms};
use grundy_shared::suite::{BadStarts, check_starts, in_drawn_order, read_list, starts_of};
use grundy_shared::tournament::{
    Dated, Edition, Format, MAX_SWISS_PLAYERS, Pace, Seed, Starts, Tournament, TournamentEvent,
};

use super::catalogue::{Catalogue, Entry, stream};
use super::live::{Input, LiveTournament};
use super::machine::{Begun, of_error};
use super::registry::Tournaments;
use crate::analysis::{Length, Owner};
use crate::matches::{Frame, builtin, refusal};
use crate::store::{AddressDigest, Commit, CommitError, FairShare, Projection, StreamId, Taken};

/// Ids drawn for one tournament before giving up.
const DRAWS: usize = 8;

/// What an organiser asks for.
pub type Wish = CreateTournament;

/// Who creates a tournament.
#[derive(Clone, Debug)]
pub struct Organiser {
    /// The player.
    pub player: PlayerInfo,
    /// From where.
    pub address: AddressDigest,
    /// An operator of the server may take every place.
    pub is_operator: bool,
}

/// A tournament that is not stored yet.
pub(super) struct Draft {
    events: Vec<Dated>,
    tournament: Tournament,
    starts: Vec<String>,
    seed: Seed,
    now: Millis,
}

impl Draft {
    /// What an organiser asks for, with all its starts read, each once.
    ///
    /// # Errors
    /// The refusal.
    pub(super) fn of(
        player: PlayerInfo,
        wish: Wish,
        seed: Seed,
        now: Millis,
    ) -> Result<Self, ErrorBody> {
        let (events, listed) = events_of(player, wish, seed, now)?;
        let (tournament, starts) = prepare(&events, listed.as_deref(), &seed)?;
        Ok(Self {
            events,
            tournament,
            starts,
            seed,
            now,
        })
    }
}

impl Tournaments {
    /// Creates a tournament; the caller has checked that the organiser may. Returns it, and how many bytes its log has.
    ///
    /// # Errors
    /// The refusal.
    pub async fn create(
        &self,
        organiser: Organiser,
        wish: Wish,
    ) -> Result<(Arc<LiveTournament>, u64), ErrorBody> {
        self.check_bounds(&wish)?;
        let now = self.host.services.clock.now();
        let seed = self.draw_seed();
        let player = organiser.player.id;
        // Before work is done for it, and again when it is stored.
        let catalogue = self.catalogue.lock().await;
        self.check_room(&catalogue, &organiser)?;
        drop(catalogue);
        // Its starts are positions that a client typed, or are made by the solver: the solver's threads read them, and no budget ends that.
        let matches = self.host.matches().ok_or_else(refusal::internal)?;
        let owner = Owner::at(organiser.address.0, Some(player));
        let info = organiser.player.clone();
        let draft = matches.work_out(owner, Length::Long, move |_| {
            Draft::of(info.clone(), wish.clone(), seed, now)
        });
        let draft = draft.await.map_err(refusal::unfinished)?.value?;
        self.store(organiser, draft).await
    }

    /// Stores a new tournament and takes it up, if there is a place for it.
    pub(super) async fn store(
        &self,
        organiser: Organiser,
        draft: Draft,
    ) -> Result<(Arc<LiveTournament>, u64), ErrorBody> {
        let player = organiser.player.id;
        let Draft {
            events,
            tournament,
            starts,
            seed,
            now,
        } = draft;
        let mut catalogue = self.catalogue.lock().await;
        for _ in 0..DRAWS {
            self.check_room(&catalogue, &organiser)?;
            let id = TournamentId::from_random(self.host.services.chance.bits());
            let numbered = (1..).map(Seq).zip(&events);
            let bodies: Vec<Bytes> = numbered
                .map(|(seq, dated)| Frame::of_tournament(id, seq, dated).1)
                .collect();
            let bytes = bodies.iter().map(Bytes::len).sum::<usize>() as u64;
            let head = bodies
                .iter()
                .fold(chain::genesis_of_tournament(id), |head, body| {
                    chain::link(&head, body)
                });
            let entry = Entry::Made {
                tournament: id,
                at_ms: now,
                name: tournament.name().to_owned(),
                format: tournament.format(),
                seed,
                address: Some(organiser.address),
            };
            let commit = Commit::append(StreamId::Tournament(id), Seq(0), bodies).and(
                stream(),
                catalogue.seq,
                vec![entry.to_json()],
            );
            let commit = commit.with(Projection::Kept(player));
            match self.host.services.committer.commit(commit).await {
                Ok(()) => {
                    catalogue.seq = catalogue.seq.next();
                    catalogue.take(entry);
                    let mut pace = Pace::default();
                    events.iter().for_each(|dated| pace.note(dated));
                    let begun = Begun {
                        tournament: Arc::new(tournament),
                        seq: Seq(events.len() as u64),
                        head,
                        last_at: now,
                        created_at: now,
                        began_at: None,
                        pace,
                        seed,
                        starts,
                    };
                    self.add(id, begun);
                    let live = self.get(id).ok_or_else(refusal::internal)?;
                    live.give(Input::Time);
                    return Ok((live, bytes));
                }
                // Another server has made one.
                Err(CommitError::Conflict { stream: of, .. })
                    if of == stream() && self.host.services.shared =>
                {
                    let read = self.catch_up(&mut catalogue).await;
                    read.map_err(|error| refusal::of_store(&error))?;
                }
                // Another id.
                Err(CommitError::Conflict { stream: of, .. }) if of != stream() => {}
                Err(error) => return Err(refusal::of_commit(&error)),
            }
        }
        Err(refusal::busy("no free id was found"))
    }

    /// Whether there is a place for one more tournament, and the organiser and the address have not taken their share of the free places. The commit fails if
    /// another server has changed the catalogue.
    fn check_room(&self, catalogue: &Catalogue, organiser: &Organiser) -> Result<(), ErrorBody> {
        let config = self.host.services.config.current();
        let settings = &config.tournaments;
        let everyone = self.everyone();
        let refuse = |words: &str| {
            let refused = ErrorBody::new(ErrorCode::TooMany, words);
            Err(refused.limit(settings.at_once))
        };
        if everyone.len() >= settings.at_once as usize {
            return refuse("too many tournaments run on this server: one has to end first");
        }
        let own = everyone
            .iter()
            .filter(|live| live.is_organised_by(organiser.player.id));
        let here = everyone
            .iter()
            .filter(|live| catalogue.address_of(live.id()) == Some(organiser.address));
        // If a server can be reached only from its own machine, all its players have one address.
        let here = match config.is_local() {
            true => 0,
            false => here.count(),
        };
        let share = FairShare {
            places: settings.at_once,
            parts: settings.share,
        };
        let admits = |taken: usize| {
            let taken = Taken {
                all: everyone.len() as u64 + 1,
                here: taken as u64 + 1,
                ..Taken::default()
            };
            organiser.is_operator || share.admits(taken, false)
        };
        if !admits(own.count()) {
            return refuse(
                "you have your share of the places for tournaments: wait until one of yours ends, or cancel it with: grundy tournament cancel ID",
            );
        }
        if !admits(here) {
            return refuse(
                "your address has its share of the places for tournaments: wait until one that was created there ends",
            );
        }
        Ok(())
    }

    fn check_bounds(&self, wish: &Wish) -> Result<(), ErrorBody> {
        let config = self.host.services.config.current();
        let settings = &config.tournaments;
        // Beyond that no round could be paired.
        let (most, what) = match wish.format {
            Format::Swiss { .. } if settings.players as usize > MAX_SWISS_PLAYERS => {
                (MAX_SWISS_PLAYERS as u32, "a Swiss tournament")
            }
            _ => (settings.players, "a tournament on this server"),
        };
        if wish.admission.most > most {
            let words = format!("{what} has at most {most} players");
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("admission.most")
                .limit(most)
                .got(&wish.admission.most.to_string()));
        }
        if let Format::Gauntlet { seeds } = wish.format
            && seeds >= wish.admission.most
        {
            let most = wish.admission.most.saturating_sub(1);
            let words =
                "in a gauntlet, seeds meet those who are none: at least one player has to be left";
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("format.seeds")
                .limit(most)
                .got(&seeds.to_string()));
        }
        if wish
            .start_in_ms
            .is_some_and(|delay| delay > START_DELAY_MAX)
        {
            let words = "a tournament starts within 30 days";
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("start_in_ms")
                .limit(START_DELAY_MAX));
        }
        Ok(())
    }

    fn draw_seed(&self) -> Seed {
        let mut bytes = [0; 32];
        for eight in bytes.chunks_mut(8) {
            eight.copy_from_slice(&self.host.services.chance.bits().to_be_bytes());
        }
        Seed::new(bytes)
    }
}

fn of_starts(bad: BadStarts) -> ErrorBody {
    let words = format!("{}; {}", bad.why, bad.hint);
    ErrorBody::new(ErrorCode::BadPosition, words).field("rules.starts")
}

/// The first events, in which the tournament is created and the built-in bots enter, and the positions that the organiser lists.
fn events_of(
    organiser: PlayerInfo,
    wish: Wish,
    seed: Seed,
    now: Millis,
) -> Result<(Vec<Dated>, Option<Vec<Position>>), ErrorBody> {
    let mut rules = *wish.rules;
    let listed = match &mut rules.starts {
        Starts::List { positions } => {
            let read = read_list(positions).map_err(of_starts)?;
            // As matches write them.
            *positions = read.iter().map(ToString::to_string).collect();
            Some(read)
        }
        starts @ Starts::Random { .. } => {
            check_starts(starts).map_err(of_starts)?;
            None
        }
    };
    let mut events = vec![TournamentEvent::Created {
        name: wish.name,
        organiser,
        format: wish.format,
        rules,
        admission: wish.admission,
        starts_at_ms: wish.start_in_ms.map(|delay| now.plus(delay)),
        commitment: seed.commitment(),
        tie_breaks: match wish.format {
            Format::Swiss { .. } => Edition::March2026,
            // The texts agree if every pairing is known beforehand.
            _ => Edition::unnamed(),
        },
    }];
    for name in wish.bots {
        let bot = name.parse::<Bot>().map_err(|error| {
            ErrorBody::new(ErrorCode::OutOfRange, error.to_string())
                .field("bots")
                .limit(Bot::NAMES)
                .got(&name)
        })?;
        events.push(TournamentEvent::Entered {
            player: builtin::player(&bot),
        });
    }
    let dated = events.into_iter().map(|event| Dated { at_ms: now, event });
    Ok((dated.collect(), listed))
}

/// The tournament that the events make, and its starts: one match of each is tried.
fn prepare(
    events: &[Dated],
    listed: Option<&[Position]>,
    seed: &Seed,
) -> Result<(Tournament, Vec<String>), ErrorBody> {
    let replayed = Tournament::replay(events.iter().map(|dated| &dated.event));
    let tournament = replayed.map_err(|(_, error)| of_error(&error))?;
    let tournament = tournament.ok_or_else(refusal::internal)?;
    let starts = match listed {
        Some(listed) => in_drawn_order(listed, seed),
        None => starts_of(&tournament.rules().starts, seed).map_err(of_starts)?,
    };
    let mut texts = Vec::with_capacity(starts.len());
    for start in starts {
        let text = start.to_string();
        let terms = Terms {
            position: text.clone(),
            clock: tournament.rules().clock,
            rematch_of: None,
            series: None,
        };
        let nobody = tournament.organiser().clone();
        Referee::create_from(start, terms, nobody, Seat::First, Millis(0), false)
            .map_err(|refused| refusal::of_referee(&refused))?;
        texts.push(text);
    }
    Ok((tournament, texts))
}
