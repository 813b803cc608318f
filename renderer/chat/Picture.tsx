import { ImageOff } from 'lucide-react';
import { useContext, useEffect, useRef, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Button } from '../ui/Button.tsx';
import { keepNewest } from './keepNewest.ts';
import { InsideLink, Link } from './Link.tsx';
import styles from './Picture.module.css';

interface Props {
  src: string | undefined;
  alt: string | undefined;
}

/**
 * A picture in an answer. One that is part of the text is shown; one from the internet, which would tell its host who
 * reads and when, once the person wants to see it. Every other address is a link or text.
 */
export function Picture({ src = '', alt = '' }: Props) {
  const isInLink = useContext(InsideLink);
  if (/^data:image\/(png|jpeg|gif|webp);base64,/i.test(src)) return <img src={src} alt={alt} />;
  if (/^https:/i.test(src) && URL.canParse(src) && !isInLink)
    return <OutsidePicture key={src} address={src} alt={alt} />;
  const words = alt || (src.startsWith('data:') ? '' : src) || 'picture';
  return (
    <Link href={src} text={words}>
      {words}
    </Link>
  );
}

/** Those that were fetched, by address: a list that scrolls takes its messages away and puts them back. */
const fetched = new Map<string, string>();

function OutsidePicture({ address, alt }: { address: string; alt: string }) {
  const { host } = new URL(address);
  const hosts = useSettings(state => state.settings.pictureHosts);
  const isAllowed = hosts.includes(host);
  const [data, setData] = useState(() => fetched.get(address));
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<ErrorInfo>();
  const image = useRef<HTMLImageElement>(null);
  const isWanted = !data && !error && (asked || isAllowed);
  useEffect(() => {
    if (!isWanted) return;
    let gone = false;
    request('pictures.load', { url: address, once: asked }).then(
      picture => {
        const loaded = `data:${picture.mimeType};base64,${picture.data}`;
        keepNewest(fetched, address, loaded);
        if (!gone) setData(loaded);
      },
      reason => {
        if (gone) return;
        setError(toErrorInfo(reason));
        setAsked(false);
      },
    );
    return () => {
      gone = true;
    };
  }, [isWanted, asked, address]);
  // It takes the place of the button that the person pressed, and with it the focus.
  useEffect(() => {
    if (data && asked) image.current?.focus();
  }, [data, asked]);
  if (data) return <img ref={image} src={data} alt={alt} title={address} tabIndex={-1} />;
  const showOnce = () => {
    setError(undefined);
    setAsked(true);
  };
  const showAlways = async () => {
    setError(undefined);
    try {
      await request('settings.update', { pictureHosts: [...new Set([...hosts, host])] });
    } catch (reason) {
      setError(toErrorInfo(reason));
    }
  };
  return (
    <span className={styles.placeholder} title={address}>
      <ImageOff size={16} aria-hidden="true" />
      <span className={styles.words}>
        {alt || 'A picture'} <span className={styles.host}>from {host}</span>
      </span>
      {isWanted ? (
        <span role="status">is being fetched …</span>
      ) : (
        <>
          <Button size="small" onClick={showOnce}>
            {error ? 'Try again' : 'Show this picture'}
          </Button>
          {!isAllowed && (
            <Button size="small" onClick={() => void showAlways()}>
              Always from {host}
            </Button>
          )}
        </>
      )}
      {error && (
        <span className={styles.error} role="alert">
          {error.message} {error.hint}
        </span>
      )}
    </span>
  );
}
