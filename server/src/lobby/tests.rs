//! The lobby without sockets: who may be paired, what is lost, what a wave costs.

use std::collections::{BTreeMap, BTreeSet};

use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, SeekId};
use grundy_shared::protocol::client::Side;
use grundy_shared::protocol::lobby::{Automatic, BotFilter, SeekEnd, SeekInfo, Window};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use proptest::prelude::*;

use super::pairing::{self, Speed, Wish};
use super::state::{Bounds, Claim, NewSeek, Settled, State, Take};

const BOUNDS: Bounds = Bounds {
    per_player: 5,
    in_all: 10_000,
};
const NEAR: u64 = 6_000;
const ANY: u64 = 12_000;
const OVER: u64 = 30_000;

fn player(number: u64, bot: bool) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(number.into()),
        name: format!("p{number}"),
        bot,
    }
}

fn blitz(minutes: u64) -> TimeControl {
    TimeControl::Fischer {
        base_ms: Millis(minutes * 60_000),
        increment_ms: Millis(0),
    }
}

/// A seek of this number by the player of the same number, at moment 0: any side, any opponent.
fn seek(number: u64, position: &str, window: Option<Window>) -> SeekInfo {
    SeekInfo {
        seek: SeekId::from_random(number),
        player: player(number, false),
        position: position.to_owned(),
        clock: TimeControl::Untimed {},
        games: 1,
        rated: false,
        rating: None,
        side: Side::Random,
        bots: BotFilter::Yes,
        opened_at_ms: Millis(0),
        automatic: window.map(|widest| Automatic {
            widest,
            near_at_ms: Millis(NEAR),
            any_at_ms: Millis(ANY),
            gives_up_at_ms: Millis(OVER),
        }),
    }
}

fn game(position: &str) -> &'static str {
    match position.starts_with("nim") {
        true => "nim",
        false => "kayles",
    }
}

/// Adds a seek whose connection is called as its player.
fn open(state: &mut State<u64>, info: SeekInfo, connection: u64) -> Result<(), ErrorBody> {
    let games = vec![game(&info.position)];
    state.open(
        NewSeek {
            info,
            games,
            connection,
        },
        BOUNDS,
    )
}

fn lobby(seeks: impl IntoIterator<Item = SeekInfo>) -> State<u64> {
    let mut state = State::default();
    for (number, info) in (0..).zip(seeks) {
        open(&mut state, info, number).expect("there is room");
    }
    state
}

/// The players of the pairs, the one whose terms are played first.
fn names(pairs: &[(Claim<u64>, Claim<u64>)]) -> Vec<(String, String)> {
    let name = |claim: &Claim<u64>| claim.info.player.name.clone();
    pairs
        .iter()
        .map(|(one, other)| (name(one), name(other)))
        .collect()
}

fn code<T: std::fmt::Debug>(result: Result<T, ErrorBody>) -> ErrorCode {
    result.expect_err("a refusal").code
}

#[test]
fn the_window_widens_step_by_step_and_no_further_than_both_accept() {
    use Window::{Any, Exact, Near};
    let (three, five) = (blitz(1), blitz(2));
    for (position, clocks, widest, since) in [
        ("nim:3,5", (three, three), (Exact, Exact), Some(0)),
        ("nim:3,5", (three, five), (Near, Near), Some(NEAR)),
        ("nim:1,2", (three, three), (Near, Any), Some(NEAR)),
        ("nim:1,2", (three, three), (Exact, Any), None),
        ("nim:3,5", (three, blitz(20)), (Any, Any), Some(ANY)),
        ("kayles:5", (three, three), (Any, Any), Some(ANY)),
        ("kayles:5", (three, three), (Any, Near), None),
    ] {
        for at in [0, NEAR - 1, NEAR, ANY - 1, ANY, OVER - 1] {
            let mut one = seek(1, "nim:3,5", Some(widest.0));
            let mut other = seek(2, position, Some(widest.1));
            (one.clock, other.clock) = clocks;
            let found = lobby([one, other]).wave(Millis(at)).pairs;
            let expected = match since.is_some_and(|since| since <= at) {
                true => vec![("p1".to_owned(), "p2".to_owned())],
                false => Vec::new(),
            };
            assert_eq!(names(&found), expected, "{position} {widest:?} at {at}");
        }
    }
}

