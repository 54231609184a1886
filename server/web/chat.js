// @ts-check
// The chat of a match: the lines of the room that is open to this reader, and a form to say something. What others say is text, never markup.

import { LOST, found } from './connection.js';
import { wordOr } from './words.js';

/** @typedef {import('./connection.js').Body} Body */
/** @typedef {import('./connection.js').Refusal} Refusal */
/** @typedef {'players' | 'watchers'} Room */

/** Lines that are asked for at once. */
const PAGE = 100;

export class Chat {
  #connection;
  #match;
  #refused;
  /** @type {Room | undefined} */
  #room;
  /** The last line that is shown. */
  #seq = 0;
  #reading = false;
  /** A line has come while lines were read: the answer may be older. */
  #more = false;
  /** A line is on its way: a second press means the same. */
  #saying = false;
  #section = found('chat', HTMLElement);
  #scroll = found('room', HTMLDivElement);
  #lines = found('lines', HTMLOListElement);
  #input = found('say', HTMLInputElement);

  /**
   * @param {import('./connection.js').Connection} connection
   * @param {string} match
   * @param {(why: Refusal) => void} refused
   */
  constructor(connection, match, refused) {
    this.#connection = connection;
    this.#match = match;
    this.#refused = refused;
    found('talk', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.#input.value.trim();
      if (text) {
        this.#say({ text });
      }
    });
    for (const button of this.#section.querySelectorAll('button[data-preset]')) {
      button.addEventListener('click', () => this.#say({ preset: /** @type {HTMLButtonElement} */ (button).dataset.preset }));
    }
  }

  /**
   * Shows a room, with the lines that are missing; or none.
   * @param {Room | undefined} room
   */
  async enter(room) {
    if (room !== this.#room) {
      this.#room = room;
      this.#seq = 0;
      this.#lines.replaceChildren();
    }
    this.#section.hidden = room === undefined;
    await this.#read();
  }

  /** @param {{chat?: string, room?: string, seq?: number, body: Body}} frame */
  hear(frame) {
    const seq = frame.seq ?? 0;
    if (frame.chat !== this.#match || frame.room !== this.#room || seq <= this.#seq) {
      return;
    }
    if (seq === this.#seq + 1 && !this.#reading) {
      this.#show(seq, frame.body);
    } else {
      this.#more = true;
      this.#read();
    }
  }

  /** Reads on after the last line that is shown. */
  async #read() {
    if (this.#reading) {
      return;
    }
    this.#reading = true;
    try {
      let lines;
      do {
        this.#more = false;
        const room = this.#room;
        if (room === undefined) {
          break;
        }
        const ask = { type: 'chat', match: this.#match, room, after: this.#seq, limit: PAGE };
        ({ lines } = await this.#connection.request(ask));
        if (room !== this.#room) {
          this.#more = true;
          continue;
        }
        for (const { seq, body } of lines) {
          this.#show(seq, body);
        }
      } while (lines.length > 0 || this.#more);
    } catch (/** @type {any} */ why) {
      this.#refused(why);
    }
    this.#reading = false;
  }

  /**
   * @param {number} seq
   * @param {Body} said
   */
  #show(seq, said) {
    if (seq <= this.#seq) {
      return;
    }
    this.#seq = seq;
    const row = document.createElement('li');
    const name = document.createElement('bdi');
    name.className = 'name';
    name.textContent = said.player.name;
    const text = document.createElement('bdi');
    text.textContent = said.preset ? wordOr(`said-${said.preset}`, 'said-other') : said.text;
    row.append(name, ' ', text);
    this.#lines.append(row);
    this.#scroll.scrollTop = this.#scroll.scrollHeight;
  }

  /** @param {{text?: string, preset?: string}} line */
  async #say(line) {
    if (this.#saying) {
      return;
    }
    this.#saying = true;
    try {
      await this.#connection.request({ type: 'say', match: this.#match, room: this.#room, ...line });
      // Who types on meanwhile does not lose it.
      if (line.text && line.text === this.#input.value.trim()) {
        this.#input.value = '';
      }
    } catch (/** @type {any} */ why) {
      // After a lost connection the line is still in the field, and the room shows whether it was stored.
      if (why.code !== LOST) {
        this.#refused(why);
      }
    }
    this.#saying = false;
  }
}
