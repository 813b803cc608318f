import { GUIDE } from '../../shared/settings.ts';
import { needsSignIn } from '../settings/words.ts';
import { act, go } from '../stores/app.ts';
import { sendMessage } from '../stores/conversations.ts';
import { useServers } from '../stores/servers.ts';
import { useSettings } from '../stores/settings.ts';
import { useTools } from '../stores/tools.ts';
import { Button } from '../ui/Button.tsx';
import styles from './Welcome.module.css';

/** Sentences that work with the sample server, whoever answers. */
const examples = ['add 19 and 23', 'book a table', 'draw a chart of 3, 8, 5 and 13', 'count slowly to 5'];

/** Before the first message: what can be done here, and something to try at once. */
export function Welcome() {
  const guide = useSettings(state => state.model.model === GUIDE);
  const servers = useServers(state => state.servers);
  const tools = useTools(state => state.tools);
  const ready = servers.filter(({ state }) => state === 'ready');
  const connecting = servers.filter(({ state }) => state === 'connecting');
  const waiting = servers.filter(needsSignIn);
  const failed = servers.filter(server => server.state === 'failed' && !needsSignIn(server));
  const offered = tools.filter(({ enabled }) => enabled).length;
  const sample = tools.some(tool => tool.server === 'sample' && tool.name === 'add' && tool.enabled);
  return (
    <section className={styles.welcome} aria-label="Welcome">
      <h2>What shall we do?</h2>
      <p>
        {guide
          ? 'The Guide finds the tool that fits your words and calls it; a language model can do much more.'
          : 'The model can use the tools of your servers. You see and decide every call.'}
      </p>
      <p className={styles.state}>
        {ready.length === 0 && connecting.length === 0
          ? 'No server is connected.'
          : `${offered} ${offered === 1 ? 'tool' : 'tools'} of ${ready.map(({ name }) => name).join(', ') || 'no server yet'}.`}
        {connecting.length > 0 && ` Connecting: ${connecting.map(({ name }) => name).join(', ')}…`}
        {waiting.length > 0 && ` To sign in to: ${waiting.map(({ name }) => name).join(', ')}.`}
        {failed.length > 0 && ` Failed: ${failed.map(({ name }) => name).join(', ')}.`}{' '}
        <button type="button" className={styles.link} onClick={() => go('servers')}>
          {ready.length === 0 || waiting.length > 0 || failed.length > 0
            ? 'Look at the servers'
            : 'Add your own'}
        </button>
      </p>
      {sample && (
        <ul className={styles.examples} aria-label="Examples">
          {examples.map(example => (
            <li key={example}>
              <Button onClick={() => act(sendMessage(example))}>{example}</Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
