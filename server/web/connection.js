// @ts-check
// The connection to the server: the protocol that every client speaks. It comes back by itself.

import { refusal, word } from './words.js';

/** @typedef {{type: string, [field: string]: any}} Body */
/** @typedef {{code: string, message: string, [field: string]: any}} Refusal */
/** @typedef {{id: string, name: string, bot: boolean}} Player */

/** Between two attempts to come back, at first and at most, in milliseconds. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
/** A server that is not heard for so long while it owes an answer is gone. One that is heard may only be slow with this answer. */
const PATIENCE = 20_000;
/** A server that was not heard for so long is asked whether it is there, and has so long to answer. A lost network says nothing by itself. */
const SILENCE = 15_000;
const ANSWER = 10_000;
/** One that has not answered after so long may be gone: what it has said is not confirmed any more. */
const QUIET = 2_000;

/** A server that is busy is asked again after so long at first and at most, and for so long in all, in milliseconds. */
const FIRST_RETRY = 500;
const LONGEST_RETRY = 8_000;
const RETRIES = 60_000;
/** A busy server lets these wait for their turn. The page says so if one is not answered after so long, in milliseconds. */
const QUEUEING = new Set(['hello', 'create', 'join', 'rematch', 'challenge', 'accept', 'seek', 'take', 'create_tournament', 'join_tournament']);
const QUEUED = 1_500;

/** Attempts to connect for the first time after which the reason is looked for. */
const FAILURES = 3;

/** What a request is refused with when the connection is lost before its answer. */
export const LOST = 'lost';
/** What it is refused with while the server has too much to do. */
const BUSY = 'server_busy';

export class Connection {
  /** @type {WebSocket | undefined} */
  #socket;
  #next = 1;
  /** @type {Map<number, {resolve: (body: Body) => void, reject: (why: Refusal) => void, timer: number}>} */
  #waiting = new Map();
  #pause = FIRST_PAUSE;
  #ended = false;
  #greeted = false;
  #returned = false;
  #listens = false;
  #hooks;
  /** @type {string | undefined} */
  #name;
  /** Who we are, while no cookie says so. @type {string | undefined} */
  #token;
  /** When the server was heard last. */
  #heard = 0;
  /** Connections that came about, and attempts to make one that failed before the first. */
  #opened = 0;
  #failed = 0;
  /** Something in between lets no connection through. */
  #blocked = false;
  /** The server was asked whether it is there, and has not said so yet. */
  #silent = false;
  /** Why the server has not let us in, if we shall ask again. @type {string | undefined} */
  #why;
  /** Why there will be no other connection, if there will be none. @type {string | undefined} */
  #final;

  /**
   * @param {{
   *   ready: (welcome: Body) => void,
   *   event: (frame: {match?: string, chat?: string, room?: string, seq?: number, body: Body}) => void,
   *   state: (words: string) => void,
   *   refused?: () => void,
   *   lost?: () => void,
   *   back?: () => void,
   * }} hooks `lost`: nobody may hear us, until `ready`, or until `back`: the server was only slow. `refused`: the server does not let us in, and trying again changes nothing
   */
  constructor(hooks) {
    this.#hooks = hooks;
  }

