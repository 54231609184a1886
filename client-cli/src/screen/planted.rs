//! A panic that tests plant.

/// In development builds a line can be planted that makes the program panic, so that tests can see what becomes of the terminal.
#[cfg(debug_assertions)]
pub(super) fn plant_a_panic(line: &str) {
    assert!(
        std::env::var("GRUNDY_PLANTED_PANIC").map_or(true, |planted| planted != line),
        "planted: {line}"
    );
}

#[cfg(not(debug_assertions))]
pub(super) fn plant_a_panic(_: &str) {}
