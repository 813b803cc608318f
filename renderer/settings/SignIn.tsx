import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { useAction } from './useAction.ts';

/** Begins a sign-in, whose questions appear beside it. */
export function SignIn({ name }: { name: string }) {
  const { run, busy, error } = useAction();
  return (
    <div>
      <Button
        variant="primary"
        size="small"
        disabled={busy}
        onClick={() => void run(() => request('servers.signIn', { name }))}
      >
        Sign in
      </Button>
      {/* That the person did not want to is no news to them. */}
      {error && error.code !== 'auth.declined' && <Callout tone="danger" error={error} />}
    </div>
  );
}
