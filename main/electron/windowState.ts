import { readFileSync } from 'node:fs';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';

const Saved = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number().min(480),
  height: z.number().min(400),
  maximized: z.boolean(),
});

interface WindowState {
  bounds: Partial<Rectangle> & { width: number; height: number };
  maximized: boolean;
  /** Saves the window's place when it closes. */
  follow(window: BrowserWindow): void;
}

/** Where the window was last time, if that place is still on a screen. */
export function trackWindowState(file: string): WindowState {
  const saved = read(file);
  const onScreen = saved && screen.getAllDisplays().some(display => overlaps(display.workArea, saved));
  return {
    bounds: onScreen
      ? { x: saved.x, y: saved.y, width: saved.width, height: saved.height }
      : { width: saved?.width ?? 1180, height: saved?.height ?? 800 },
    maximized: saved?.maximized ?? false,
    follow(window) {
      window.on('close', () => {
        const state = { ...window.getNormalBounds(), maximized: window.isMaximized() };
        writeFileAtomic.sync(file, `${JSON.stringify(state)}\n`);
      });
    },
  };
}

/** A lost or damaged file costs no more than a default window. */
function read(file: string): z.infer<typeof Saved> | undefined {
  try {
    return Saved.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** At least a corner that can be grabbed must be visible. */
function overlaps(area: Rectangle, window: Rectangle): boolean {
  const right = Math.min(area.x + area.width, window.x + window.width);
  const bottom = Math.min(area.y + area.height, window.y + window.height);
  return right - Math.max(area.x, window.x) >= 100 && bottom - Math.max(area.y, window.y) >= 100;
}
