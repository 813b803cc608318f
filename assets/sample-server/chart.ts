/** A picture as the result of a tool. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Canvas, type Colour } from './png.ts';

export function addChart(server: McpServer): void {
  server.registerTool(
    'draw-chart',
    {
      title: 'Draw a bar chart',
      description: 'Draws a bar chart of some numbers as a PNG picture.',
      inputSchema: z.object({
        values: z.array(z.number()).min(1).max(40).describe('The numbers, one bar for each'),
      }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ values }) => ({
      content: [
        { type: 'image', mimeType: 'image/png', data: drawBars(values).toString('base64') },
        // For those who cannot see the picture, models among them.
        { type: 'text', text: `A bar chart of ${values.length} values: ${values.join(', ')}.` },
      ],
    }),
  );
}

const width = 640;
const height = 360;
const margin = 40;
const ink: Colour = [71, 85, 105];
const bars: readonly Colour[] = [
  [37, 99, 235],
  [13, 148, 136],
  [217, 119, 6],
  [190, 24, 93],
  [124, 58, 237],
];

/** Bars from a zero line, upwards or downwards, each with its number at its end. */
function drawBars(values: readonly number[]): Buffer {
  const canvas = new Canvas(width, height, [255, 255, 255]);
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const scale = (height - 2 * margin) / (top - bottom || 1);
  const zero = Math.round(margin + top * scale);
  const slot = (width - 2 * margin) / values.length;

  values.forEach((value, index) => {
    const left = Math.round(margin + index * slot + slot * 0.15);
    const length = Math.max(1, Math.round(Math.abs(value) * scale));
    const colour = bars[index % bars.length] ?? ink;
    canvas.fill(left, value < 0 ? zero : zero - length, Math.max(1, Math.round(slot * 0.7)), length, colour);
    const middle = Math.round(margin + (index + 0.5) * slot);
    writeNumber(canvas, short(value), middle, value < 0 ? zero + length + 6 : zero - length - 16);
  });
  canvas.fill(margin, zero, width - 2 * margin, 2, ink);
  return canvas.toPng();
}

/** At most six characters of those in `glyphs`. */
function short(value: number): string {
  const plain = String(Number(value.toPrecision(3)));
  return plain.length <= 6 ? plain : value.toExponential(0);
}

/** Three columns and five rows for each character, row by row. */
const glyphs: Readonly<Record<string, string>> = {
  '0': '111101101101111',
  '1': '010110010010111',
  '2': '111001111100111',
  '3': '111001111001111',
  '4': '101101111001001',
  '5': '111100111001111',
  '6': '111100111101111',
  '7': '111001010010010',
  '8': '111101111101111',
  '9': '111101111001111',
  '.': '000000000000010',
  '-': '000000111000000',
  '+': '000010111010000',
  e: '000111111100111',
};
const dot = 2;

function writeNumber(canvas: Canvas, text: string, middle: number, top: number): void {
  const left = middle - Math.round((text.length * 4 * dot - dot) / 2);
  [...text].forEach((character, position) => {
    [...(glyphs[character] ?? '')].forEach((on, index) => {
      if (on === '0') return;
      const column = position * 4 + (index % 3);
      canvas.fill(left + column * dot, top + Math.floor(index / 3) * dot, dot, dot, ink);
    });
  });
}