#[test]
fn who_has_waited_longer_decides_how_far_the_window_is() {
    let mut late = seek(2, "kayles:5", Some(Window::Any));
    let automatic = late.automatic.as_mut().expect("automatic");
    automatic.near_at_ms = Millis(NEAR + ANY);
    automatic.any_at_ms = Millis(ANY + ANY);
    automatic.gives_up_at_ms = Millis(OVER + ANY);
    let early = seek(1, "nim:3,5", Some(Window::Any));
    let found = lobby([early, late]).wave(Millis(ANY)).pairs;
    assert_eq!(names(&found), [("p1".to_owned(), "p2".to_owned())]);
}

#[test]
fn sides_bots_and_the_number_of_games_have_to_fit() {
    let pairs = |change: &dyn Fn(&mut SeekInfo, &mut SeekInfo)| {
        let mut one = seek(1, "nim:3,5", Some(Window::Any));
        let mut other = seek(2, "nim:3,5", Some(Window::Any));
        change(&mut one, &mut other);
        lobby([one, other]).wave(Millis(ANY)).pairs.len()
    };
    assert_eq!(pairs(&|_, _| {}), 1);
    let sides = [Side::First, Side::Second, Side::Random];
    for one_side in sides {
        for other_side in sides {
            let clash = one_side == other_side && one_side != Side::Random;
            let found = pairs(&|one, other| (one.side, other.side) = (one_side, other_side));
            assert_eq!(found, usize::from(!clash), "{one_side:?} {other_side:?}");
        }
    }
    for (filter, bot, fits) in [
        (BotFilter::Yes, true, 1),
        (BotFilter::No, true, 0),
        (BotFilter::Only, true, 1),
        (BotFilter::No, false, 1),
        (BotFilter::Only, false, 0),
    ] {
        let found = pairs(&|one, other| {
            one.bots = filter;
            other.player.bot = bot;
        });
        assert_eq!(found, fits, "{filter:?} {bot}");
    }
    assert_eq!(pairs(&|one, _| one.games = 2), 0);
    let own = |one: &mut SeekInfo, other: &mut SeekInfo| {
        other.player = one.player.clone();
        other.automatic = None;
    };
    assert_eq!(pairs(&own), 0);
}

#[test]
fn an_open_seat_is_found_by_who_accepts_its_terms_and_not_by_another_open_seat() {
    let waiting = || seek(1, "nim:3,5", None);
    let mut both = lobby([waiting(), seek(2, "nim:3,5", None)]);
    assert!(!both.needs_waves());
    assert!(both.wave(Millis(ANY)).pairs.is_empty());
    // The open seat's terms are played, although it is younger.
    let mut found = lobby([seek(2, "kayles:5", Some(Window::Any)), waiting()]);
    assert!(found.wave(Millis(NEAR)).pairs.is_empty());
    let pairs = found.wave(Millis(ANY)).pairs;
    assert_eq!(names(&pairs), [("p1".to_owned(), "p2".to_owned())]);
    assert_eq!(pairs[0].0.info.position, "nim:3,5");
    // The open seat does not end when the other gives up.
    let mut left = lobby([seek(2, "kayles:5", Some(Window::Exact)), waiting()]);
    let given_up = left.wave(Millis(OVER)).given_up;
    assert_eq!(given_up.len(), 1);
    let ended = left.settle(given_up[0].info.seek, Settled::GaveUp);
    assert_eq!((ended, left.len()), (Some(SeekEnd::GaveUp), 1));
}

