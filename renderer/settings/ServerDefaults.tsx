import type { ServerDefault, StandingRule } from '../../shared/rules.ts';
import type { ToolRule } from '../../shared/tools.ts';
import { request } from '../stores/host.ts';
import { useRules } from '../stores/rules.ts';
import { Callout } from '../ui/Callout.tsx';
import { Select } from '../ui/Select.tsx';
import { Switch } from '../ui/Switch.tsx';
import styles from './ServerDefaults.module.css';
import { useAction } from './useAction.ts';

const choices: { value: ToolRule; label: string }[] = [
  { value: 'ask', label: 'Ask me each time' },
  { value: 'allow', label: 'Always allow' },
  { value: 'deny', label: 'Deny' },
];

/** What happens when the model calls a tool of this server that has no rule of its own. */
export function ServerDefaults({ server }: { server: string }) {
  const given = useRules(({ rules }) => rules.find(rule => isOf(rule, server)));
  const { run, busy, error } = useAction();
  const present: ServerDefault = given ?? { rule: 'ask', allowReadOnly: false };
  const change = (part: Partial<ServerDefault>) => {
    const { rule, allowReadOnly } = { ...present, ...part };
    void run(() => request('tools.setServerDefault', { server, rule: { rule, allowReadOnly } }));
  };
  return (
    <section className={styles.defaults} aria-label="Default for the tools of this server">
      <Select
        label="When the model calls a tool without a rule of its own"
        value={present.rule}
        options={choices}
        disabled={busy}
        onChange={rule => change({ rule: rule as ToolRule })}
      />
      {present.rule === 'ask' && (
        <Switch
          label="Allow tools that say they are read-only"
          checked={present.allowReadOnly}
          disabled={busy}
          onChange={allowReadOnly => change({ allowReadOnly })}
        />
      )}
      {given && <p className={styles.hint}>{scope(given)}</p>}
      {error && <Callout tone="danger" error={error} />}
    </section>
  );
}

type ServerRule = Extract<StandingRule, { scope: 'server' }>;

function isOf(rule: StandingRule, server: string): rule is ServerRule {
  return rule.scope === 'server' && rule.server === server;
}

function scope({ rule, covers }: ServerRule): string | undefined {
  if (rule === 'deny') return 'No tool of this server runs, unless it has a rule of its own.';
  const tools = covers === 1 ? 'the one tool' : `the ${covers} tools`;
  return rule === 'allow'
    ? `This holds for ${tools} that the server had when you chose it. A tool that is new or has changed since is asked about.`
    : `That is only the server's own word. It counts for ${tools} that the server had when you chose it; one that is new or has changed since is asked about.`;
}
