import mermaid, { type MermaidConfig } from 'mermaid';

export interface Drawing {
  /** An image document that needs nothing else. */
  svg: string;
  /** What its author says that it shows. */
  title: string | undefined;
}

let drawing: Promise<unknown> = Promise.resolve();

/**
 * Draws a Mermaid diagram, in one theme or the other. What a diagram says about its own settings changes no part of
 * what makes it harmless. Loaded on the first diagram.
 * @throws the library's own error where it cannot read the source
 */
export function drawDiagram(source: string, isDark: boolean): Promise<Drawing> {
  // Its settings are those of the page, so one after another.
  const drawn = drawing.then(() => draw(source, isDark));
  drawing = drawn.catch(() => undefined);
  return drawn;
}

async function draw(source: string, isDark: boolean): Promise<Drawing> {
  mermaid.initialize({ ...settings, theme: isDark ? 'dark' : 'default', fontFamily: fontOfPage() });
  // It measures its texts in the page. They are gone before anybody sees them.
  const place = document.createElement('div');
  place.setAttribute('aria-hidden', 'true');
  place.style.cssText = 'position: fixed; left: -10000px; width: 900px; visibility: hidden; contain: strict';
  document.body.append(place);
  try {
    const { svg } = await mermaid.render('diagram', source, place);
    return asImage(svg);
  } finally {
    place.remove();
  }
}

const settings: MermaidConfig = {
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  // HTML in an image would be drawn by some and not by others.
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  maxTextSize: 20_000,
  maxEdges: 300,
  secure: [
    ...['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering'],
    ...[
      'htmlLabels',
      'flowchart',
      'dompurifyConfig',
      'themeCSS',
      'themeVariables',
      'fontFamily',
      'altFontFamily',
    ],
    ...['theme', 'darkMode', 'layout', 'look'],
  ],
};

function fontOfPage(): string {
  return getComputedStyle(document.documentElement).fontFamily;
}

const MAX_LENGTH = 2_000_000;

/** With a size of its own, which an image needs. */
function asImage(markup: string): Drawing {
  const { documentElement: svg } = new DOMParser().parseFromString(markup, 'image/svg+xml');
  const [, , width = 0, height = 0] = (svg.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (svg.tagName !== 'svg' || !(width > 0 && height > 0) || markup.length > MAX_LENGTH)
    throw new Error('There is no picture in this.');
  svg.setAttribute('width', String(Math.ceil(width)));
  svg.setAttribute('height', String(Math.ceil(height)));
  svg.removeAttribute('style');
  const words = (name: string) => svg.querySelector(`:scope > ${name}`)?.textContent.trim();
  const title = [words('title'), words('desc')].filter(Boolean).join('. ');
  return { svg: new XMLSerializer().serializeToString(svg), title: title === '' ? undefined : title };
}
