import { Icon } from '../../shared/icons.ts';

/** More than this is no icon any more; a server with a thousand tools may have one for each. */
const MAX_SRC_LENGTH = 30_000;
/** One for each theme. */
const MAX_ICONS = 2;

/**
 * The usable ones of the icons that a server lists; undefined when there is none.
 * @see the icons section of basic/index in the specification: only https and data, SVG may hold scripts
 */
export function understandIcons(icons: unknown): Icon[] | undefined {
  if (!Array.isArray(icons)) return undefined;
  const usable = icons.slice(0, 20).flatMap(icon => {
    const parsed = Icon.safeParse(icon);
    return parsed.success && isUsable(parsed.data.src) ? parsed.data : [];
  });
  return usable.length > 0 ? usable.slice(0, MAX_ICONS) : undefined;
}

function isUsable(src: string): boolean {
  return src.length <= MAX_SRC_LENGTH && /^(https:\/\/|data:image\/(png|jpeg|gif|webp)[;,])/i.test(src);
}
