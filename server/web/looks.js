// @ts-check
// Looks at boards: one at a time, and no faster than the server answers one connection. Of what was wanted meanwhile, the last counts.

/** Between two looks, in milliseconds: a server that has its usual limits answers ten requests a second. */
const EVERY = 150;
/** After a refusal that asks for patience, at most. */
const LONGEST = 15_000;

/** @param {number} ms */
export function later(ms) {
  return new Promise((then) => {
    window.setTimeout(then, ms);
  });
}

export class Looks {
  /** @type {Map<string, () => Promise<void>>} */
  #wanted = new Map();
  #runs = false;

  /**
   * Looks soon. If it is refused for now, it is done again.
   * @param {string} name
   * @param {() => Promise<void>} look
   */
  want(name, look) {
    this.#wanted.set(name, look);
    if (!this.#runs) {
      this.#run();
    }
  }

  async #run() {
    this.#runs = true;
    let patience = EVERY;
    for (;;) {
      const [next] = this.#wanted;
      if (!next) {
        break;
      }
      const [name, look] = next;
      this.#wanted.delete(name);
      try {
        await look();
        patience = EVERY;
      } catch (/** @type {any} */ why) {
        if (why.retry_after_ms !== undefined) {
          patience = Math.min(2 * Math.max(patience, why.retry_after_ms), LONGEST);
          this.#wanted.set(name, this.#wanted.get(name) ?? look);
        }
      }
      await later(patience);
    }
    this.#runs = false;
  }
}
