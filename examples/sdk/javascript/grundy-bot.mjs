/**
 * Write a Grundy bot in JavaScript for Node 18 or newer, without other packages.
 *
 *     import { run } from "./grundy-bot.mjs";
 *     run(async (turn) => (await turn.moves())[0], { name: "first" });
 *
 * `run` speaks the line protocol of docs/BOTS.md on stdin and stdout until the runner says quit. The function gets a `Turn` and returns a
 * legal move, or null to resign. Print with console.error, never with console.log: stdout belongs to the protocol.
 */

import { createInterface } from "node:readline";

/** Keys and values after a verb. */
function fields(words) {
  const found = {};
  for (let at = 0; at + 1 < words.length; at += 2) found[words[at]] = words[at + 1];
  return found;
}

const seconds = (text) => (text === undefined ? null : Number(text) / 1000);

/** A game that is being played. `memory` is yours, and empty at its begin. */
export class Game {
  constructor(found) {
    this.number = Number(found.game ?? 0);
    this.start = found.position ?? "";
    this.side = found.side ?? "first";
    this.opponent = found.opponent ?? "";
    this.memory = {};
    // SplitMix64, so that a run can be repeated: Math.random has no seed.
    this.state = BigInt(found.seed ?? 0);
  }

  /** A number from 0 to below 1, the same in every run of this game. */
  random() {
    const mask = (1n << 64n) - 1n;
    this.state = (this.state + 0x9e3779b97f4a7c15n) & mask;
    let z = this.state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53;
  }
}

/** A move that is wanted. */
export class Turn {
  constructor(found, game, ask) {
    this.id = found.id;
    /** The whole position as text, such as nim:3,0,7. */
    this.position = found.position;
    /** Yours: first or second. */
    this.side = found.side ?? "first";
    /** The opponent's last move, or null. */
    this.last = found.last ?? null;
    this.game = game;
    /** Seconds for this move, or null if you have a stock of time. */
    this.movetime = seconds(found.movetime);
    /** Seconds of the stock, or null. */
    this.time = seconds(found.time);
    this.opponentTime = seconds(found.opptime);
    this.increment = seconds(found.inc);
    this.ask = ask;
  }

  /** The game's name with its parameters: nim, sub.1.3.4. Of a sum, that of its first component. */
  get rules() {
    return this.position.split(":", 1)[0];
  }

  /** Whether the player who makes the last move loses. */
  get misere() {
    return this.position.endsWith("@misere");
  }

  /** The heaps of a position that is a list of heaps, as BigInt: they may be as large as 10^18. */
  get heaps() {
    const state = this.position.split("@")[0].split(":")[1];
    return state === "_" ? [] : state.split(",").map(BigInt);
  }

  /** Legal moves from number `start` on: at most a thousand, in the runner's order. */
  async moves(start = 0) {
    return (await this.ask(this.id, start)).moves;
  }

  /** How many legal moves there are, as BigInt. */
  async moveCount() {
    return (await this.ask(this.id, 0)).total;
  }

  /** One of the first thousand legal moves. */
  async anyMove() {
    const moves = await this.moves();
    return moves[Math.floor(this.game.random() * moves.length)];
  }
}

/**
 * Plays until the runner says quit. `choose` is called with a Turn and returns a move as text, or null to resign; it may be async.
 * `options` are numbers and texts with their defaults, such as {depth: 5}; the object is changed when the runner sets one.
 */
export async function run(choose, { name, author = "me", version = "0.1", games = null, options = {} }) {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const say = (...words) => process.stdout.write(words.join(" ") + "\n");
  const hear = async () => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) return ["quit"];
      const words = value.trim().split(/\s+/);
      if (words[0] !== "") return words;
    }
  };
  const ask = async (id, start) => {
    say("moves", id, start);
    for (;;) {
      const [verb, ...words] = await hear();
      if (verb === "moves" && words[0] === id) return { total: BigInt(words[1]), moves: words.slice(2) };
      if (verb === "quit") process.exit(0);
    }
  };
  let game = new Game({});
  for (;;) {
    const [verb, ...words] = await hear();
    if (verb === "grundy") {
      say("bot name", name, "author", author, "version", version, ...(games ? ["games", games.join(",")] : []));
      for (const [option, value] of Object.entries(options)) {
        say("option name", option, "type", typeof value === "number" ? "int" : "text", "default", value);
      }
      say("ok");
    } else if (verb === "set" && Object.hasOwn(options, words[0])) {
      const text = words.slice(1).join(" ");
      options[words[0]] = typeof options[words[0]] === "number" ? Number(text) : text;
    } else if (verb === "new") {
      game = new Game(fields(words));
    } else if (verb === "go") {
      const turn = new Turn(fields(words), game, ask);
      const move = await choose(turn);
      if (move === null || move === undefined) say("resign", turn.id);
      else say("move", turn.id, move);
    } else if (verb === "ping") {
      say("pong", ...words);
    } else if (verb === "quit") {
      process.exit(0);
    }
  }
}
