//! Matches: the referee, the records, the ratings and the review.

mod career;
mod contest;
mod notes;
mod plans;
mod practice;
mod puzzles;
mod ratings;
mod referee_log;
mod referee_model;
mod referee_record;
mod referee_scenes;
mod review_bounds;
mod review_example;
mod review_oracle;
mod review_reading;
mod review_share;
mod review_stored;
mod review_version;
mod review_words;
mod series;
mod solving;
