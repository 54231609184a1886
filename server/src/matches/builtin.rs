//! Players built into the server: bots without a socket.

use grundy_shared::bot::Bot;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::PlayerId;
use sha2::{Digest, Sha256};

/// The player that this bot is. Its id follows from its name alone, so it is the same after a restart and on every server;
/// a guest's id is drawn at random and cannot meet it.
#[must_use]
pub fn player(bot: &Bot) -> PlayerInfo {
    let name = bot.to_string();
    PlayerInfo {
        id: id_of(&name),
        name,
        bot: true,
    }
}

/// The bot that this player is; `None` for a guest, whatever name it has taken.
#[must_use]
pub fn bot_of(player: &PlayerInfo) -> Option<Bot> {
    if !player.bot || player.id != id_of(&player.name) {
        return None;
    }
    player.name.parse().ok()
}

fn id_of(name: &str) -> PlayerId {
    let hash = Sha256::new()
        .chain_update("grundy built-in bot ")
        .chain_update(name)
        .finalize();
    let mut bits = [0; 16];
    bits.copy_from_slice(&hash[..16]);
    PlayerId::from_random(u128::from_be_bytes(bits))
}
