/** The things in a text that can be an argument as they stand. */
export type TokenKind = 'quoted' | 'url' | 'path' | 'email' | 'date-time' | 'date' | 'number' | 'word';

export interface Token {
  kind: TokenKind;
  /** What it stands for: a quoted text without its quotes, a number without thousands' commas. */
  value: string;
  start: number;
  end: number;
  used: boolean;
}

/** From left to right; what lies between them is punctuation. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(pattern)].map(match => {
    const [kind, raw] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) as [
      string,
      string,
    ];
    return {
      kind: (kind === 'dateTime' ? 'date-time' : kind) as TokenKind,
      value: meaningOf(kind, raw),
      start: match.index,
      end: match.index + match[0].length,
      used: false,
    };
  });
}

const pattern = new RegExp(
  [
    String.raw`(?<quoted>"(?:[^"\\]|\\.)*"|“[^”]*”|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}]))`,
    String.raw`(?<url>[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]*[^\s"'<>.,;:!?)])`,
    String.raw`(?<path>(?<![^\s(=:,])(?:(?:~|\.{1,2})?\/|[a-zA-Z]:\\)[^\s"'<>]*[^\s"'<>.,;:!?)])`,
    String.raw`(?<email>[^\s@"'<>(),;:]+@[^\s@"'<>(),;:]+\.[\p{L}]{2,})`,
    String.raw`(?<dateTime>\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)`,
    String.raw`(?<date>\d{4}-\d\d-\d\d)(?!\d)`,
    String.raw`(?<number>(?<![\p{L}\p{N}.])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\p{L}\p{N}]))`,
    String.raw`(?<word>[\p{L}\p{N}][^\s"“”,;:!?()=]*)`,
  ].join('|'),
  'gu',
);

function meaningOf(kind: string, raw: string): string {
  if (kind === 'quoted') return raw.slice(1, -1).replace(/\\(["\\])/g, '$1');
  if (kind === 'number') return raw.replaceAll(',', '').replace('−', '-');
  return raw;
}