#[test]
fn equal_terms_are_preferred_and_the_oldest_are_not_left_over() {
    let any = |number, position| seek(number, position, Some(Window::Any));
    let mut state = lobby([
        any(1, "nim:3,5"),
        any(2, "kayles:5"),
        any(3, "nim:1,2"),
        any(4, "kayles:5"),
        any(5, "nim:3,5"),
    ]);
    let pairs = names(&state.wave(Millis(ANY)).pairs);
    let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
    assert_eq!(
        pairs.into_iter().collect::<BTreeSet<_>>(),
        BTreeSet::from([pair("p1", "p5"), pair("p2", "p4")])
    );
    assert_eq!(state.len(), 5, "a pair is open until it is settled");
}

#[test]
fn a_seek_is_taken_once_and_a_repeat_by_the_same_player_finds_the_same_match() {
    let mut state = lobby([seek(1, "nim:3,5", None)]);
    let id = SeekId::from_random(1);
    let (bo, cay) = (player(8, false), player(9, false));
    assert_eq!(code(state.take(id, &player(1, false))), ErrorCode::OwnMatch);
    let taken = state.take(id, &bo).expect("it is open");
    assert!(matches!(taken, Take::Now(claim) if claim.info.seek == id));
    // Meanwhile: busy for who has taken it, and for the seeker; gone for others.
    assert_eq!(code(state.take(id, &bo)), ErrorCode::ServerBusy);
    assert_eq!(code(state.take(id, &cay)), ErrorCode::NoSuchSeek);
    assert_eq!(
        code(state.check_withdraws(id, player(1, false).id)),
        ErrorCode::ServerBusy
    );
    assert!(state.list(&cay, None, None, 10).0.is_empty());
    // It failed: as before.
    assert_eq!(state.settle(id, Settled::Failed), None);
    assert!(matches!(state.take(id, &cay), Ok(Take::Now(_))));
    let made = (cay.id, MatchId::from_random(7), Seat::Second);
    assert_eq!(
        state.settle(id, Settled::Made(Some(made))),
        Some(SeekEnd::Taken)
    );
    assert_eq!(code(state.take(id, &bo)), ErrorCode::NoSuchSeek);
    match state.take(id, &cay) {
        Ok(Take::Again(again)) => assert_eq!((again.made, again.seat), (made.1, made.2)),
        other => panic!("{other:?}"),
    }
    assert_eq!(state.len(), 0);
}

#[test]
fn takes_are_remembered_up_to_a_bound() {
    let mut state = State::<u64>::default();
    let taker = player(9_999, false);
    for number in 0..1_001 {
        open(&mut state, seek(number, "nim:3", None), number).expect("there is room");
        let id = SeekId::from_random(number);
        assert!(matches!(state.take(id, &taker), Ok(Take::Now(_))));
        let made = (taker.id, MatchId::from_random(number), Seat::First);
        state.settle(id, Settled::Made(Some(made)));
    }
    let mut again = |number| state.take(SeekId::from_random(number), &taker);
    assert_eq!(code(again(0)), ErrorCode::NoSuchSeek);
    assert!(matches!(again(1), Ok(Take::Again(_))));
    assert!(matches!(again(1_000), Ok(Take::Again(_))));
}

#[test]
fn a_connection_takes_its_seeks_with_it_also_one_whose_match_is_being_made() {
    let mut state = State::default();
    let at = |number, connection| {
        let mut info = seek(number, "nim:3,5", None);
        info.player = player(1, false);
        (info, connection)
    };
    for (info, connection) in [at(1, 10), at(2, 10), at(3, 11)] {
        open(&mut state, info, connection).expect("there is room");
    }
    let taken = SeekId::from_random(2);
    let bo = player(8, false);
    assert!(matches!(state.take(taken, &bo), Ok(Take::Now(_))));
    state.leave(player(1, false).id, &10);
    let (left, _) = state.list(&bo, None, None, 10);
    assert_eq!(
        left.iter().map(|info| info.seek).collect::<Vec<_>>(),
        [SeekId::from_random(3)]
    );
    assert_eq!(state.len(), 2, "one is being taken");
    // Its match is not made: it does not stand open again.
    assert_eq!(state.settle(taken, Settled::Failed), None);
    assert_eq!(state.len(), 1);
    assert_eq!(code(state.take(taken, &bo)), ErrorCode::NoSuchSeek);
}

