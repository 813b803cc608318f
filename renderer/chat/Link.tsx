import { createContext, type ReactNode, useContext } from 'react';
import { act } from '../stores/app.ts';
import { request } from '../stores/host.ts';
import styles from './Link.module.css';
import { disguisedHost, openableAddress } from './links.ts';

interface Props {
  href: string | undefined;
  /** What the link says, without markup: emphasis must not hide what it claims. */
  text: string;
  children: ReactNode;
}

/** Whether this stands in the words of a link. */
export const InsideLink = createContext(false);

/** A link that the system opens; plain text when its address may not be opened, or within another link. */
export function Link({ href, text, children }: Props) {
  const address = openableAddress(href);
  if (useContext(InsideLink) || address === undefined) return <span>{children}</span>;
  const hidden = disguisedHost(text, address);
  return (
    <>
      <a
        href={address}
        title={address}
        draggable={false}
        onClick={event => {
          event.preventDefault();
          act(request('app.openLink', { url: address }));
        }}
        onAuxClick={event => event.preventDefault()}
      >
        <InsideLink value={true}>{children}</InsideLink>
      </a>
      {hidden && <span className={styles.disguised}> (leads to {hidden})</span>}
    </>
  );
}