  /**
   * Connects, and again whenever the connection is lost.
   * @param {string} [name] the name of a new guest
   */
  open(name) {
    if (!('WebSocket' in window)) {
      this.#hooks.state(word('live-no-socket'));
      return;
    }
    this.#name = name;
    this.close();
    this.#ended = false;
    this.#final = undefined;
    this.#connect();
    if (this.#listens) {
      return;
    }
    this.#listens = true;
    window.addEventListener('online', () => this.#again(0));
    // A page that was asleep in the browser's memory has lost its connection without being told.
    window.addEventListener('pageshow', (event) => event.persisted && this.#again(0));
    // So may have a phone that was in a pocket, or a computer that slept.
    document.addEventListener('visibilitychange', () => document.hidden || this.#ask());
    window.setInterval(() => performance.now() - this.#heard > SILENCE && this.#ask(), SILENCE / 3);
  }

  /** Ends the connection until it is opened again. */
  close() {
    this.#ended = true;
    window.clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#forget();
  }

  /** Asks the server whether it is there. A dead connection is left, and another one begun. */
  #ask() {
    if (!this.isReady) {
      return;
    }
    const asked = performance.now();
    this.request({ type: 'ping' }, ANSWER).catch(() => {});
    window.setTimeout(() => {
      if (this.isReady && this.#heard < asked) {
        this.#silent = true;
        this.#hooks.lost?.();
      }
    }, QUIET);
  }

  /** Whether requests can be sent. */
  get isReady() {
    return this.#greeted && this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Sends a request.
   * @param {Body} body
   * @param {number} [patience] how long the server may say nothing before the answer, in milliseconds
   * @returns {Promise<Body>} the reply; refused with a {@link Refusal}
   */
  request(body, patience = PATIENCE) {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) {
      return Promise.reject(this.#gone());
    }
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject, timer: 0 };
      const asked = performance.now();
      const overdue = () => {
        const left = Math.max(asked, this.#heard) + patience - performance.now();
        if (left > 0) {
          waiting.timer = window.setTimeout(overdue, left);
        } else {
          this.#leave(socket);
        }
      };
      waiting.timer = window.setTimeout(overdue, patience);
      this.#waiting.set(id, waiting);
      socket.send(JSON.stringify({ id, body }));
    });
  }

  /**
   * Sends a request that the reader has asked for, and again over the same connection while the server is busy: it has done nothing of what it refuses.
   * @param {Body} body
   * @returns {Promise<Body>} the reply; refused with a {@link Refusal}
   */
  async insist(body) {
    const until = performance.now() + RETRIES;
    let said = false;
    const say = (/** @type {string} */ words) => {
      said = true;
      this.#hooks.state(words);
    };
    for (let pause = FIRST_RETRY; ; pause = Math.min(2 * pause, LONGEST_RETRY)) {
      const queued = window.setTimeout(() => QUEUEING.has(body.type) && say(word('live-queued')), QUEUED);
      try {
        const reply = await this.request(body);
        window.clearTimeout(queued);
        if (said) {
          this.#hooks.state('');
        }
        return reply;
      } catch (/** @type {any} */ why) {
        window.clearTimeout(queued);
        if (why.code !== BUSY || performance.now() > until) {
          throw why;
        }
        say(word('live-busy'));
        await this.#pausing(Math.max(pause, why.retry_after_ms ?? 0));
      }
    }
  }

  /**
   * Waits; refused when the connection is lost meanwhile, as a request is.
   * @param {number} ms
   * @returns {Promise<void>}
   */
  #pausing(ms) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const over = () => {
        this.#waiting.delete(id);
        resolve();
      };
      this.#waiting.set(id, { resolve: () => resolve(), reject, timer: window.setTimeout(over, ms) });
    });
  }

  /**
   * Gives up a connection that does not answer. It may take the browser minutes to say that it is closed, so nobody waits for that.
   * @param {WebSocket} socket
   */
  #leave(socket) {
    socket.close();
    if (socket === this.#socket) {
      this.#socket = undefined;
      this.#lose();
    }
  }

  #connect() {
    // The connection before may not have been closed yet: nobody hears any more what it does.
    this.#forget();
    this.#hooks.state(word(this.#blocked ? 'live-blocked' : 'live-connecting'));
    const url = new URL('/ws', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    let socket;
    try {
      socket = new WebSocket(url);
    } catch {
      // A browser that is told not to connect throws instead of failing.
      this.#lose();
      return;
    }
    this.#socket = socket;
    window.setTimeout(() => socket.readyState === WebSocket.CONNECTING && this.#leave(socket), PATIENCE);
    socket.addEventListener('open', () => {
      this.#opened += 1;
      this.#blocked = false;
      this.#greet(socket);
    });
    socket.addEventListener('message', (event) => socket === this.#socket && this.#hear(event.data));
    socket.addEventListener('close', () => socket === this.#socket && this.#lose());
  }

  /** @param {WebSocket} socket */
  async #greet(socket) {
    /** @type {Body} */
    const hello = { type: 'hello', protocol: 1, client: 'grundy-page/1', language: document.documentElement.lang };
    if (this.#token) {
      hello.token = this.#token;
    } else {
      hello.session = true;
    }
    if (this.#name) {
      hello.name = this.#name;
    }
    try {
      const welcome = await this.insist(hello);
      if (welcome.token) {
        // Without the cookie we are the same player until the page is left.
        const kept = (await remember(welcome.token)) && navigator.cookieEnabled;
        this.#token = kept ? undefined : welcome.token;
        delete welcome.token;
        if (socket !== this.#socket) {
          // The connection was lost meanwhile.
          return;
        }
      }
      this.#greeted = true;
      this.#why = undefined;
      this.#pause = FIRST_PAUSE;
      this.#hooks.state(navigator.cookieEnabled && !this.#token ? '' : word('live-no-cookies'));
      this.#hooks.ready(welcome);
      if (this.#returned && (await isOutdated())) {
        this.#hooks.state(word('live-upgraded'));
      }
      this.#returned = true;
    } catch (/** @type {any} */ why) {
      if (why.code === LOST) {
        return;
      }
      // A server that is busy names the time after which it may be asked again. With a name that is taken, or a banned address, that changes nothing.
      if (why.retry_after_ms === undefined) {
        this.#ended = true;
        this.#final = refusal(why);
        this.#hooks.refused?.();
      } else {
        this.#pause = Math.max(this.#pause, why.retry_after_ms);
      }
      this.#why = refusal(why);
      this.#hooks.state(this.#why);
      socket.close();
    }
  }

  /** @param {string} text */
  #hear(text) {
    this.#heard = performance.now();
    if (this.#silent) {
      this.#silent = false;
      this.#hooks.back?.();
    }
    /** @type {any} */
    const frame = JSON.parse(text);
    if (!('re' in frame)) {
      this.#notice(frame);
      return;
    }
    const waiting = this.#waiting.get(frame.re);
    if (!waiting) {
      return;
    }
    this.#waiting.delete(frame.re);
    window.clearTimeout(waiting.timer);
    if (frame.body.type === 'error') {
      waiting.reject(frame.body);
    } else {
      waiting.resolve(frame.body);
    }
  }

  /** @param {any} frame */
  #notice(frame) {
    switch (frame.match === undefined ? frame.body?.type : '') {
      case 'shutting_down':
        this.#pause = frame.body.reconnect_after_ms;
        this.#hooks.state(word('live-stopping'));
        break;
      case 'signed_out':
        this.#ended = true;
        this.#final = word('live-signed-out');
        this.#hooks.state(this.#final);
        break;
      default:
        this.#hooks.event(frame);
    }
  }

  #lose() {
    this.#forget();
    this.#hooks.lost?.();
    if (this.#ended) {
      return;
    }
    this.#failed += 1;
    if (this.#opened) {
      this.#hooks.state(this.#why ?? word('live-lost'));
      // A later loss has a reason of its own.
      this.#why = undefined;
    } else if (this.#failed >= FAILURES) {
      this.#explain();
    }
    const pause = this.#pause * (1 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    this.#again(pause);
  }

  /** If the server answers and only the connection never comes about, something in between does not let it through. */
  async #explain() {
    const { status } = await script();
    if (status && status < 500 && status !== 429 && !this.#opened) {
      this.#blocked = true;
      this.#hooks.state(word('live-blocked'));
    }
  }

  /** What was asked will not be answered. */
  #forget() {
    this.#greeted = false;
    this.#silent = false;
    for (const { reject, timer } of this.#waiting.values()) {
      window.clearTimeout(timer);
      reject(this.#gone());
    }
    this.#waiting.clear();
  }

  /** Why nothing is answered. @returns {Refusal} */
  #gone() {
    return { code: LOST, message: this.#final ?? word('live-lost') };
  }

  #timer = 0;

  /** @param {number} pause */
  #again(pause) {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      const state = this.#socket?.readyState ?? WebSocket.CLOSED;
      if (!this.#ended && (state === WebSocket.CLOSED || state === WebSocket.CLOSING)) {
        this.#connect();
      }
    }, pause);
  }
}