#[test]
fn bounds_hold_and_what_ends_makes_room() {
    let mut state = State::default();
    let mut own = |number: u64, window| {
        let mut info = seek(number, "nim:3,5", window);
        info.player = player(1, false);
        open(&mut state, info, 1)
    };
    own(1, Some(Window::Near)).expect("the first");
    assert_eq!(code(own(2, Some(Window::Any))), ErrorCode::TooMany);
    for number in 3..=6 {
        own(number, None).expect("five in all");
    }
    let refused = own(7, None).expect_err("the sixth");
    assert_eq!(
        (refused.code, refused.limit.as_deref()),
        (ErrorCode::TooMany, Some("5"))
    );
    let me = player(1, false).id;
    let third = SeekId::from_random(3);
    state.check_withdraws(third, me).expect("open");
    state.drop_seek(third);
    let other = player(2, false).id;
    assert_eq!(
        code(state.check_withdraws(SeekId::from_random(4), other)),
        ErrorCode::NoSuchSeek
    );
    let mut info = seek(8, "nim:3,5", None);
    info.player = player(1, false);
    open(&mut state, info, 1).expect("there is room again");
    // The server's bound.
    let new = NewSeek {
        info: seek(9, "nim:3", None),
        games: vec!["nim"],
        connection: 9,
    };
    let full = Bounds {
        per_player: 5,
        in_all: 5,
    };
    assert_eq!(code(state.open(new, full)), ErrorCode::ServerBusy);
}

#[test]
fn lists_are_paged_filtered_and_leave_out_who_does_not_want_the_asker() {
    let mut seeks: Vec<_> = (1..=6).map(|number| seek(number, "nim:3", None)).collect();
    seeks[1].position = "kayles:5".to_owned();
    seeks[2].bots = BotFilter::No;
    seeks[3].bots = BotFilter::Only;
    let state = lobby(seeks);
    let ids = |page: &[SeekInfo]| -> Vec<String> {
        page.iter().map(|info| info.player.name.clone()).collect()
    };
    let (person, bot) = (player(90, false), player(91, true));
    let (all, more) = state.list(&person, None, None, 10);
    assert_eq!((ids(&all).len(), more), (5, false));
    assert!(!ids(&all).contains(&"p4".to_owned()));
    let (for_bots, _) = state.list(&bot, None, None, 10);
    assert!(!ids(&for_bots).contains(&"p3".to_owned()) && for_bots.len() == 5);
    let (own, _) = state.list(&player(4, false), None, None, 10);
    assert_eq!(own.len(), 6, "one's own is always shown");
    let (kayles, _) = state.list(&person, Some("kayles"), None, 10);
    assert_eq!(ids(&kayles), ["p2"]);
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let (page, more) = state.list(&person, None, after, 2);
        after = page.last().map(|info| info.seek);
        paged.extend(page);
        if !more {
            break;
        }
    }
    assert_eq!(paged, all);
}

#[test]
fn speeds_are_told_apart_by_the_time_of_a_game() {
    let text = |text: &str| text.parse::<TimeControl>().expect("a clock");
    for (clock, speed) in [
        ("none", Speed::Untimed),
        ("1m+0s", Speed::Fast),
        ("1m+6s", Speed::Medium),
        ("3m+2s", Speed::Medium),
        ("5m+d3s", Speed::Medium),
        ("15m", Speed::Slow),
        ("30s/move", Speed::Medium),
        ("5s/move", Speed::Fast),
        ("3d/move", Speed::Days),
        ("1h/move", Speed::Days),
        ("10m+3x30s", Speed::Slow),
        ("0+3x5", Speed::Fast),
    ] {
        assert_eq!(Speed::of(text(clock)), speed, "{clock}");
    }
}

