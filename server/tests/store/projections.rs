//! The laws of what follows from events: codes, names, tokens, rows and lists.

use grundy_server::store::{
    Commit, CommitError, Cursor, Ending, LIST_PAGE, LIST_SCAN, LIVE_PAGE, ListFilter, Listing,
    MatchRow, MatchStatus, Mistakes, MistakesBy, MistakesWanted, NodeId, Order, Page, Projection,
    SecretHash, StoreError, StreamId, Traits, Unique, last_heartbeat,
};
use grundy_shared::event::{Outcome, Series};
use grundy_shared::ids::{ClientCreateId, JoinCode, MatchId, Millis, Ply, Seq, ServerId};

use crate::desk::{
    Desk, account, bodies, code, conflict, create_id, id, kinds, new_match, new_player,
    on_every_backend, over, player, rename, row, token, with_row,
};

#[test]
fn law_7_codes_names_and_tokens_belong_to_one() {
    on_every_backend(|desk| async move {
        let with_code = |bits, at, expires| new_match(bits).with(code(1, bits, at, expires));
        let find = async || {
            desk.store
                .find_code(JoinCode::from_random(1))
                .await
                .unwrap()
        };
        desk.commit(with_code(1, 1_000, 5_000)).await.unwrap();
        let same_code = desk.commit(with_code(2, 4_999, 9_000)).await;
        assert_eq!(same_code, Err(CommitError::Taken(Unique::JoinCode)));
        assert_eq!(desk.store.row(id(2)).await.unwrap(), None);
        assert_eq!(desk.length(id(2)).await, 0);
        assert_eq!(find().await, Some((id(1), Millis(5_000))));
        let refused = desk.commit(with_code(1, 6_000, 9_000)).await;
        assert_eq!(refused, Err(conflict(id(1), 1)));
        desk.commit(new_match(4)).await.unwrap();
        assert_eq!(
            find().await,
            Some((id(1), Millis(5_000))),
            "only a new code makes forget those that expired"
        );
        desk.commit(with_code(3, 5_000, 9_000)).await.unwrap();
        assert_eq!(find().await, Some((id(3), Millis(9_000))));

        for (who, name, of, taken) in [
            (1, "a", 1, false),
            (1, "a", 3, true),
            (1, "b", 3, false),
            (2, "a", 4, false),
        ] {
            let named = Commit::default().with(create_id(who, name, of));
            let expected = match taken {
                true => Err(CommitError::Taken(Unique::CreateId)),
                false => Ok(()),
            };
            assert_eq!(desk.commit(named).await, expected, "{who} {name}");
        }
        let name: ClientCreateId = "a".parse().unwrap();
        let found = desk.store.find_create_id(player(1).id, &name).await;
        assert_eq!(found.unwrap(), Some(id(1)));

        desk.commit(new_player(1, 1)).await.unwrap();
        assert_eq!(
            desk.commit(new_player(1, 2)).await,
            Err(CommitError::Taken(Unique::PlayerId))
        );
        assert_eq!(
            desk.commit(new_player(2, 1)).await,
            Err(CommitError::Taken(Unique::Token))
        );
        desk.commit(new_player(2, 2)).await.unwrap();
        for bits in [1, 2] {
            let (store, info) = (&desk.store, Some(player(bits)));
            assert_eq!(store.player(player(bits).id).await.unwrap(), info);
            let bearer = store.bearer([bits as u8; 32].into()).await.unwrap();
            assert_eq!(bearer.map(|bearer| bearer.player), info);
        }
        // Of several tokens at once, one of which is nobody's.
        let hashes: Vec<SecretHash> = [2, 9, 1, 2].map(|bits| [bits; 32].into()).to_vec();
        let bearers = desk.store.bearers(hashes).await.unwrap();
        let bearers = bearers.into_iter().map(|bearer| Some(bearer?.player));
        let known = |bits| Some(player(bits));
        assert_eq!(
            bearers.collect::<Vec<_>>(),
            [known(2), None, known(1), known(2)]
        );
        let renamed = |who, name| Commit::default().with(rename(who, name));
        let taken = Err(CommitError::Taken(Unique::Name));
        assert_eq!(desk.commit(renamed(1, "player 2")).await, taken);
        assert_eq!(desk.commit(renamed(1, "player 1")).await, Ok(()));
        assert_eq!(desk.commit(renamed(1, "Ann")).await, Ok(()));
        // The old name is free.
        assert_eq!(desk.commit(renamed(2, "player 1")).await, Ok(()));
        let nobody = desk.commit(renamed(9, "Bo")).await;
        assert_eq!(nobody, Err(conflict(StreamId::Account(player(9).id), 0)));
        let both = renamed(1, "Cay").with(rename(2, "Cay"));
        assert_eq!(desk.commit(both).await, taken);
        for (name, who) in [("Ann", Some(1)), ("player 1", Some(2)), ("player 2", None)] {
            let found = desk.store.player_by_name(name).await.unwrap();
            let wanted = who.map(|who| player(who).id);
            assert_eq!(found.map(|found| found.id), wanted, "{name}");
        }
        let mut namesake = new_player(3, 3);
        if let Some(Projection::Player(new)) = namesake.projections.first_mut() {
            new.name_key = "Ann".to_owned();
        }
        assert_eq!(desk.commit(namesake).await, taken);
        // Twice in one commit is once too often.
        let mut twice = new_player(8, 8);
        twice.projections.extend(new_player(9, 8).projections);
        assert_eq!(
            desk.commit(twice).await,
            Err(CommitError::Taken(Unique::Token))
        );
        assert_eq!(desk.store.player(player(8).id).await.unwrap(), None);

        let server = |bits| Projection::Server(ServerId::from_random(bits));
        let twice = Commit::default().with(server(1)).with(server(1));
        let taken = Err(CommitError::Taken(Unique::ServerId));
        assert_eq!(desk.commit(twice).await, taken);
        assert_eq!(desk.store.server_id().await.unwrap(), None);
        let first = Commit::default().with(server(2));
        assert_eq!(desk.commit(first).await, Ok(()));
        let second = Commit::default().with(server(3));
        assert_eq!(desk.commit(second).await, taken);
        let kept = desk.store.server_id().await.unwrap();
        assert_eq!(kept, Some(ServerId::from_random(2)));

        let secret = |byte| Projection::AddressSecret([byte; 32].into());
        let taken = Err(CommitError::Taken(Unique::AddressSecret));
        let twice = Commit::default().with(secret(1)).with(secret(1));
        assert_eq!(desk.commit(twice).await, taken);
        assert_eq!(desk.store.address_secret().await, Ok(None));
        let first = Commit::default().with(secret(2));
        assert_eq!(desk.commit(first).await, Ok(()));
        let second = Commit::default().with(secret(3));
        assert_eq!(desk.commit(second).await, taken);
        let kept = desk.store.address_secret().await;
        assert_eq!(kept, Ok(Some([2; 32].into())));
    });
}

