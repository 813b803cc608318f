import { Check, Copy } from 'lucide-react';
import { type ButtonHTMLAttributes, useEffect, useState } from 'react';
import { act } from '../stores/app.ts';
import { request } from '../stores/host.ts';
import { IconButton } from './IconButton.tsx';

const SHOWN_MS = 1500;

interface Props extends Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'tabIndex' | 'aria-keyshortcuts'> {
  /** Or what makes it, when that is worth doing only on demand. */
  text: string | (() => string);
  label: string;
}

/** Copies `text` exactly as it is and says so for a moment. */
export function CopyButton({ text, label, ...rest }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await request('app.copyText', { text: typeof text === 'string' ? text : text() });
    setCopied(true);
  };
  return (
    <IconButton label={copied ? 'Copied' : label} onClick={() => act(copy())} {...rest}>
      {copied ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
    </IconButton>
  );
}
