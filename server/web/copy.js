// @ts-check
// Copies a text for the visitor, where the browser lets a page do so: not over plain HTTP.

import { word } from './words.js';

/**
 * Copies the text of an element, or marks it so that it can be copied by hand.
 * @param {HTMLElement} element
 * @returns {Promise<string>} what has become of it, in words
 */
export async function copied(element) {
  try {
    await navigator.clipboard.writeText(element.textContent ?? '');
    return word('live-copied');
  } catch {
    window.getSelection()?.selectAllChildren(element);
    return word('live-copy-yourself');
  }
}