#[test]
fn a_thousand_seekers_are_paired_in_bounded_work() {
    let any = |number, position: String| seek(number, &position, Some(Window::Any));
    let most = 3 * 1_000 * 50;
    for (what, seeks, at) in [
        (
            "equal",
            (0..1_000)
                .map(|n| any(n, "nim:3".into()))
                .collect::<Vec<_>>(),
            0,
        ),
        (
            "pairs",
            (0..1_000)
                .map(|n| any(n, format!("nim:{}", n / 2)))
                .collect(),
            0,
        ),
        (
            "near",
            (0..1_000).map(|n| any(n, format!("nim:{n}"))).collect(),
            NEAR,
        ),
        (
            "any",
            (0..1_000).map(|n| any(n, format!("nim:{n}"))).collect(),
            ANY,
        ),
    ] {
        let wave = lobby(seeks).wave(Millis(at));
        assert_eq!(wave.pairs.len(), 500, "{what}");
        assert!(wave.compared <= most, "{what}: {} > {most}", wave.compared);
    }
    // Nobody fits anybody: the most work.
    let lonely = (0..1_000).map(|n| {
        let mut info = any(n, format!("nim:{n}"));
        info.side = Side::First;
        info
    });
    let wave = lobby(lonely).wave(Millis(ANY));
    assert!(wave.pairs.is_empty());
    assert!(wave.compared <= most, "{} > {most}", wave.compared);
}

#[test]
fn after_a_few_waves_no_two_are_left_who_could_play() {
    let seeks: Vec<_> = (0..300)
        .map(|number| {
            let position = ["nim:3", "kayles:5", "kayles:5"][(number % 3) as usize];
            let mut info = seek(number, position, Some(Window::Any));
            info.side = [Side::First, Side::Second, Side::Random][(number % 7 % 3) as usize];
            info.bots = [BotFilter::Yes, BotFilter::No][(number % 2) as usize];
            info.player.bot = number % 5 == 0;
            info
        })
        .collect();
    let mut state = lobby(seeks.clone());
    let mut left: BTreeMap<SeekId, SeekInfo> =
        seeks.into_iter().map(|info| (info.seek, info)).collect();
    for _ in 0..3 {
        for (one, other) in state.wave(Millis(ANY)).pairs {
            left.remove(&one.info.seek);
            left.remove(&other.info.seek);
        }
    }
    assert!(left.len() < 300);
    for one in left.values() {
        for other in left.values().filter(|other| other.seek > one.seek) {
            let fit = (one.side == Side::Random || one.side != other.side)
                && one.bots.admits(other.player.bot)
                && other.bots.admits(one.player.bot);
            assert!(!fit, "{one:?} {other:?}");
        }
    }
}

#[test]
fn who_finds_nobody_in_one_group_is_tried_in_the_next() {
    let seeks = (0..100).map(|number| {
        let mut info = seek(number, "nim:3", Some(Window::Exact));
        info.side = [Side::First, Side::Second][usize::from(number >= 50)];
        info
    });
    assert_eq!(lobby(seeks).wave(Millis(0)).pairs.len(), 50);
}

#[test]
fn a_player_does_not_fit_itself() {
    let one = seek(1, "nim:3", Some(Window::Any));
    let wish = |number, player| Wish {
        seek: SeekId::from_random(number),
        number,
        player,
        position: "nim:3",
        family: "nim",
        clock: one.clock,
        games: 1,
        rated: false,
        side: Side::Random,
        bots: BotFilter::Yes,
        window: Some((Window::Any, Window::Any)),
    };
    let (us, other) = (&one.player, player(2, false));
    assert_eq!(pairing::cost(&wish(1, us), &wish(2, &other)), Some(0));
    assert_eq!(pairing::cost(&wish(1, us), &wish(2, us)), None);
}

#[test]
fn whoever_asks_for_a_rated_pair_meets_only_those_who_do() {
    let infos = [1, 2].map(|number| seek(number, "nim:3", Some(Window::Any)));
    let wish = |info, rated| Wish {
        seek: SeekId::from_random(1),
        number: 1,
        player: info,
        position: "nim:3",
        family: "nim",
        clock: TimeControl::Untimed {},
        games: 2,
        rated,
        side: Side::Random,
        bots: BotFilter::Yes,
        window: Some((Window::Any, Window::Any)),
    };
    let (us, other) = (&infos[0].player, &infos[1].player);
    let cost = |ours, theirs| pairing::cost(&wish(us, ours), &wish(other, theirs));
    assert_eq!(cost(true, true), Some(0));
    assert_eq!(cost(false, false), Some(0));
    assert_eq!((cost(true, false), cost(false, true)), (None, None));
}