#[test]
fn law_15_an_account_is_replaced_by_one_who_knows_its_version() {
    on_every_backend(|desk| async move {
        let replace = |bits, version, tokens: &[u8]| {
            desk.commit(Commit::default().with(account(bits, version, tokens)))
        };
        let of = |actual| Err(conflict(StreamId::Account(player(1).id), actual));
        assert_eq!(replace(1, 0, &[]).await, of(0), "there is no such player");
        desk.commit(new_player(1, 1)).await.unwrap();
        desk.commit(new_player(2, 2)).await.unwrap();
        let taken = Err(CommitError::Taken(Unique::Token));
        assert_eq!(replace(1, 0, &[1, 2]).await, taken, "of another player");
        assert_eq!(replace(1, 0, &[3, 3]).await, taken, "twice");
        assert_eq!(replace(1, 1, &[3]).await, of(0));
        replace(1, 0, &[4, 3]).await.unwrap();
        assert_eq!(replace(1, 0, &[5]).await, of(1), "somebody was quicker");
        replace(1, 1, &[3]).await.unwrap();
        let kept = desk.store.account(player(1).id).await.unwrap().unwrap();
        assert_eq!((kept.version, &*kept.tokens), (2, &[token(3)][..]));
        assert_eq!(
            (kept.password.is_some(), kept.codes),
            (true, vec![[7; 32].into()])
        );
        let bearer = desk.store.bearer([3; 32].into()).await.unwrap().unwrap();
        assert_eq!((bearer.player, bearer.token), (player(1), token(3)));
        assert!(bearer.claimed);
        for gone in [1, 4, 5] {
            assert_eq!(
                desk.store.bearer([gone; 32].into()).await,
                Ok(None),
                "{gone}"
            );
        }
        // What is gone is free, and every token of a player may go.
        replace(2, 0, &[1, 4]).await.unwrap();
        replace(2, 1, &[]).await.unwrap();
        assert_eq!(desk.store.bearer([4; 32].into()).await, Ok(None));
        let kept = desk.store.account(player(2).id).await.unwrap().unwrap();
        assert_eq!((kept.version, kept.tokens), (2, Vec::new()));
        assert_eq!(desk.store.account(player(3).id).await, Ok(None));
    });
}

