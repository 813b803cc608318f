import { createScanner, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/**
 * Edits of JSON with comments that touch nothing but the member they are about: every other byte, comments and commas
 * included, stays where it is. (`modify` of jsonc-parser formats the whole line around an edit, and takes the
 * comments next to a removed member along.)
 */

/** Sets the member at `path`, whose parents are created as needed. */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const root = objectTree(text);
  const existing = findNodeAtLocation(root, [...path]);
  if (existing) {
    return splice(text, existing.offset, existing.length, render(value, indentOfLine(text, existing), text));
  }
  const parentPath = path.slice(0, -1);
  const key = path.at(-1) as string;
  const parent = findNodeAtLocation(root, parentPath);
  return parent ? insert(text, parent, key, value) : setMember(text, parentPath, { [key]: value });
}

/** Removes the member at `path`, with one comma; a line that is empty then goes too. */
export function removeMember(text: string, path: readonly string[]): string {
  const member = findNodeAtLocation(objectTree(text), [...path])?.parent;
  const siblings = member?.parent?.children;
  if (!member || !siblings) return text;
  const end = member.offset + member.length;
  const after = nextComma(text, end);
  if (after !== undefined) return cut(text, member.offset, after + 1);
  const previous = siblings[siblings.indexOf(member) - 1];
  const rest = cut(text, member.offset, end);
  const before = previous && nextComma(text, previous.offset + previous.length);
  return before === undefined ? rest : splice(rest, before, 1, '');
}

/** Gives the member at `path` another name; its place and its value stay. */
export function renameMember(text: string, path: readonly string[], name: string): string {
  const key = findNodeAtLocation(objectTree(text), [...path])?.parent?.children?.[0];
  return key ? splice(text, key.offset, key.length, JSON.stringify(name)) : text;
}

function objectTree(text: string): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root?.type !== 'object') throw new Error('Only JSON objects can be edited.');
  return root;
}

function insert(text: string, parent: Node, key: string, value: unknown): string {
  const close = parent.offset + parent.length - 1;
  // After everything that is there, comments too, and before the white space in front of the brace.
  const at = text.slice(0, close).trimEnd().length;
  const last = parent.children?.at(-1);
  const lastEnd = last ? last.offset + last.length : undefined;
  const needsComma = lastEnd !== undefined && nextComma(text, lastEnd) === undefined;
  const isOneLine = last !== undefined && !text.slice(parent.offset, close).includes('\n');
  const eol = eolOf(text);
  const outer = indentOfLine(text, parent);
  const inner = outer + indentUnit(text);
  const member = isOneLine
    ? ` ${JSON.stringify(key)}: ${JSON.stringify(value)}`
    : `${eol}${inner}${JSON.stringify(key)}: ${render(value, inner, text)}`;
  const needsLine = !isOneLine && !text.slice(at, close).includes('\n');
  const inserted = splice(text, at, 0, member + (needsLine ? eol + outer : ''));
  return needsComma ? splice(inserted, lastEnd, 0, ',') : inserted;
}

/** Where the comma is that follows `from`, if one does; comments in between do not count. */
function nextComma(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

/** Takes a piece out, with the spaces before it; a line that held nothing else goes too. */
function cut(text: string, from: number, to: number): string {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const lineEnd = text.indexOf('\n', to);
  const before = text.slice(lineStart, from);
  const isFirst = before.trim() === '';
  const isAlone = isFirst && lineStart > 0 && lineEnd !== -1 && text.slice(to, lineEnd).trim() === '';
  if (isAlone) return splice(text, lineStart, lineEnd + 1 - lineStart, '');
  const start = isFirst ? from : lineStart + before.trimEnd().length;
  return splice(text, start, to - start, '');
}

function render(value: unknown, indent: string, text: string): string {
  const eol = eolOf(text);
  return JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', `${eol}${indent}`);
}

/** The white space at the beginning of the line on which a node starts. */
function indentOfLine(text: string, node: Node): string {
  const line = text.slice(text.lastIndexOf('\n', node.offset - 1) + 1, node.offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** The first indented line tells how the file is indented. */
function indentUnit(text: string): string {
  return /^(\t|[ ]{1,8})[ ]*\S/m.exec(text)?.[1] ?? '  ';
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function splice(text: string, at: number, length: number, replacement: string): string {
  return text.slice(0, at) + replacement + text.slice(at + length);
}
