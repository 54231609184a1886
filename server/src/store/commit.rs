//! What is committed: appends to streams with what follows from them, all or nothing.

use bytes::Bytes;
use grundy_shared::ids::{ClientCreateId, JoinCode, MatchId, Millis, PlayerId, Seq, ServerId};
use grundy_shared::rated::Family;

use super::account::{AccountRow, NewPlayer, TokenRow};
use super::address_digest::AddressDigest;
use super::address_secret::AddressSecret;
use super::ban::{BanRow, BanSubject};
use super::erasure::NewErasure;
use super::error::StoreError;
use super::mistakes::Mistakes;
use super::puzzle::{PuzzleAttempt, PuzzleRow};
use super::rating::RatingRow;
use super::review::ReviewRow;
use super::share::FairShare;
use super::stream::StreamId;
use super::summary::{MatchRow, MatchStatus};
use super::usage::Usage;
use super::word::{Word, WordSummary};

/// Events for one stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Append {
    /// Which.
    pub stream: StreamId,
    /// The number of its last event; 0 makes the stream.
    pub expected: Seq,
    /// The events, each UTF-8 JSON: at best slices of the frames that announce them.
    pub events: Vec<Bytes>,
}

/// What is kept beside the logs, and follows from them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Projection {
    /// The summary of a match, made or replaced. Its stream has an event then. A new match belongs to the node that commits it.
    Match {
        /// The match.
        id: MatchId,
        /// The summary.
        row: Box<MatchRow>,
    },
    /// The code by which somebody may join a match. All codes that expired at or before `at` are forgotten: they are free to be given again.
    JoinCode {
        /// The code.
        code: JoinCode,
        /// The match.
        match_id: MatchId,
        /// When it is given.
        at: Millis,
        /// From when on it is good for nothing.
        expires_at: Millis,
    },
    /// The creator's own name for a match, so that asking again makes no second one.
    CreateId {
        /// The creator.
        player: PlayerId,
        /// The name.
        client_create_id: ClientCreateId,
        /// The match.
        match_id: MatchId,
    },
    /// A player.
    Player(NewPlayer),
    /// Another name of a player, who is known.
    Rename {
        /// Who.
        player: PlayerId,
        /// The name.
        name: String,
        /// What it looks like; no other player has it.
        name_key: String,
    },
    /// What the account of a player has from now on, who is known.
    Account {
        /// Whose.
        player: PlayerId,
        /// All of it. Its version is that of the account until now, and one more afterwards.
        account: Box<AccountRow>,
    },
    /// A player's rating in a family, made or replaced. Its stream has an event then.
    Rating {
        /// Whose.
        player: PlayerId,
        /// In which family.
        family: Family,
        /// The rating.
        row: RatingRow,
    },
    /// The id of the server: the first one stays.
    Server(ServerId),
    /// The secret in the digests of addresses: the first one stays.
    AddressSecret(AddressSecret),
    /// Where a match was created, kept until it is over.
    Address {
        /// Which match.
        match_id: MatchId,
        /// Where.
        address: AddressDigest,
    },
    /// Stores or replaces the mistakes of a match. Has no effect unless the match is over.
    Mistakes {
        /// The match.
        match_id: MatchId,
        /// Its mistakes.
        mistakes: Mistakes,
    },
    /// The review of a match, made or replaced. Has no effect unless the match is over.
    Review {
        /// The match.
        match_id: MatchId,
        /// Its review.
        review: ReviewRow,
        /// Bytes of all reviews afterwards: those stored first go.
        most_bytes: u64,
    },
    /// A puzzle. Has no effect if it is known, or if there are as many puzzles already.
    Puzzle {
        /// The puzzle with its first rating.
        row: Box<PuzzleRow>,
        /// Number of puzzles from which on none is added.
        at_most: u64,
    },
    /// A player's first answer to a puzzle that is known. The logs of both have an event then.
    Attempt(Box<PuzzleAttempt>),
    /// A player who stays even without a match: there is a log that names the player.
    Kept(PlayerId),
    /// What was used of quotas, each made or replaced for the node that commits it. What ends at or before `at` is forgotten.
    Usage {
        /// When.
        at: Millis,
        /// Whose, and how much.
        rows: Vec<Usage>,
    },
    /// A ban, made or replaced.
    Ban(BanRow),
    /// The ban of this subject is lifted, if there is one.
    Unban(BanSubject),
    /// A player, who sits in no match that is not over, is being erased from now on: has another name, and neither password, codes, tokens, muted
    /// players nor names for matches.
    Erase(Box<NewErasure>),
    /// No log has a name of a player any more who is being erased: they are forgotten.
    ForgetNames(PlayerId),
    /// A player is erased.
    Erased(PlayerId),
    /// A word to all servers on the store.
    Word(Word),
    /// What words come to. Has no effect unless it is newer than the last.
    SumUp(WordSummary),
    /// All servers had the time to hear the words up to this one, which are those that were summed up: they are forgotten. Has no effect if others were.
    ForgetWords(Seq),
}

