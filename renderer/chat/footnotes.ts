/**
 * Footnotes are numbered through a whole answer and stand at its end, although its blocks are parsed one by one: each
 * block that refers to one is given it, so that the mark is understood, and the last block holds them all.
 */

/** The label of a footnote, as it stands where it is used: `[^label]`. */
export function isNote(label: string): boolean {
  return label.startsWith('[^');
}

/** A text with numbers for the labels of these footnotes. */
export function numbered(text: string, labels: readonly string[]): string {
  return text.replace(/\[\^[^\]\s]+\]/g, label => {
    const at = labels.indexOf(label.toLowerCase());
    return at === -1 ? label : `[^${at + 1}]`;
  });
}

/** The block at the end. */
export function blockOfNotes(lines: readonly string[], labels: readonly string[]): string {
  return `${numbered(labels.join(''), labels)}\n\n${numbered(lines.join('\n'), labels)}`;
}

/** Whether a block is the one of the footnotes. */
export function isBlockOfNotes(block: string): boolean {
  return /^(\[\^\d+\])+\n\n\[\^1\]:/.test(block);
}
