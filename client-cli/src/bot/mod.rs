//! Bots as programs: the line protocol of docs/BOTS.md over stdin and stdout, and the processes that speak it.

pub(crate) mod bridge;
pub(crate) mod check;
pub(crate) mod checked;
pub(crate) mod circuit;
mod conversation;
pub(crate) mod escape;
mod family;
pub(crate) mod groups;
pub(crate) mod legal;
pub(crate) mod limits;
pub(crate) mod line;
pub(crate) mod online_check;
pub(crate) mod process;
mod relay;
pub(crate) mod request;
pub(crate) mod stderr_log;
pub(crate) mod stdio;
pub(crate) mod template;
