import { Icon } from '../../shared/icons.ts';

/** More than this is no icon any more. */
const MAX_SRC_LENGTH = 100_000;
const MAX_ICONS = 8;

/**
 * The usable ones of the icons that a server lists; undefined when there is none.
 * @see the icons section of basic/index in the specification: only https and data, SVG may hold scripts
 */
export function understandIcons(icons: unknown): Icon[] | undefined {
  if (!Array.isArray(icons)) return undefined;
  const usable = icons.slice(0, MAX_ICONS).flatMap(icon => {
    const parsed = Icon.safeParse(icon);
    const { src = '' } = parsed.data ?? {};
    return parsed.success && src.length <= MAX_SRC_LENGTH && /^(https:|data:image\/)/i.test(src)
      ? parsed.data
      : [];
  });
  return usable.length > 0 ? usable : undefined;
}
