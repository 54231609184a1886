#!/usr/bin/env node
/** Plays Nim by the nim-sum, and any other game at random: the SDK in use. */

import { run } from "./grundy-bot.mjs";

async function choose(turn) {
  if (turn.rules !== "nim" || turn.misere || turn.position.includes("+")) return turn.anyMove();
  const heaps = turn.heaps;
  const total = heaps.reduce((sum, heap) => sum ^ heap, 0n);
  const index = heaps.findIndex((heap, at) => (heap ^ total) < heap && at < 26);
  if (index < 0) return turn.anyMove();
  return `${String.fromCharCode(65 + index)}-${heaps[index] - (heaps[index] ^ total)}`;
}

run(choose, { name: "nim-sum-js", author: "grundy" });
