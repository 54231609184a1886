#!/usr/bin/env node
// A bot for Grundy. It knows no rules: it asks for the legal moves and plays one of them.

import { createInterface } from "node:readline";

const NAME = "@NAME@";

/** The move to make: one of `moves`, which are the legal ones (the first thousand). Make this better. */
function choose(position, moves) {
  return moves[Math.floor(Math.random() * moves.length)];
}

const say = (...words) => process.stdout.write(words.join(" ") + "\n");

/** Keys and values after a verb. */
function fields(words) {
  const found = {};
  for (let at = 0; at + 1 < words.length; at += 2) found[words[at]] = words[at + 1];
  return found;
}

let go = {};
for await (const line of createInterface({ input: process.stdin })) {
  const [verb, ...words] = line.trim().split(/\s+/);
  if (verb === "grundy") {
    // The greeting: say who you are, then ok.
    say("bot name", NAME, "author me version 0.1");
    say("ok");
  } else if (verb === "go") {
    // A move is wanted: ask which ones are legal.
    go = fields(words);
    say("moves", go.id);
  } else if (verb === "moves") {
    // moves ID TOTAL MOVE MOVE ...
    say("move", go.id, choose(go.position, words.slice(2)));
  } else if (verb === "quit") {
    break;
  }
}