/// What has to hold once the commit is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// At most so many matches are not over.
    OpenMatches {
        /// Counted are those in which this player sits; else all.
        of: Option<PlayerId>,
        /// How many.
        at_most: u32,
    },
    /// At most so many matches that are not over were created there.
    OpenMatchesFrom {
        /// Where.
        address: AddressDigest,
        /// How many.
        at_most: u32,
    },
    /// The matches that the commit creates there fit the share of this address.
    Share {
        /// Where.
        address: AddressDigest,
        /// The rule.
        rule: FairShare,
    },
}

/// One thing to commit, all or nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Commit {
    /// The events; each stream at most once.
    pub appends: Vec<Append>,
    /// What follows from them.
    pub projections: Vec<Projection>,
    /// On which conditions.
    pub guards: Vec<Guard>,
}

impl Commit {
    /// Events for one stream.
    #[must_use]
    pub fn append(stream: impl Into<StreamId>, expected: Seq, events: Vec<Bytes>) -> Self {
        Self::default().and(stream, expected, events)
    }

    /// And events for another.
    #[must_use]
    pub fn and(mut self, stream: impl Into<StreamId>, expected: Seq, events: Vec<Bytes>) -> Self {
        let stream = stream.into();
        self.appends.push(Append {
            stream,
            expected,
            events,
        });
        self
    }

    /// With what follows.
    #[must_use]
    pub fn with(mut self, projection: Projection) -> Self {
        self.projections.push(projection);
        self
    }

    /// With the summary of a match.
    #[must_use]
    pub fn with_row(self, id: MatchId, row: MatchRow) -> Self {
        let row = Box::new(row);
        self.with(Projection::Match { id, row })
    }

    /// On this condition.
    #[must_use]
    pub fn guarded(mut self, guard: Guard) -> Self {
        self.guards.push(guard);
        self
    }

    /// Whether it appends to this stream.
    pub(super) fn begins(&self, stream: StreamId) -> bool {
        let begins = |append: &Append| append.stream == stream && !append.events.is_empty();
        self.appends.iter().any(begins)
    }

    /// The summary that it gives the match of a stream.
    pub(super) fn row_of(&self, stream: StreamId) -> Option<&MatchRow> {
        let of = |projection: &'_ Projection| matches!(projection, Projection::Match { id, .. } if StreamId::Match(*id) == stream);
        match self.projections.iter().rfind(|projection| of(projection))? {
            Projection::Match { row, .. } => Some(row),
            _ => None,
        }
    }

    /// Whether it creates a match at this address that waits for a player.
    pub(super) fn waits_at(&self, address: AddressDigest) -> bool {
        self.projections.iter().any(|projection| match projection {
            Projection::Address {
                match_id,
                address: here,
            } if *here == address => self
                .row_of((*match_id).into())
                .is_some_and(|row| row.status == MatchStatus::Waiting),
            _ => false,
        })
    }

    /// How many events it appends.
    #[must_use]
    pub fn events(&self) -> usize {
        self.appends.iter().map(|append| append.events.len()).sum()
    }
}

impl Commit {
    /// What the commit contradicts in itself: a stream, a code, a name, a player or a token that it has twice.
    pub(super) fn check_alone(&self) -> Result<(), CommitError> {
        for (number, append) in self.appends.iter().enumerate() {
            let stream = append.stream;
            if let Some(first) = self.appends[..number]
                .iter()
                .find(|first| first.stream == stream)
            {
                let actual = Seq(first.expected.0 + first.events.len() as u64);
                return Err(CommitError::Conflict { stream, actual });
            }
        }
        for (number, later) in self.projections.iter().enumerate() {
            if let Projection::Account { account, .. } = later {
                let hashes = account.tokens.iter().map(|token| token.hash.as_bytes());
                let prefixes = account.tokens.iter().map(|token| &token.prefix);
                if repeats(hashes) || repeats(prefixes) {
                    return Err(CommitError::Taken(Unique::Token));
                }
            }
            for first in &self.projections[..number] {
                if let Some(unique) = first.shares(later) {
                    return Err(CommitError::Taken(unique));
                }
            }
        }
        Ok(())
    }
}

