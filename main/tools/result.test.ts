import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../../shared/chat.ts';
import { toModelContent } from './result.ts';

const text = (result: Partial<ToolResult>) =>
  toModelContent({ content: [], ...result }).map(item => (item.type === 'text' ? item.text : item.mimeType));

describe('what a model reads of a result', () => {
  it.each<[string, Partial<ToolResult>]>([
    ['no content', { content: [] }],
    ['an empty text', { content: [{ type: 'text', text: '' }] }],
    ['only white space', { content: [{ type: 'text', text: '   \n' }] }],
  ])('is never empty: %s', (_what, result) => {
    expect(text(result)).toEqual(['(no output)']);
    expect(text({ ...result, isError: true })).toEqual(['(failed without a message)']);
  });

  it('has images by what their bytes are, and a note for what is none', () => {
    const content = [
      {
        type: 'image',
        mimeType: 'image/png',
        data: 'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
      },
      {
        type: 'image',
        mimeType: 'image/jpeg',
        data: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADhgGAWjR9awAAAABJRU5ErkJggg==',
      },
      { type: 'image', mimeType: 'image/png', data: 'bm90IGFuIGltYWdl' },
      { type: 'image', mimeType: '', data: '' },
    ];
    const items = toModelContent({ content });
    expect(items.map(item => (item.type === 'image' ? item.mimeType : 'note'))).toEqual([
      'image/gif',
      'image/png',
      'note',
      'note',
    ]);
    expect(items[1]).toMatchObject({ data: expect.stringMatching(/^iVBOR/) });
  });

  it('has every kind of content, and no base64 as text', () => {
    const told = text({
      content: [
        {
          type: 'resource',
          resource: { uri: 'mem://a.csv', mimeType: 'text/csv', blob: 'bmFtZSxxdHkKYm9sdCw0Cg==' },
        },
        {
          type: 'resource',
          resource: {
            uri: 'repo://x/../../evil.pdf',
            mimeType: 'application/pdf',
            blob: btoa('%PDF'.repeat(200)),
          },
        },
        { type: 'resource', resource: { uri: 'repo://readme', text: '# hi' } },
        { type: 'audio', mimeType: 'audio/wav', data: btoa('RIFF'.repeat(200)) },
        { type: 'resource_link', uri: 'https://example.test/big.zip', name: 'big.zip', size: 900_000_000 },
        { type: 'blob', data: 'AAAA' },
        { type: 'text', text: 'the end' },
      ],
    }).join('\n');
    expect(told).toContain('bolt,4');
    expect(told).toContain('# hi');
    expect(told).toContain('the end');
    expect(told).toContain('audio/wav, 800 bytes');
    expect(told).toContain('https://example.test/big.zip, 900000000 bytes');
    expect(told).toContain('“blob”');
    expect(told).not.toMatch(/[A-Za-z0-9+/]{200}/);
  });

  it('has structured content once: not again where a text says the same', () => {
    const structuredContent = { sum: 42 };
    expect(text({ structuredContent })).toEqual(['{"sum":42}']);
    expect(text({ structuredContent, content: [{ type: 'text', text: '{ "sum": 42 }' }] })).toEqual([
      '{ "sum": 42 }',
    ]);
    expect(text({ structuredContent, content: [{ type: 'text', text: 'The sum is 42.' }] })).toHaveLength(2);
    const picture = { structuredContent: { image: `data:image/png;base64,${'A'.repeat(2000)}` } };
    expect(text(picture).join()).toMatch(/base64 left out/);
    const letters = 'word'.repeat(500);
    expect(text({ structuredContent: { letters } }).join()).toContain(letters);
  });

  it('has data once at most: not in a text beside the picture or structure that it repeats', () => {
    const data = randomBytes(3000).toString('base64');
    const structuredContent = { chart: data, sum: 1 };
    const same = text({
      structuredContent,
      content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }],
    });
    expect(same).toEqual(['{"chart":"(3000 bytes of base64 left out)","sum":1}']);
    const content = [
      { type: 'text', text: `See ${data} or data:image/png;base64,${data}.` },
      { type: 'audio', mimeType: 'audio/wav', data },
    ];
    expect(text({ content })[0]).toBe(
      'See (3000 bytes of base64 left out) or data:image/png;base64,(3000 bytes of base64 left out).',
    );
    const alone = text({ content: [{ type: 'text', text: `![](data:image/png;base64,${data})` }] });
    expect(alone).toEqual(['![](data:image/png;base64,(3000 bytes of base64 left out))']);
    // What a tool was asked to encode is its answer.
    expect(text({ content: [{ type: 'text', text: data }] })).toEqual([data]);
  });
});
