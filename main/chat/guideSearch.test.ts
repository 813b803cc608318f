import { describe, expect, it } from 'vitest';
import type { ToolInfo } from '../../shared/tools.ts';
import { findTools } from './guideSearch.ts';

function tool(name: string, description: string, title?: string): ToolInfo {
  const fixed = {
    server: 's',
    modelName: name,
    inputSchema: { type: 'object' },
    enabled: true,
    rule: 'ask' as const,
  };
  return { ...fixed, name, description, notes: [], ...(title ? { title } : {}) };
}
const tools = [
  tool('add', 'Adds two numbers and returns the sum.', 'Add two numbers'),
  tool('get-sum', 'Returns the sum of two numbers', 'Get Sum Tool'),
  tool('echo', 'Echoes back the input string'),
  tool('readFile', 'Read the complete contents of a file as text'),
  tool('list_directory', 'Get a detailed listing of all files and directories in a path'),
  tool('add_observations', 'Add new observations to existing entities in the knowledge graph'),
  tool('draw-chart', 'Draws a bar chart of some numbers as a picture.'),
];

describe('the search for a tool', () => {
  it.each([
    ['add 19 and 23', ['add']],
    ['19 + 23', ['add']],
    ['the sum of 3 and 4', ['get-sum']],
    ['echo add 1 and 2', ['echo']],
    ['Please read the file notes.txt', ['readFile']],
    ['readFile a.txt', ['readFile']],
    ['show me the directories in /tmp', ['list_directory']],
    ['plot 3 5 8', ['draw-chart']],
    ['add an observation', ['add_observations']],
    ['write me a poem', []],
    ['the and of', []],
    ['', []],
  ])('%j', (text, names) => {
    expect(findTools(text, tools).map(({ name }) => name)).toEqual(names);
  });

  it('gives all that fit equally well', () => {
    const twice = [tool('add', 'Adds'), { ...tool('add', 'Adds'), server: 'other' }];
    expect(findTools('add 1 and 2', twice)).toHaveLength(2);
  });
});
