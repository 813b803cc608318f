// What the operating system must bring: the libraries Electron links to and, for tests, some programs.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { outputOf, run } from './run.mjs';
import { SetupError, say } from './say.mjs';

/** Package names by package manager; `fonts` are what makes screenshots readable in any script. */
const packages = {
  'apt-get': {
    libraries: ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1'],
    display: ['xvfb', 'xauth'],
    keyring: ['dbus', 'gnome-keyring'],
    fonts: ['fonts-dejavu-core', 'fonts-noto-color-emoji', 'fonts-wqy-microhei'],
  },
  dnf: {
    libraries: ['gtk3', 'nss', 'alsa-lib', 'mesa-libgbm'],
    display: ['xorg-x11-server-Xvfb', 'xorg-x11-xauth'],
    keyring: ['dbus-daemon', 'dbus-tools', 'gnome-keyring'],
    fonts: ['dejavu-sans-fonts', 'google-noto-emoji-color-fonts'],
  },
  pacman: {
    libraries: ['gtk3', 'nss', 'alsa-lib', 'mesa'],
    display: ['xorg-server-xvfb', 'xorg-xauth'],
    keyring: ['dbus', 'gnome-keyring'],
    fonts: ['ttf-dejavu', 'noto-fonts-emoji'],
  },
};

/** Programs that tests start: a virtual display, and a Secret Service on a bus of its own. */
const programs = /** @type {const} */ ({
  Xvfb: 'display',
  'dbus-daemon': 'keyring',
  'dbus-send': 'keyring',
  'gnome-keyring-daemon': 'keyring',
});

/** @typedef {keyof typeof packages} PackageManager */
/** @typedef {'libraries' | 'display' | 'keyring'} What */
/** @typedef {keyof typeof programs} Program */

/** The programs `npm test` starts here. @param {boolean} hasDisplay @returns {Program[]} */
export function programsOfTests(hasDisplay) {
  const all = /** @type {Program[]} */ (Object.keys(programs));
  return hasDisplay ? all.filter(program => programs[program] !== 'display') : all;
}

/**
 * Makes sure that Electron's libraries and the named programs are there. Linux only: elsewhere Electron brings all.
 * @param {string} binary the Electron binary
 * @param {Program[]} needed
 */
export async function ensureSystemLibraries(binary, needed) {
  if (process.platform !== 'linux') return;
  const missing = await missingLibraries(binary);
  const absent = needed.filter(program => !isOnPath(program));
  const what = new Set(absent.map(program => /** @type {What} */ (programs[program])));
  if (missing.length > 0) what.add('libraries');
  if (what.size === 0) return;
  await install([...what], `The system lacks ${[...missing, ...absent].join(', ')}`);
  const still = await missingLibraries(binary);
  if (still.length > 0) {
    throw new SetupError(
      `Electron still misses system libraries: ${still.join(', ')}`,
      'Install the packages of your system that contain them, then run the same command again.',
    );
  }
}

/** @param {string} binary */
async function missingLibraries(binary) {
  return parseLdd((await outputOf('ldd', [binary])) ?? '');
}

/** The libraries `ldd` did not find. @param {string} output */
export function parseLdd(output) {
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map(match => match[1] ?? '');
}

/**
 * Installs as root with apt; otherwise stops and says what to type.
 * @param {What[]} what
 * @param {string} reason
 */
async function install(what, reason) {
  const manager = /** @type {PackageManager[]} */ (Object.keys(packages)).find(isOnPath);
  if (!manager) throw new SetupError(`${reason}.`, 'Install it with the package manager of your system.');
  const canInstall = manager === 'apt-get' && process.getuid?.() === 0;
  if (canInstall) {
    say(`${reason}; installing with apt`);
    await apt('update');
  }
  const known =
    manager === 'apt-get' ? new Set((await outputOf('apt-cache', ['pkgnames']))?.split('\n')) : undefined;
  const names = choosePackages(manager, what, known);
  if (!canInstall) {
    throw new SetupError(
      `${reason}.`,
      `Run this, then the same command again:  ${installCommand(manager, names)}`,
    );
  }
  const { code, output } = await apt('install', '-y', '--no-install-recommends', ...names);
  if (code !== 0) {
    throw new SetupError(
      `apt-get install failed (exit ${code}). ${output}`,
      `Try:  ${installCommand(manager, names)}`,
    );
  }
}

/** @param {string[]} args */
function apt(...args) {
  return run('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    output: 'capture',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/**
 * The packages to install. Newer Debian and Ubuntu releases call some of them …t64. Fonts come along with the
 * display where there are any, and are never a reason to fail.
 * @param {PackageManager} manager
 * @param {What[]} what
 * @param {Set<string>} [known] the names the package manager knows
 */
export function choosePackages(manager, what, known) {
  const needed = what.flatMap(one => packages[manager][one]);
  const fonts = what.includes('display') ? packages[manager].fonts : [];
  return [
    ...needed.map(name => (known?.has(`${name}t64`) ? `${name}t64` : name)),
    ...fonts.filter(name => !known || known.has(name)),
  ];
}

/**
 * The command a person types.
 * @param {PackageManager} manager
 * @param {string[]} names
 */
export function installCommand(manager, names) {
  const words = names.join(' ');
  if (manager === 'apt-get') return `sudo apt-get update && sudo apt-get install -y ${words}`;
  return manager === 'dnf' ? `sudo dnf install -y ${words}` : `sudo pacman -S --needed ${words}`;
}

/** @param {string} program */
function isOnPath(program) {
  return (process.env.PATH ?? '').split(path.delimiter).some(dir => existsSync(path.join(dir, program)));
}