#[test]
fn law_8_absent_is_none() {
    on_every_backend(|desk| async move {
        let store = &desk.store;
        for stream in kinds() {
            assert_eq!(store.load(stream, Seq(0), 10).await.unwrap(), None);
        }
        assert_eq!(store.row(id(1)).await.unwrap(), None);
        let code = store.find_code(JoinCode::from_random(1)).await;
        assert_eq!(code.unwrap(), None);
        let name: ClientCreateId = "a".parse().unwrap();
        let named = store.find_create_id(player(1).id, &name).await;
        assert_eq!(named.unwrap(), None);
        assert_eq!(store.player(player(1).id).await.unwrap(), None);
        assert_eq!(store.bearer([0; 32].into()).await.unwrap(), None);
        assert_eq!(store.server_id().await.unwrap(), None);
        assert_eq!(store.address_secret().await, Ok(None));
        assert_eq!(last_heartbeat(&**store, NodeId::ONLY).await.unwrap(), None);
        assert_eq!(last_heartbeat(&**store, NodeId(7)).await.unwrap(), None);
        assert_eq!(store.live(NodeId::ONLY, None).await.unwrap(), Vec::new());
        assert_eq!(store.open_matches(player(1).id, 9).await.unwrap(), []);
        assert_eq!(store.open_count(None).await.unwrap(), 0);
        assert_eq!(store.open_count(Some(player(1).id)).await.unwrap(), 0);
        let page = Page {
            order: Order::Newest,
            from: None,
            limit: 10,
        };
        let listed = store.list(ListFilter::default(), page).await;
        assert_eq!(listed.unwrap(), Listing::default());
        for order in [Order::Newest, Order::Ended] {
            let page = Page {
                order,
                from: None,
                limit: 10,
            };
            assert_eq!(store.uncounted(page).await, Ok(Vec::new()));
        }
        let counted = Commit::default().with(mistakes(1, Mistakes::Known([0, 0])));
        assert_eq!(desk.commit(counted).await, Err(conflict(id(1), 0)));
    });
}

/// The mistakes of a match.
fn mistakes(of: u64, mistakes: Mistakes) -> Projection {
    Projection::Mistakes {
        match_id: id(of),
        mistakes,
    }
}

