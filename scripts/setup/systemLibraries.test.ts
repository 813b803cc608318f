import { describe, expect, it } from 'vitest';
import { choosePackages, installCommand, parseLdd, programsOfTests } from './systemLibraries.mjs';

describe('parseLdd', () => {
  it('names the libraries that were not found', () => {
    const output = [
      '\tlinux-vdso.so.1 (0x00007ffd)',
      '\tlibffmpeg.so => /opt/electron/libffmpeg.so (0x00007f)',
      '\tlibgtk-3.so.0 => not found',
      '\tlibgbm.so.1 => not found',
    ].join('\n');
    expect(parseLdd(output)).toEqual(['libgtk-3.so.0', 'libgbm.so.1']);
  });

  it('finds none in what ldd says of a program that has all', () => {
    expect(parseLdd('\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)\n')).toEqual([]);
  });
});

describe('choosePackages', () => {
  it('takes the names of Debian 12', () => {
    expect(choosePackages('apt-get', ['libraries'], new Set(['libgtk-3-0']))).toContain('libgtk-3-0');
  });

  it('takes the …t64 names where a release has them', () => {
    const names = choosePackages('apt-get', ['libraries'], new Set(['libasound2', 'libasound2t64']));
    expect(names).toContain('libasound2t64');
    expect(names).not.toContain('libasound2');
  });

  it('adds the fonts there are to the display, never those there are not', () => {
    const names = choosePackages('apt-get', ['display'], new Set(['xvfb', 'fonts-dejavu-core']));
    expect(names).toEqual(['xvfb', 'xauth', 'fonts-dejavu-core']);
  });
});

describe('programsOfTests', () => {
  it('has a virtual display only where there is no other', () => {
    expect(programsOfTests(false)).toContain('Xvfb');
    expect(programsOfTests(true)).not.toContain('Xvfb');
    expect(programsOfTests(true)).toContain('gnome-keyring-daemon');
  });
});

describe('installCommand', () => {
  it.each([
    ['apt-get', 'sudo apt-get update && sudo apt-get install -y xvfb'],
    ['dnf', 'sudo dnf install -y xvfb'],
    ['pacman', 'sudo pacman -S --needed xvfb'],
  ] as const)('is what a person types with %s', (manager, command) => {
    expect(installCommand(manager, ['xvfb'])).toBe(command);
  });
});
