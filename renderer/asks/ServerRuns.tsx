import { useServers } from '../stores/servers.ts';
import { HiddenText } from './HiddenText.tsx';

/** What stands behind a server's name: the command that runs, or the address. Nothing of it is cut. */
export function ServerRuns({ server }: { server: string }) {
  const config = useServers(state => state.servers.find(({ name }) => name === server)?.config);
  if (!config) return null;
  return config.type === 'http' ? (
    <>
      , at{' '}
      <code>
        <HiddenText text={config.url} />
      </code>
    </>
  ) : (
    <>
      , which runs{' '}
      {[config.command, ...(config.args ?? [])].map((word, index) => (
        // Words of a command are their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <code key={index}>
          <HiddenText text={word === '' ? '""' : word} />{' '}
        </code>
      ))}
    </>
  );
}