/// Whether one of these comes twice.
fn repeats<T: Ord>(items: impl Iterator<Item = T>) -> bool {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.windows(2).any(|pair| pair[0] == pair[1])
}

impl Projection {
    fn shares(&self, other: &Self) -> Option<Unique> {
        match (self, other) {
            (Self::JoinCode { code, .. }, Self::JoinCode { code: other, .. }) => {
                (code == other).then_some(Unique::JoinCode)
            }
            (
                Self::CreateId {
                    player,
                    client_create_id,
                    ..
                },
                Self::CreateId {
                    player: other,
                    client_create_id: other_id,
                    ..
                },
            ) => (player == other && client_create_id == other_id).then_some(Unique::CreateId),
            (Self::Player(new), Self::Player(other)) => {
                if new.info.id == other.info.id {
                    Some(Unique::PlayerId)
                } else if new.token.hash == other.token.hash {
                    Some(Unique::Token)
                } else {
                    (new.name_key == other.name_key).then_some(Unique::Name)
                }
            }
            (Self::Player(NewPlayer { name_key: key, .. }), Self::Rename { name_key, .. })
            | (Self::Rename { name_key, .. }, Self::Player(NewPlayer { name_key: key, .. }))
            | (Self::Rename { name_key, .. }, Self::Rename { name_key: key, .. }) => {
                (name_key == key).then_some(Unique::Name)
            }
            (
                Self::Account { player, account },
                Self::Account {
                    player: other,
                    account: others,
                },
            ) => {
                let mine =
                    |token: &TokenRow| account.tokens.iter().any(|own| own.hash == token.hash);
                (player == other || others.tokens.iter().any(mine)).then_some(Unique::Token)
            }
            (Self::Player(new), Self::Account { account, .. })
            | (Self::Account { account, .. }, Self::Player(new)) => {
                let same = |token: &TokenRow| token.hash == new.token.hash;
                account.tokens.iter().any(same).then_some(Unique::Token)
            }
            (Self::Erase(new), Self::Erase(other)) => (new.player == other.player
                || new.name_key == other.name_key)
                .then_some(Unique::Name),
            (Self::Attempt(one), Self::Attempt(other)) => {
                let same = one.player == other.player && one.puzzle == other.puzzle;
                same.then_some(Unique::Attempt)
            }
            (Self::Word(one), Self::Word(other)) => {
                (one.settles.is_some() && one.settles == other.settles).then_some(Unique::Word)
            }
            (Self::Server(_), Self::Server(_)) => Some(Unique::ServerId),
            (Self::AddressSecret(_), Self::AddressSecret(_)) => Some(Unique::AddressSecret),
            _ => None,
        }
    }
}

/// What only one can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unique {
    /// A join code that has not expired.
    JoinCode,
    /// A creator's own name for a match.
    CreateId,
    /// The id of a player.
    PlayerId,
    /// The hash of a token.
    Token,
    /// What a name looks like.
    Name,
    /// The id of the server.
    ServerId,
    /// The secret in the digests of addresses.
    AddressSecret,
    /// The first answer of a player to a puzzle.
    Attempt,
    /// What a word settles.
    Word,
}

/// Why a commit was refused; nothing of it was done, unless the store says otherwise.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommitError {
    /// A stream ends elsewhere (0: there is none): read the tail, decide again; for a new stream, draw another id.
    #[error("the log of {stream} ends at {actual}")]
    Conflict {
        /// Which.
        stream: StreamId,
        /// The number of its last event.
        actual: Seq,
    },
    /// Somebody has it already: draw another.
    #[error("{0:?} is taken")]
    Taken(Unique),
    /// A condition would not hold.
    #[error("{0:?} would not hold")]
    Full(Guard),
    /// The node was enlisted again, or another has taken its matches over: it must stop.
    #[error("this server's place has been taken by another")]
    Fenced,
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}
