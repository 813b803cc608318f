// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '..', 'test-results', 'bench');

/** @param {number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/** @param {number[]} values @param {number} share from 0 to 1 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return /** @type {number} */ (sorted[Math.floor(sorted.length * share)]);
}

/** Three digits are more than a busy machine can repeat. @param {number} value */
export function rounded(value) {
  return Number(value.toPrecision(3));
}

/** Prints a table and keeps it as JSON. @param {string} name @param {string} title @param {object[]} rows */
export function report(name, title, rows) {
  console.log(`\n${title}`);
  console.table(rows);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ title, rows }, null, 2)}\n`);
}
