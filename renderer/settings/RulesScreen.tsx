import type { RuleOrigin, StandingRule } from '../../shared/rules.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { request } from '../stores/host.ts';
import { useRules } from '../stores/rules.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { AuditSection } from './AuditSection.tsx';
import { ConversationRulesList } from './ConversationRulesList.tsx';
import { PictureHosts } from './PictureHosts.tsx';
import styles from './RulesScreen.module.css';
import screen from './Screen.module.css';
import { useAction } from './useAction.ts';

/** Everything that runs, or does not, without a question; each can be taken back. */
export function RulesScreen() {
  const rules = useRules(state => state.rules);
  return (
    <div className={screen.screen}>
      <header className={screen.header}>
        <div>
          <h1>Rules</h1>
          <p className={screen.lead}>
            What you have allowed or denied for longer than one call. Everything else is asked each time.
          </p>
        </div>
      </header>
      <section className={screen.section} aria-labelledby="standing-rules">
        <h2 id="standing-rules">Until you take them back</h2>
        {rules.length === 0 ? (
          <p className={styles.none}>None: every call is asked about.</p>
        ) : (
          <ul className={styles.rules}>
            {rules.map(rule => (
              <Rule
                key={`${rule.scope} ${rule.server} ${rule.scope === 'tool' ? rule.tool : ''}`}
                rule={rule}
              />
            ))}
          </ul>
        )}
      </section>
      <ConversationRulesList />
      <PictureHosts />
      <AuditSection />
    </div>
  );
}

function Rule({ rule }: { rule: StandingRule }) {
  const { run, busy, error } = useAction();
  const { server, since, origin } = rule;
  const what = rule.scope === 'tool' ? rule.tool : 'all other tools';
  const revoke = () =>
    rule.scope === 'tool'
      ? request('tools.setRule', { server, tool: rule.tool, rule: null })
      : request('tools.setServerDefault', { server, rule: { rule: 'ask', allowReadOnly: false } });
  return (
    <li className={styles.rule} data-rule={rule.rule}>
      <div className={styles.what}>
        <p>
          <strong>{ruleWords(rule)}</strong> <HiddenText text={server} /> · <HiddenText text={what} />
        </p>
        <p className={styles.since}>
          Since {new Date(since).toLocaleString()}, {originWords[origin]}
        </p>
        {error && <Callout tone="danger" error={error} />}
      </div>
      <Button
        size="small"
        disabled={busy}
        aria-label={`Revoke: ${ruleWords(rule)} ${server} ${what}`}
        onClick={() => void run(revoke)}
      >
        Revoke
      </Button>
    </li>
  );
}

function ruleWords(rule: StandingRule): string {
  if (rule.scope === 'server' && rule.rule === 'ask') return 'Allowed where read-only:';
  return { allow: 'Always allowed:', deny: 'Denied:', ask: 'Always asked:' }[rule.rule];
}

const originWords: Record<RuleOrigin, string> = {
  approval: 'when you answered a question',
  settings: 'chosen on the server’s page',
  terminal: 'chosen in the terminal',
};