#[test]
fn mistakes_are_kept_of_matches_that_are_over_and_can_be_searched_for() {
    on_every_backend(|desk| async move {
        let uncounted = async |order, from| {
            let page = Page {
                order,
                from,
                limit: 2,
            };
            desk.store.uncounted(page).await.unwrap()
        };
        let counted = async |of| {
            let page = Page {
                order: Order::Newest,
                from: None,
                limit: 10,
            };
            let listed = desk.store.list(ListFilter::default(), page).await.unwrap();
            let mut found = listed.found.into_iter();
            found.find(|listed| listed.id == id(of)).unwrap().mistakes
        };
        for bits in 1..=5 {
            desk.commit(new_match(bits)).await.unwrap();
        }
        // Nothing is stored while the match is live.
        let known = |counts| Mistakes::Known(counts);
        let early = Commit::default().with(mistakes(3, known([9, 9])));
        desk.commit(early).await.unwrap();
        for bits in [3, 1, 2, 4] {
            let end = Commit::append(id(bits), Seq(1), bodies([2])).with_row(id(bits), over(1, 2));
            desk.commit(end).await.unwrap();
        }
        assert_eq!(counted(3).await, None);
        let first = uncounted(Order::Ended, None).await;
        let ids = |page: &[grundy_server::store::Uncounted]| {
            page.iter().map(|one| one.id).collect::<Vec<_>>()
        };
        assert_eq!(ids(&first), [id(3), id(1)]);
        let rest = uncounted(Order::Ended, Some(first[1].cursor.clone())).await;
        assert_eq!(ids(&rest), [id(2), id(4)]);
        let newest = uncounted(Order::Newest, None).await;
        assert_eq!(ids(&newest), [id(4), id(2)]);
        let older = uncounted(Order::Newest, Some(newest[1].cursor.clone())).await;
        assert_eq!(ids(&older), [id(1), id(3)]);

        for (bits, counts) in [
            (3, known([2, 0])),
            (1, Mistakes::Unknown),
            (2, known([0, u32::MAX])),
        ] {
            desk.commit(Commit::default().with(mistakes(bits, counts)))
                .await
                .unwrap();
            assert_eq!(counted(bits).await, Some(counts));
        }
        assert_eq!(ids(&uncounted(Order::Ended, None).await), [id(4)]);
        // Events after the end change nothing of it.
        let late = Commit::append(id(3), Seq(2), bodies([3])).with_row(id(3), over(1, 2));
        desk.commit(late).await.unwrap();
        assert_eq!(counted(3).await, Some(known([2, 0])));

        // Invitations that ended before anybody joined: they are neither found nor counted as left out.
        for bits in [5, 6] {
            let nobody = MatchRow {
                second: None,
                ..over(1, 2)
            };
            if bits == 6 {
                desk.commit(new_match(bits)).await.unwrap();
            }
            let end = Commit::append(id(bits), Seq(1), bodies([2])).with_row(id(bits), nobody);
            desk.commit(end).await.unwrap();
        }
        let of_invitation = Commit::default().with(mistakes(6, known([0, 0])));
        desk.commit(of_invitation).await.unwrap();
        // Of a match that nobody has made, nothing is stored, nor of one that is made after it in the same commit.
        let of_none = Commit::default().with(mistakes(99, known([1, 1])));
        assert!(desk.commit(of_none).await.is_err());
        let mut too_early = new_match(98);
        too_early.projections.insert(0, mistakes(98, known([1, 1])));
        desk.commit(too_early).await.unwrap();
        assert_eq!(counted(98).await, None);

        let (ann, bo) = (player(1).id, player(2).id);
        for (by, least, most, expected) in [
            (MistakesBy::Either, 0, u32::MAX, vec![3, 2]),
            (MistakesBy::Either, 1, 5, vec![3]),
            (MistakesBy::Player(ann), 1, u32::MAX, vec![3]),
            (MistakesBy::Player(ann), 0, 0, vec![2]),
            (MistakesBy::OpponentOf(bo), 2, 2, vec![3]),
            (MistakesBy::OpponentOf(ann), 1, u32::MAX, vec![2]),
            (MistakesBy::Player(player(7).id), 0, u32::MAX, vec![]),
        ] {
            let filter = ListFilter {
                traits: Traits {
                    mistakes: Some(MistakesWanted { by, least, most }),
                    ..Traits::default()
                },
                ..ListFilter::default()
            };
            let page = Page {
                order: Order::Ended,
                from: None,
                limit: 10,
            };
            let listing = desk.store.list(filter, page).await.unwrap();
            let found: Vec<_> = listing.found.iter().map(|listed| listed.id).collect();
            let expected: Vec<_> = expected.into_iter().map(id).collect();
            assert_eq!(found, expected, "{by:?} {least} {most}");
            // Matches without a known count are always reported.
            let left_out = listing.left_out;
            assert_eq!((left_out.uncounted, left_out.unknown), (1, 1));
        }
    });
}

