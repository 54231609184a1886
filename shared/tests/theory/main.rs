//! Games, theorems and searches, each beside something that knows less and is slower.

#[path = "../matches/contest.rs"]
mod contest;

mod agreements;
mod arranged;
mod board_facts;
mod board_games;
mod cancellation;
mod certificates;
mod coin_rows;
mod component_facts;
mod compounds;
mod denials;
mod drawing;
mod examples;
mod explain;
mod game_facts;
mod geography;
mod graph;
mod graph_games;
mod heap_games;
mod hundred_thousand;
mod ladder;
mod laws;
mod loopy;
mod nimstring;
mod notation;
mod odds;
mod outsider;
mod painting;
mod partizan;
mod partizan_facts;
mod perft;
mod picture;
mod playthroughs;
mod posets;
mod published;
mod quotient_certificates;
mod reasons;
mod rows_and_graphs;
mod symmetry_certificates;
mod together;
mod truth;
mod until_zero;
mod values;
mod whole_certificates;