/**
 * Has the browser keep who we are, in a cookie that no script can read.
 * @param {string} token
 * @returns {Promise<boolean>} whether the server has set the cookie
 */
export async function remember(token) {
  try {
    const answer = await fetch('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

/**
 * Asks something before anybody is greeted, over a connection of its own.
 * @param {Body} body `login` or `recover`
 * @returns {Promise<Body>} the reply; refused with a {@link Refusal}
 */
export function signIn(body) {
  const url = new URL('/ws', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new Promise((resolve, reject) => {
    /** @type {WebSocket} */
    let socket;
    try {
      socket = new WebSocket(url);
    } catch {
      reject({ code: LOST, message: word('live-no-socket') });
      return;
    }
    const lost = () => reject({ code: LOST, message: word('live-lost') });
    const timer = window.setTimeout(() => socket.close(), PATIENCE);
    socket.addEventListener('open', () => socket.send(JSON.stringify({ id: 1, body })));
    socket.addEventListener('close', lost);
    socket.addEventListener('message', (event) => {
      const frame = JSON.parse(event.data);
      if (frame.re !== 1) {
        return;
      }
      window.clearTimeout(timer);
      if (frame.body.type === 'error') {
        reject(frame.body);
      } else {
        resolve(frame.body);
      }
      socket.close();
    });
  });
}

/**
 * Whether the server has other scripts by now: it was upgraded while this page was open.
 * @returns {Promise<boolean>}
 */
async function isOutdated() {
  return (await script()).status === 404;
}

/**
 * Asks for this script without a connection.
 * @returns {Promise<{status?: number}>} nothing if there is no answer
 */
async function script() {
  try {
    return await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' });
  } catch {
    return {};
  }
}

/**
 * A name for a request that may be sent again, drawn by chance.
 * @returns {string}
 */
export function drawnId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Lets the reader press what does nothing until the script of the page is there, and says no more that it is on its way. */
export function enable() {
  document.querySelector('.loading')?.remove();
  for (const one of document.querySelectorAll('[data-scripted]')) {
    one.removeAttribute('disabled');
  }
}

/**
 * The element of this id.
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} kind
 * @returns {E}
 */
export function found(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) {
    throw new Error(`the page has no ${id}`);
  }
  return element;
}

/**
 * Shows who plays here, with a link to the account.
 * @param {Player} player
 */
export function showPlayer(player) {
  const place = found('player', HTMLSpanElement);
  const known = place.querySelector('bdi');
  if (known) {
    // After a lost connection the link is there, and may have the focus.
    known.textContent = player.name;
    return;
  }
  const link = document.createElement('a');
  link.href = '/account';
  const element = document.createElement('bdi');
  element.textContent = player.name;
  link.append(element);
  place.replaceChildren(link);
}
