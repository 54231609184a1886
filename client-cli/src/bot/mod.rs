//! Bots as programs: the line protocol of docs/BOTS.md over stdin and stdout, and the processes that speak it.

pub(crate) mod check;
pub(crate) mod checked;
mod conversation;
pub(crate) mod escape;
pub(crate) mod family;
pub(crate) mod groups;
mod guard;
pub(crate) mod legal;
pub(crate) mod limits;
pub(crate) mod line;
pub(crate) mod online_check;
pub(crate) mod online_player;
pub(crate) mod options;
pub(crate) mod pool;
pub(crate) mod process;
mod relay;
pub(crate) mod request;
pub(crate) mod stderr_log;
pub(crate) mod stdio;
pub(crate) mod table;
pub(crate) mod template;