#[test]
fn law_16_whoever_reads_on_in_the_order_of_ends_sees_each_end_once() {
    on_every_backend(|desk| async move {
        // The odd ones are player 1's, in both seats.
        let row = |bits: u64, status| MatchRow {
            status,
            ..match bits % 4 {
                1 => over(1, 2),
                3 => over(2, 1),
                _ => over(2, 4),
            }
        };
        for bits in 1..=12 {
            desk.commit(with_row(bits, row(bits, MatchStatus::Live)))
                .await
                .unwrap();
        }
        let (all, ann) = (ListFilter::default(), player(1).id);
        let of_ann = ListFilter {
            player: Some(ann),
            ..ListFilter::default()
        };
        let against = ListFilter {
            opponent: Some(player(2).id),
            ..of_ann.clone()
        };
        let mut readers = [all, of_ann, against].map(|filter| (filter, None, Vec::new()));
        let ends = [7, 2, 12, 1, 3, 11, 4, 9, 10, 5];
        for (limit, bits) in (1..).zip(ends) {
            let end = Commit::append(id(bits), Seq(1), bodies([2]))
                .with_row(id(bits), row(bits, MatchStatus::Over));
            desk.commit(end).await.unwrap();
            // Some readers read at each end, some seldom. Each continues after the last match that it has seen.
            for (every, (filter, place, seen)) in (1..).zip(&mut readers) {
                if limit % every != 0 {
                    continue;
                }
                loop {
                    let page = Page {
                        order: Order::Ended,
                        from: place.clone(),
                        limit: 1 + limit % 2,
                    };
                    let listing = desk.store.list(filter.clone(), page).await.unwrap();
                    let Some(last) = listing.found.last() else {
                        break;
                    };
                    // Like a client, which has the cursor as text.
                    *place = Some(last.cursor.to_string().parse::<Cursor>().unwrap());
                    seen.extend(listing.found.into_iter().map(|listed| listed.id));
                }
            }
            // The log of an ended match can grow, for example by a rematch. Its place stays the same.
            let late = Commit::append(id(bits), Seq(2), bodies([3]))
                .with_row(id(bits), row(bits, MatchStatus::Over));
            desk.commit(late).await.unwrap();
        }
        let ids = |wanted: &[u64]| wanted.iter().copied().map(id).collect::<Vec<_>>();
        let [(_, _, all), (_, _, of_ann), (_, _, against)] = readers;
        assert_eq!(all, ids(&ends));
        assert_eq!(of_ann, ids(&[7, 1, 3, 11, 9, 5]));
        assert_eq!(against, ids(&[7, 1, 3, 11, 9]));
        // A place of one order is not valid in another.
        for (order, place) in [
            (Order::Ended, "3"),
            (Order::Newest, "e3"),
            (Order::Oldest, "e3"),
        ] {
            let page = Page {
                order,
                from: Some(place.parse().unwrap()),
                limit: 1,
            };
            let refused = desk.store.list(ListFilter::default(), page).await;
            assert_eq!(refused, Err(StoreError::BadCursor));
        }
    });
}

#[test]
fn law_9_pages_are_bounded_and_meet() {
    on_every_backend(|desk| async move {
        let count = LIVE_PAGE as u64 + 20;
        let all = (1..=count).map(|bits| match bits.is_multiple_of(3) {
            true => with_row(bits, over(1, 2)),
            false => new_match(bits),
        });
        let made = desk.store.commit(desk.lease, all.collect()).await;
        assert!(made.iter().all(Result::is_ok));
        let mut listed = Vec::new();
        let mut before = None;
        let mut late = count;
        loop {
            let page = Page {
                order: Order::Newest,
                from: before.clone(),
                limit: usize::MAX,
            };
            let part = desk.store.list(ListFilter::default(), page).await.unwrap();
            assert!(part.found.len() <= LIST_PAGE);
            listed.extend(part.found.into_iter().map(|listed| listed.id));
            let Some(next) = part.next else { break };
            // Like a client, which has the cursor as text.
            before = Some(next.to_string().parse::<Cursor>().unwrap());
            // What is made meanwhile changes nothing of what could be seen before.
            late += 1;
            desk.commit(with_row(late, over(1, 2))).await.unwrap();
        }
        let newest_first: Vec<_> = (1..=count).rev().map(id).collect();
        assert_eq!(listed, newest_first);
        for bad in ["x", "-", "9999999999999999999"] {
            let page = Page {
                order: Order::Newest,
                from: Some(bad.parse().unwrap()),
                limit: 1,
            };
            let refused = desk.store.list(ListFilter::default(), page).await;
            assert_eq!(refused, Err(StoreError::BadCursor));
        }

        let mut live = Vec::new();
        let mut after = None;
        loop {
            let part = desk.store.live(NodeId::ONLY, after).await.unwrap();
            assert!(part.len() <= LIVE_PAGE);
            let Some(last) = part.last() else { break };
            after = Some(last.cursor.clone());
            let lengths = part
                .into_iter()
                .map(|live| (live.id, live.log.map(|log| log.len())));
            live.extend(lengths);
        }
        let unfinished: Vec<_> = (1..=count)
            .filter(|bits| !bits.is_multiple_of(3))
            .map(|bits| (id(bits), Ok(1)))
            .collect();
        assert_eq!(live, unfinished);
    });
}

