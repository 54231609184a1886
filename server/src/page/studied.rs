//! The study of a position for a reader: one that is kept, or one that is made now.

use std::sync::Arc;

use grundy_shared::Position;
use grundy_shared::ids::{PlayerId, Seat};
use grundy_shared::solver::Budget;

use super::kept::POSITION_MAX;
use super::site::Site;
use super::study::{NoStudy, Study, work};
use super::viewer;
use crate::addresses::AddressKey;
use crate::admission::Work;
use crate::analysis::{Length, Owner};
use crate::costly;
use crate::help;

/// Who wants to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    /// Where the reader is.
    pub(super) address: AddressKey,
    /// The player of the reader's cookie, or nobody.
    pub(super) player: PlayerId,
}

/// Studies a position for a reader.
///
/// # Errors
/// [`NoStudy`].
pub(super) async fn of(
    site: &Site,
    reader: Reader,
    position: Position,
    to_move: Seat,
) -> Result<Arc<Study>, NoStudy> {
    let app = &site.app;
    help::check(&*app.store, reader.player).await?;
    let key = (position.to_string(), to_move);
    if let Some(study) = site.kept.studies.get(&key) {
        return Ok(study);
    }
    app.admission.admit(Work::Analysis)?;
    let player = Some(reader.player).filter(|player| *player != viewer::nobody());
    let digest = reader.address.digest(&app.address_secret).0;
    let study = move |budget: &Budget<'_>| Study::find(&position, to_move, budget);
    // Its moves are made whatever the budget.
    let length = match costly::is_small(&key.0) {
        true => Length::Short,
        false => Length::Long,
    };
    let owner = Owner::at(digest, player);
    let study = work(app, owner, "page", length, study).await?;
    let study = Arc::new(study);
    // What a busy server left open may be found another time.
    if key.0.len() <= POSITION_MAX && study.is_complete() {
        site.kept.studies.put(key, study.clone());
    }
    Ok(study)
}
