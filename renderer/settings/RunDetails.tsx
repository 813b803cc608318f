import { KEPT_VALUE, type ServerConfig } from '../../shared/servers.ts';
import { AuthDetails } from './AuthDetails.tsx';
import styles from './Details.module.css';
import { Detail, Details, Exactly, SecretValue } from './Details.tsx';

/**
 * Exactly what a config runs or where it connects: nothing is cut, folded or joined, so that an argument cannot hide
 * behind others. Only a value whose name speaks of a secret is not spelled out.
 */
export function RunDetails({ config }: { config: ServerConfig }) {
  if (config.type === 'http')
    return (
      <Details>
        <Detail label="Address">
          <Exactly text={config.url} />
        </Detail>
        {config.transport === 'sse' && <Detail label="Transport">HTTP+SSE, the old one</Detail>}
        <Names label="Headers" names={config.headers} />
        {config.auth && (
          <Detail label="Authorization">
            <AuthDetails auth={config.auth} />
          </Detail>
        )}
        <Folders config={config} />
        <Protocol config={config} />
      </Details>
    );
  return (
    <Details>
      <Detail label="Command">
        <Exactly text={config.command} />
      </Detail>
      <Detail label="Arguments">
        {config.args?.length ? (
          <ol className={styles.args}>
            {config.args.map((arg, index) => (
              // Arguments are their place and never move while they are shown.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={index}>{arg === '' ? <em>empty</em> : <Exactly text={arg} />}</li>
            ))}
          </ol>
        ) : (
          'none'
        )}
      </Detail>
      <Names label="Environment" names={config.env} />
      {config.cwd && (
        <Detail label="Folder">
          <Exactly text={config.cwd} />
        </Detail>
      )}
      <Folders config={config} />
      <Protocol config={config} />
    </Details>
  );
}

function Protocol({ config: { era } }: { config: ServerConfig }) {
  return era ? <Detail label="Protocol">only the {era} era</Detail> : null;
}

/** The folders that the server is told of. */
function Folders({ config }: { config: ServerConfig }) {
  if (!config.roots?.length) return null;
  return (
    <Detail label="Folders">
      <ul className={styles.names}>
        {config.roots.map(path => (
          <li key={path}>
            <Exactly text={path} />
          </li>
        ))}
      </ul>
    </Detail>
  );
}

function Names({ label, names }: { label: string; names: Record<string, string> | undefined }) {
  const entries = Object.entries(names ?? {});
  return (
    <Detail label={label}>
      {entries.length === 0 ? (
        'nothing added'
      ) : (
        <ul className={styles.names}>
          {entries.map(([name, value]) => (
            <li key={name}>
              <Exactly text={name} /> <Value name={name} value={value} />
            </li>
          ))}
        </ul>
      )}
    </Detail>
  );
}

function Value({ name, value }: { name: string; value: string }) {
  if (value === KEPT_VALUE || /key|token|secret|passw|auth|cookie|credential/i.test(name))
    return <SecretValue value={value} />;
  return (
    <>
      = <Exactly text={value} />
    </>
  );
}