#[test]
fn lists_can_be_filtered() {
    on_every_backend(|desk| async move {
        let rows = [
            row(1),
            row(2),
            MatchRow {
                status: MatchStatus::Live,
                second: Some(player(1)),
                ..row(2)
            },
            over(1, 2),
            // One person on both seats is listed once.
            over(1, 1),
        ];
        for (bits, row) in (1..).zip(rows) {
            desk.commit(with_row(bits, row)).await.unwrap();
        }
        let wanted = [
            (None, None, vec![5, 4, 3, 2, 1]),
            (Some(1), None, vec![5, 4, 3, 1]),
            (Some(2), None, vec![4, 3, 2]),
            (Some(3), None, vec![]),
            (None, Some(MatchStatus::Waiting), vec![2, 1]),
            (None, Some(MatchStatus::Live), vec![3]),
            (None, Some(MatchStatus::Over), vec![5, 4]),
            (Some(2), Some(MatchStatus::Over), vec![4]),
            (Some(1), Some(MatchStatus::Live), vec![3]),
        ];
        for (who, status, expected) in wanted {
            let filter = ListFilter {
                player: who.map(|bits| player(bits).id),
                status,
                ..ListFilter::default()
            };
            let found = every(&desk, &filter, Order::Newest, 10).await;
            let expected: Vec<_> = expected.into_iter().map(id).collect();
            assert_eq!(found, expected, "{filter:?}");
        }
    });
}

/// Every match that passes the filter, by pages of this length.
async fn every(desk: &Desk, filter: &ListFilter, order: Order, limit: usize) -> Vec<MatchId> {
    let mut found = Vec::new();
    let mut from = None;
    loop {
        let page = Page { order, from, limit };
        let listing = desk.store.list(filter.clone(), page).await.unwrap();
        assert!(listing.found.len() <= limit);
        found.extend(listing.found.into_iter().map(|listed| listed.id));
        match listing.next {
            Some(next) => from = Some(next),
            None => return found,
        }
    }
}

#[test]
fn lists_can_be_filtered_by_what_was_played_and_how_it_ended() {
    on_every_backend(|desk| async move {
        let series = |rated| Series {
            id: id(1),
            game: 1,
            games: 2,
            first_wins: 0,
            second_wins: 0,
            draws: 0,
            rated,
        };
        let of = |start: &str, outcome, plies, created_at| MatchRow {
            start: start.to_owned(),
            outcome: Some(outcome),
            plies: Ply(plies),
            created_at: Millis(created_at),
            ..over(1, 2)
        };
        let rows = [
            of("nim:3,5,7", Outcome::First, 9, 10),
            of("nim:3,5,7@misere", Outcome::Second, 4, 20),
            of("kayles:5", Outcome::Void, 0, 30),
            MatchRow {
                series: Some(series(true)),
                first: Some(player(2)),
                second: Some(player(1)),
                ..of("kayles:5+nim:2", Outcome::First, 6, 40)
            },
            MatchRow {
                series: Some(series(false)),
                status: MatchStatus::Live,
                outcome: None,
                ..of("nim:3,5,7", Outcome::First, 5, 50)
            },
            of("loopy:a-b-a,b@a", Outcome::Draw, 6, 60),
        ];
        for (bits, row) in (1..).zip(rows.clone()) {
            desk.commit(with_row(bits, row)).await.unwrap();
        }
        let family = |name: &str| Traits {
            family: Some(name.parse().unwrap()),
            ..Traits::default()
        };
        let ending = |ending| Traits {
            ending: Some(ending),
            ..Traits::default()
        };
        let (ann, bo) = (player(1).id, player(2).id);
        let some = Traits::default;
        let wanted: Vec<(Traits, Vec<u64>)> = vec![
            (family("nim"), vec![1, 2, 5]),
            (family("kayles"), vec![3]),
            (family("sum"), vec![4]),
            (family("cram"), vec![]),
            (
                Traits {
                    start: Some("nim:3,5,7".to_owned()),
                    ..some()
                },
                vec![1, 5],
            ),
            (ending(Ending::Outcome(Outcome::First)), vec![1, 4]),
            (ending(Ending::Outcome(Outcome::Draw)), vec![6]),
            (ending(Ending::WonBy(ann)), vec![1]),
            (ending(Ending::WonBy(bo)), vec![2, 4]),
            (ending(Ending::LostBy(ann)), vec![2, 4]),
            (
                Traits {
                    rated: Some(true),
                    ..some()
                },
                vec![4],
            ),
            (
                Traits {
                    rated: Some(false),
                    ..some()
                },
                vec![1, 2, 3, 5, 6],
            ),
            (
                Traits {
                    since: Some(Millis(20)),
                    until: Some(Millis(50)),
                    ..some()
                },
                vec![2, 3, 4],
            ),
            (
                Traits {
                    min_plies: Some(4),
                    max_plies: Some(6),
                    ..some()
                },
                vec![2, 4, 6],
            ),
            (
                Traits {
                    min_plies: Some(5),
                    ..family("nim")
                },
                vec![1],
            ),
        ];
        for (traits, expected) in wanted {
            let expected: Vec<_> = expected.into_iter().map(id).collect();
            for limit in [1, 2, 10] {
                for player in [None, Some(ann)] {
                    let traits = traits.clone();
                    let filter = ListFilter {
                        player,
                        traits,
                        ..ListFilter::default()
                    };
                    let oldest = every(&desk, &filter, Order::Oldest, limit).await;
                    assert_eq!(oldest, expected, "{filter:?} by {limit}");
                    let mut newest = every(&desk, &filter, Order::Newest, limit).await;
                    newest.reverse();
                    assert_eq!(newest, expected, "{filter:?} by {limit}");
                }
            }
        }
    });
}

