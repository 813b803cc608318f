/** Words as the Guide compares them: lower case, without endings, `camelCase` and `snake_case` taken apart. */
export function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

/** Whether two words of `wordsOf` are the same: 1; mean much the same: 0.5; otherwise 0. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  return synonyms.some(group => group.includes(a) && group.includes(b)) ? 0.5 : 0;
}

/** Words that say nothing about which tool is meant. */
export function isFiller(word: string): boolean {
  return fillers.has(word);
}

function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}

const fillers = new Set(
  wordsOf(
    `a an and the this that these those some any is are was be it its of to for from with by at on in into as or
     please can could would will you your i me my we us do does did what which who how when want like need let
     use using call run tool tools give tell get then`,
  ),
);

const synonyms = [
  'add plus sum total',
  'subtract minus difference',
  'echo repeat say',
  'time clock date',
  'draw plot chart graph diagram',
  'search find look',
  'list show',
  'read open view',
  'delete remove',
  'create make new',
  'describe explain analyse analyze',
  'book reserve',
].map(group => wordsOf(group));
