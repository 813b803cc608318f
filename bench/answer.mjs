// @ts-check
// An answer as a model writes it, the same each time: prose, lists, tables and code. Plain ASCII, so that four
// characters are four bytes.

const WORDS =
  'the server answers each request with a result that the client reads before it asks again and keeps what it needs for later while other work goes on in a queue of its own until nothing is left to do'.split(
    ' ',
  );

/** @param {number} length in characters */
export function answerOf(length) {
  const random = seeded(7);
  const pick = () => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  const words = (/** @type {number} */ count) => Array.from({ length: count }, pick).join(' ');
  const items = (/** @type {number} */ count, /** @type {(at: number) => string} */ one) =>
    Array.from({ length: count }, (_, at) => one(at)).join('\n');
  const sections = [
    () => `## About ${words(4)}\n\n${words(60)}, **${words(3)}** and *${words(2)}*, with \`${pick()}()\`.`,
    () => `${words(90)} [${words(2)}](https://example.org/${pick()}). ${words(40)}.`,
    () =>
      items(8, at => `- ${words(9)} \`${pick()}\`${at % 3 ? '' : `\n  - ${words(6)}\n  - **${words(4)}**`}`),
    () => items(6, at => `${at + 1}. **${words(2)}**: ${words(14)}`),
    () => items(5, at => `- [${at % 2 ? 'x' : ' '}] ${words(7)}`),
    () => table(10),
    () => table(32),
    () => `> ${words(30)}\n>\n> ${words(20)}`,
    () =>
      `\`\`\`ts\n${items(24, at => `const ${pick()}${at} = await ${pick()}('${words(3)}', ${at}); // ${pick()}`)}\n\`\`\``,
    () =>
      `\`\`\`python\n${items(60, at => `def ${pick()}_${at}(self, value=${at}):\n    return "${words(5)}"`)}\n\`\`\``,
    () =>
      `\`\`\`json\n${JSON.stringify(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${pick()}${at}`, [words(2), at, true]])), null, 2)}\n\`\`\``,
  ];
  const table = (/** @type {number} */ rows) =>
    `| Name | What it does | Count |\n| --- | --- | ---: |\n${items(rows, at => `| \`${pick()}\` | ${words(7)} | ${at} |`)}`;
  let text = '';
  for (let at = 0; text.length < length; at++) text += `${sections[at % sections.length]?.()}\n\n`;
  return text.slice(0, length);
}

/** Numbers from 0 to 1 that are the same each time. @param {number} seed */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