#[test]
fn casual_seekers_between_two_rated_ones_do_not_keep_them_apart() {
    let infos: Vec<_> = (1..=122)
        .map(|number| seek(number, "nim:3", Some(Window::Any)))
        .collect();
    let wishes: Vec<Wish<'_>> = (1..)
        .zip(&infos)
        .map(|(number, info)| {
            let rated = number == 60 || number == 122;
            Wish {
                seek: SeekId::from_random(number),
                number,
                player: &info.player,
                position: "nim:3",
                family: "nim",
                clock: TimeControl::Untimed {},
                games: 2,
                rated,
                // The casual ones all want to move first, and find nobody.
                side: if rated { Side::Random } else { Side::First },
                bots: BotFilter::Yes,
                window: Some((Window::Any, Window::Any)),
            }
        })
        .collect();
    assert_eq!(pairing::pair(&wishes).pairs, [(59, 121)]);
}

/// The most pairs of equal terms that are possible among these sides, and the least cost: by trying all.
fn brute(wishes: &[Wish<'_>], used: usize) -> (usize, i64) {
    let Some(first) = (0..wishes.len()).find(|v| used & (1 << v) == 0) else {
        return (0, 0);
    };
    let mut best = brute(wishes, used | (1 << first));
    for second in first + 1..wishes.len() {
        if used & (1 << second) == 0
            && let Some(cost) = pairing::cost(&wishes[first], &wishes[second])
        {
            let (pairs, rest) = brute(wishes, used | (1 << first) | (1 << second));
            let found = (pairs + 1, rest + cost);
            if (found.0, -found.1) > (best.0, -best.1) {
                best = found;
            }
        }
    }
    best
}

fn any_side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::First), Just(Side::Second), Just(Side::Random)]
}

fn any_filter() -> impl Strategy<Value = BotFilter> {
    prop_oneof![
        Just(BotFilter::Yes),
        Just(BotFilter::No),
        Just(BotFilter::Only)
    ]
}

fn any_window() -> impl Strategy<Value = Option<Window>> {
    prop_oneof![
        Just(None),
        Just(Some(Window::Exact)),
        Just(Some(Window::Near)),
        Just(Some(Window::Any))
    ]
}

prop_compose! {
    fn any_seek()(
        by in 0u64..40,
        start in 0usize..4,
        clock in 0usize..3,
        side in any_side(),
        bots in any_filter(),
        window in any_window(),
        games in prop_oneof![9 => Just(1u32), 1 => Just(2u32)],
        since in 0u64..20_000,
    ) -> SeekInfo {
        let mut info = seek(0, ["nim:3", "nim:5", "kayles:5", "kayles:6"][start], window);
        info.player = player(by, by % 4 == 0);
        info.clock = [TimeControl::Untimed {}, blitz(1), blitz(2)][clock];
        (info.side, info.bots, info.games) = (side, bots, games);
        if let Some(automatic) = &mut info.automatic {
            automatic.near_at_ms = Millis(since + NEAR);
            automatic.any_at_ms = Millis(since + ANY);
            automatic.gives_up_at_ms = Millis(since + OVER);
        }
        info
    }
}

