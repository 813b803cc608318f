import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteWord, splitCommandLine } from './commandLine.ts';

describe('a command line', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['  npx  -y   @scope/server ', ['npx', '-y', '@scope/server']],
    ['"C:\\Program Files\\node.exe" server.js', ['C:\\Program Files\\node.exe', 'server.js']],
    ["--name 'My Files' --empty ''", ['--name', 'My Files', '--empty', '']],
    ['a"b c"d', ['ab cd']],
    ['My\\ Files', ['My Files']],
    ['"say \\"hi\\""', ['say "hi"']],
    ['one \\\n two', ['one', 'two']],
    ['$HOME *.txt | rm', ['$HOME', '*.txt', '|', 'rm']],
  ])('%j has the words %j', (line, words) => {
    expect(splitCommandLine(line)).toEqual({ words });
  });

  it.each(['say "hi', "it's", 'end\\'])('%j is not finished', line => {
    expect(splitCommandLine(line)).toEqual({ error: expect.any(String) });
  });

  it('gives back the words that it was made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), words => {
        expect(splitCommandLine(words.map(quoteWord).join(' '))).toEqual({ words });
      }),
    );
  });
});
