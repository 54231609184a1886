//! The pages and the schema that other programs are written from.

mod games_page;
mod protocol_doc;
mod protocol_schema;
mod raw_replies;
mod referee_record_doc;
