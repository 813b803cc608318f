/** Tools that answer at once: text, structured output, an error in words. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export function addPlain(server: McpServer): void {
  server.registerTool(
    'add',
    {
      title: 'Add two numbers',
      description: 'Adds two numbers and returns the sum.',
      inputSchema: z.object({
        a: z.number().describe('The first number'),
        b: z.number().describe('The second number'),
      }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ a, b }) => text(`${a} + ${b} = ${sum(a, b)}`),
  );

  server.registerTool(
    'describe-text',
    {
      title: 'Describe a text',
      description: 'Counts the words, characters, lines and sentences of a text and finds its longest word.',
      inputSchema: z.object({ text: z.string().describe('The text to describe') }),
      outputSchema: z.object({
        words: z.number().int(),
        characters: z.number().int(),
        lines: z.number().int(),
        sentences: z.number().int(),
        longestWord: z.string(),
      }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ text: given }) => {
      const counted = count(given);
      return { content: [{ type: 'text', text: JSON.stringify(counted) }], structuredContent: counted };
    },
  );

  server.registerTool(
    'time-in',
    {
      title: 'Time in a place',
      description: 'Tells the current date and time in a time zone.',
      inputSchema: z.object({
        zone: z.string().default('UTC').describe('IANA name of the time zone, such as Europe/Vienna'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ zone }) =>
      isZone(zone)
        ? text(
            `${new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'long' }).format()} (${zone})`,
          )
        : { ...text(`“${zone}” is no time zone. Use an IANA name such as Europe/Vienna.`), isError: true },
  );
}

/** A result of one text. */
export function text(value: string) {
  return { content: [{ type: 'text' as const, text: value }] };
}

/** 0.1 + 0.2 = 0.3, as on paper: binary fractions show only beyond the digits that were given. */
function sum(a: number, b: number): number {
  return Number((a + b).toPrecision(15));
}

function count(given: string) {
  const words = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(given)].flatMap(part =>
    part.isWordLike ? [part.segment] : [],
  );
  return {
    words: words.length,
    characters: [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(given)].length,
    lines: given === '' ? 0 : given.split(/\r\n|\r|\n/).length,
    sentences: [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(given)].length,
    longestWord: words.reduce((longest, word) => (word.length > longest.length ? word : longest), ''),
  };
}

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
