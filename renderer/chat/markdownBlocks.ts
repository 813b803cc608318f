/**
 * Cuts Markdown into blocks that stand for themselves, so that while a text grows only its last block is parsed again.
 * Fences and lists stay whole; link definitions are given to every block, since any of them may use one.
 */
export function splitBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  const definitions: string[] = [];
  let block: string[] = [];
  let fence: string | undefined;
  const lines = markdown.split('\n');
  const finish = () => {
    const text = block.join('\n');
    if (text.trim() !== '') blocks.push(text);
    block = [];
  };
  lines.forEach((line, at) => {
    const mark = /^ {0,3}(`{3,}|~{3,}|\$\$)/.exec(line)?.[1];
    if (fence === undefined && mark) fence = mark;
    else if (fence !== undefined && mark && closes(line, fence)) fence = undefined;
    if (fence === undefined && DEFINITION.test(line)) definitions.push(line);
    if (fence === undefined && line.trim() === '' && !continues(block, lines, at)) finish();
    else block.push(line);
  });
  finish();
  if (definitions.length === 0) return blocks;
  const all = definitions.join('\n');
  return blocks
    .filter(text => !text.split('\n').every(line => DEFINITION.test(line)))
    .map(text => `${text}\n\n${all}`);
}

const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*\S+/;
const LIST_ITEM = /^\s*([-*+]|\d{1,9}[.)])\s/;

function closes(line: string, fence: string): boolean {
  const bare = line.trim();
  return bare.length >= fence.length && bare === (fence[0] as string).repeat(bare.length);
}

/** Whether what follows the blank line still belongs to the list or quote that is being collected. */
function continues(block: string[], lines: string[], blank: number): boolean {
  const first = block.find(line => line.trim() !== '');
  if (first === undefined || !LIST_ITEM.test(first)) return false;
  const next = lines.slice(blank + 1).find(line => line.trim() !== '');
  return next === undefined || LIST_ITEM.test(next) || /^\s{2,}/.test(next);
}
