// @ts-check
// The words that scripts say: the page brings them in the reader's language.

/** @typedef {string | {one: string, other: string}} Said */

const element = document.getElementById('words');
/** @type {Record<string, Said>} */
const all = JSON.parse(element?.textContent ?? '{}');
const plural = new Intl.PluralRules(document.documentElement.lang || 'en');

/**
 * A message with its variables. `count` chooses the form of a word.
 * @param {string} name
 * @param {Record<string, string | number>} [variables]
 * @returns {string}
 */
export function word(name, variables = {}) {
  const said = all[name] ?? name;
  const count = Number(variables.count ?? 0);
  const text = typeof said === 'string' ? said : plural.select(count) === 'one' ? said.one : said.other;
  /** @type {Record<string, string | number>} */
  const values = { ...variables, n: String(variables.count ?? '') };
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? String(values[key]) : whole));
}

/**
 * The first of these messages that there is.
 * @param {string[]} names
 * @returns {string}
 */
export function wordOr(...names) {
  return word(names.find((name) => name in all) ?? names[names.length - 1]);
}

/**
 * Why something is refused, in the reader's language. English is what the server says itself; other languages bring a sentence for each reason.
 * @param {{code: string, message: string, example?: string}} why
 * @returns {string}
 */
export function refusal({ code, message, example }) {
  // Nobody has refused anything: the connection is gone.
  if (code === 'lost') {
    return message;
  }
  const more = example ? ` (${example})` : '';
  const own = `refused-${code}`;
  if (own in all) {
    return word('live-refused', { why: word(own) + more });
  }
  // A newer server has reasons that this page does not know.
  return 'refused-other' in all ? word('refused-other', { code }) + more : word('live-refused', { why: message + more });
}

/**
 * How a match ended, in words.
 * @param {{outcome?: string, reason?: string}} end
 * @param {boolean} misere whether the last move loses
 * @param {boolean} [lost] whether the reader has lost it
 * @returns {string}
 */
export function ending({ outcome, reason }, misere, lost = false) {
  const detail = reason === 'last_move' && misere ? 'last_move_misere' : reason;
  const side = lost ? 'own' : outcome;
  return wordOr(`how-${side}-${detail}`, `how-${detail}`, 'how-other');
}

/**
 * Sentences, one after the other.
 * @param {string[]} said empty ones are passed over
 * @returns {string}
 */
export function sentences(said) {
  const space = document.documentElement.lang.startsWith('zh') ? '' : ' ';
  return said.filter(Boolean).join(space);
}
