// @ts-check
// Whether the reader wants to be warned before a move that gives something away, from match to match.

const KEPT = 'grundy-coach';

/** @returns {boolean} whether the reader wanted to be warned the last time */
export function kept() {
  try {
    return localStorage.getItem(KEPT) === 'yes';
  } catch {
    return false;
  }
}

/** @param {boolean} wanted */
export function keep(wanted) {
  try {
    localStorage.setItem(KEPT, wanted ? 'yes' : 'no');
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}
