interface Node {
  type: string;
  value?: string;
  children?: Node[];
}

/** HTML stays text, but for `<br>`: it is the only way to a second line in the cell of a table. */
export function remarkLineBreaks() {
  return breakLines;
}

function breakLines({ children = [] }: Node): void {
  children.forEach((child, at) => {
    if (child.type === 'html' && /^<br\s*\/?>$/i.test(child.value ?? '')) children[at] = { type: 'break' };
    else breakLines(child);
  });
}