proptest! {
    /// However waves, takes, failures and disconnections follow each other: nobody is matched with himself or twice at once, only with
    /// whom both accept, and each seek ends once or is still there.
    #[test]
    fn nobody_is_matched_twice_and_nothing_is_lost(
        seeks in prop::collection::vec(any_seek(), 1..60),
        fates in prop::collection::vec(0u8..10, 200),
    ) {
        let mut state = State::default();
        let mut there: BTreeMap<SeekId, SeekInfo> = BTreeMap::new();
        for (number, mut info) in (0u64..).zip(seeks) {
            info.seek = SeekId::from_random(number);
            let connection = info.player.name.trim_start_matches('p').parse::<u64>().expect("a number");
            if open(&mut state, info.clone(), connection).is_ok() {
                there.insert(info.seek, info);
            }
        }
        let mut fates = fates.into_iter();
        for now in (0..60_000).step_by(2_000).map(Millis) {
            let wave = state.wave(now);
            let mut busy = BTreeSet::new();
            for (one, other) in &wave.pairs {
                prop_assert!(busy.insert(one.info.player.id));
                prop_assert!(busy.insert(other.info.player.id));
                prop_assert!(one.info.bots.admits(other.info.player.bot));
                prop_assert!(other.info.bots.admits(one.info.player.bot));
                prop_assert!(one.info.side == Side::Random || one.info.side != other.info.side);
                let widest = |claim: &Claim<u64>| claim.info.automatic.map(|automatic| automatic.widest);
                prop_assert!(widest(one).is_some() || widest(other).is_some());
                for widest in [widest(one), widest(other)].into_iter().flatten() {
                    let same_game = game(&one.info.position) == game(&other.info.position);
                    let same = one.info.position == other.info.position && one.info.clock == other.info.clock;
                    prop_assert!(widest == Window::Any || same_game);
                    prop_assert!(widest != Window::Exact || same);
                }
            }
            for claim in &wave.given_up {
                prop_assert!(claim.info.automatic.is_some_and(|automatic| automatic.gives_up_at_ms <= now));
                prop_assert_eq!(state.settle(claim.info.seek, Settled::GaveUp), Some(SeekEnd::GaveUp));
                prop_assert!(there.remove(&claim.info.seek).is_some(), "it ended before");
            }
            for (one, other) in wave.pairs {
                let fate = fates.next().unwrap_or(0);
                if fate == 9 {
                    state.leave(one.info.player.id, &one.connection);
                    there.retain(|id, info| info.player.id != one.info.player.id || *id == one.info.seek);
                }
                let settled = if fate < 5 { Settled::Made(None) } else { Settled::Failed };
                for claim in [&one, &other] {
                    let ended = state.settle(claim.info.seek, settled);
                    let gone = fate == 9 && claim.info.seek == one.info.seek;
                    if settled == Settled::Made(None) {
                        prop_assert_eq!(ended, (!gone).then_some(SeekEnd::Matched));
                    }
                    if gone || settled == Settled::Made(None) {
                        prop_assert!(there.remove(&claim.info.seek).is_some(), "it ended before");
                    }
                }
            }
            prop_assert_eq!(state.len(), there.len());
            prop_assert_eq!(state.needs_waves(), there.values().any(|info| info.automatic.is_some()));
        }
        // Those who asked the server have been answered; open seats wait on.
        prop_assert!(there.values().all(|info| info.automatic.is_none()));
    }

    /// Among few of equal terms, as many play as can.
    #[test]
    fn as_many_play_as_can(kinds in prop::collection::vec((any_side(), any_filter(), any::<bool>()), 2..9)) {
        let infos: Vec<_> = (0u64..).zip(kinds).map(|(number, (side, bots, bot))| {
            let mut info = seek(number, "nim:3", Some(Window::Exact));
            (info.side, info.bots, info.player.bot) = (side, bots, bot);
            info
        }).collect();
        let wishes: Vec<_> = (0u64..).zip(&infos).map(|(number, info)| Wish {
            seek: info.seek,
            number,
            player: &info.player,
            position: &info.position,
            family: "nim",
            clock: info.clock,
            games: 1,
            rated: info.rated,
            side: info.side,
            bots: info.bots,
            window: Some((Window::Exact, Window::Exact)),
        }).collect();
        let found = pairing::pair(&wishes);
        let cost: i64 = found.pairs.iter().map(|&(i, j)| pairing::cost(&wishes[i], &wishes[j]).expect("they fit")).sum();
        prop_assert_eq!((found.pairs.len(), cost), brute(&wishes, 0));
    }
}
