// What `electron [-r MODULE]… APP …` runs before the app itself, for the fallback Electron, which comes without.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const { appPath, modules } = parseArguments(process.argv.slice(1));
const manifest = JSON.parse(readFileSync(path.join(appPath, 'package.json'), 'utf8'));

// As in every Electron that was not packaged with an app: apps ask for it.
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
app.setName(manifest.productName ?? manifest.name);
// Electron has these two for programs like this one only, so its types leave them out.
const internals = /** @type {any} */ (app);
internals.setVersion(manifest.version);
internals.setAppPath(appPath);

const require = createRequire(path.join(appPath, 'package.json'));
for (const module of modules) require(module);
await import(pathToFileURL(path.join(appPath, manifest.main ?? 'index.js')).href);

/** The first word that is not a switch is the app's folder; Electron and Chromium read the switches. @param {string[]} words */
function parseArguments(words) {
  const rest = [...words];
  const modules = [];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-r' || word === '--require') modules.push(rest.shift() ?? '');
    else if (!word.startsWith('-')) return { appPath: path.resolve(word), modules };
  }
  throw new Error('Usage: electron [-r MODULE] APP_FOLDER');
}
