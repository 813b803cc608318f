import { ShieldOff } from 'lucide-react';
import { act } from '../stores/app.ts';
import { request } from '../stores/host.ts';
import { useRules } from '../stores/rules.ts';
import { Button } from '../ui/Button.tsx';
import styles from './FullAutoBanner.module.css';

/** As long as a conversation runs everything without asking, it says so, with the way to end that. */
export function FullAutoBanner({ conversationId }: { conversationId: string | undefined }) {
  const on = useRules(({ conversations }) =>
    conversationId === undefined ? false : conversations[conversationId]?.fullAuto !== undefined,
  );
  if (!on || conversationId === undefined) return null;
  return (
    <div className={styles.banner} role="alert">
      <ShieldOff size={18} aria-hidden="true" />
      <p>Full auto: every tool runs in this conversation without asking you.</p>
      <Button
        variant="danger"
        size="small"
        onClick={() => act(request('chat.setFullAuto', { conversationId, on: false }))}
      >
        Ask me again
      </Button>
    </div>
  );
}
