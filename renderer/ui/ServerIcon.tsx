import type { Icon } from '../../shared/icons.ts';
import { dataUri } from './media.ts';
import styles from './ServerIcon.module.css';

/**
 * The picture that a server gave to something, when it came along with the list: an address is not fetched, which
 * would tell its owner who looks. Nothing is shown for anything but a plain picture.
 */
export function ServerIcon({ icons }: { icons: readonly Icon[] | undefined }) {
  const theme = document.documentElement.dataset.theme;
  const inline = (icons ?? []).filter(({ src }) => src.startsWith('data:'));
  const icon = inline.find(one => one.theme === theme) ?? inline[0];
  const uri = icon && dataUri(icon.src, icon.mimeType ?? '', 'image');
  return uri ? <img className={styles.icon} src={uri} alt="" /> : null;
}