#[test]
fn a_search_looks_at_a_bounded_number_of_matches_and_goes_on_behind_them() {
    on_every_backend(|desk| async move {
        let count = 2 * LIST_SCAN as u64 + 1;
        let all = (1..=count).map(|bits| {
            let start = match bits {
                1 => "kayles:5",
                _ => "nim:1",
            };
            with_row(
                bits,
                MatchRow {
                    start: start.to_owned(),
                    ..over(1, 2)
                },
            )
        });
        let made = desk.store.commit(desk.lease, all.collect()).await;
        assert!(made.iter().all(Result::is_ok));
        let filter = ListFilter {
            traits: Traits {
                family: Some("kayles".parse().unwrap()),
                ..Traits::default()
            },
            ..ListFilter::default()
        };
        let mut from = None;
        for _ in 0..2 {
            let page = Page {
                order: Order::Newest,
                from,
                limit: 5,
            };
            let listing = desk.store.list(filter.clone(), page).await.unwrap();
            assert_eq!(listing.found, Vec::new());
            from = listing.next;
            assert!(from.is_some());
        }
        let page = Page {
            order: Order::Newest,
            from,
            limit: 5,
        };
        let listing = desk.store.list(filter, page).await.unwrap();
        assert_eq!((listing.found.len(), listing.next), (1, None));
        assert_eq!(listing.found[0].id, id(1));
    });
}

#[test]
fn open_matches_are_counted_and_found() {
    on_every_backend(|desk| async move {
        let live = |second| MatchRow {
            status: MatchStatus::Live,
            second: Some(player(second)),
            ..row(1)
        };
        let invitation = with_row(1, row(1)).with(code(5, 1, 0, 100));
        for commit in [
            invitation,
            with_row(2, live(2)),
            with_row(3, live(1)),
            with_row(4, over(1, 2)),
        ] {
            desk.commit(commit).await.unwrap();
        }
        let open = async |who, limit| {
            let open = desk.store.open_matches(player(who).id, limit).await;
            let open = open.unwrap().into_iter();
            open.map(|open| (open.id, open.row.status, open.code))
                .collect::<Vec<_>>()
        };
        let (waiting, playing) = (MatchStatus::Waiting, MatchStatus::Live);
        let invited = Some((JoinCode::from_random(5), Millis(100)));
        assert_eq!(
            open(1, 9).await,
            [
                (id(3), playing, None),
                (id(2), playing, None),
                (id(1), waiting, invited)
            ]
        );
        assert_eq!(open(1, 1).await, [(id(3), playing, None)]);
        assert_eq!(open(2, 9).await, [(id(2), playing, None)]);
        let count = async |who: Option<u128>| {
            let count = desk.store.open_count(who.map(|who| player(who).id)).await;
            count.unwrap()
        };
        assert_eq!(count(None).await, 3);
        assert_eq!(count(Some(1)).await, 3);
        assert_eq!(count(Some(2)).await, 1);
        let ends = Commit::append(id(2), Seq(1), bodies([2])).with_row(id(2), over(1, 2));
        desk.commit(ends).await.unwrap();
        assert_eq!(
            (
                count(None).await,
                count(Some(1)).await,
                count(Some(2)).await
            ),
            (2, 2, 0)
        );
    });
}
