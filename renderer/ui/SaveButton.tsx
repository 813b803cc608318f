import { useAction } from '../settings/useAction.ts';
import { request } from '../stores/host.ts';
import { Button } from './Button.tsx';
import { Callout } from './Callout.tsx';

interface Props {
  /** An address or a name; its last part is suggested. */
  of: string;
  /** Base64, made on demand. */
  data(): string;
}

/** Writes something to a place that the person chooses. */
export function SaveButton({ of, data }: Props) {
  const saving = useAction();
  const save = () => request('app.saveFile', { name: nameIn(of), data: data() });
  return (
    <>
      <Button size="small" disabled={saving.busy} onClick={() => void saving.run(save)}>
        Save…
      </Button>
      {saving.error && <Callout error={saving.error} />}
    </>
  );
}

function nameIn(address: string): string {
  const last = address.split(/[/?#]/).filter(Boolean).at(-1) ?? 'resource';
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // A server's own spelling.
  }
}
