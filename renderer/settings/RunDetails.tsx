import { KEPT_VALUE, type ServerConfig } from '../../shared/servers.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import styles from './RunDetails.module.css';

/**
 * Exactly what a config runs or where it connects: nothing is cut, folded or joined, so that an argument cannot hide
 * behind others. Only a value whose name speaks of a secret is not spelled out.
 */
export function RunDetails({ config }: { config: ServerConfig }) {
  if (config.type === 'http')
    return (
      <dl className={styles.details}>
        <Row label="Address">
          <code>
            <HiddenText text={config.url} />
          </code>
        </Row>
        {config.transport === 'sse' && <Row label="Transport">HTTP+SSE, the old one</Row>}
        <Names label="Headers" names={config.headers} />
        <Folders config={config} />
      </dl>
    );
  return (
    <dl className={styles.details}>
      <Row label="Command">
        <code>
          <HiddenText text={config.command} />
        </code>
      </Row>
      <Row label="Arguments">
        {config.args?.length ? (
          <ol className={styles.args}>
            {config.args.map((arg, index) => (
              // Arguments are their place and never move while they are shown.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={index}>
                {arg === '' ? (
                  <em>empty</em>
                ) : (
                  <code>
                    <HiddenText text={arg} />
                  </code>
                )}
              </li>
            ))}
          </ol>
        ) : (
          'none'
        )}
      </Row>
      <Names label="Environment" names={config.env} />
      {config.cwd && (
        <Row label="Folder">
          <code>
            <HiddenText text={config.cwd} />
          </code>
        </Row>
      )}
      <Folders config={config} />
    </dl>
  );
}

/** The folders that the server is told of. */
function Folders({ config }: { config: ServerConfig }) {
  if (!config.roots?.length) return null;
  return (
    <Row label="Folders">
      <ul className={styles.names}>
        {config.roots.map(path => (
          <li key={path}>
            <code>
              <HiddenText text={path} />
            </code>
          </li>
        ))}
      </ul>
    </Row>
  );
}

function Names({ label, names }: { label: string; names: Record<string, string> | undefined }) {
  const entries = Object.entries(names ?? {});
  return (
    <Row label={label}>
      {entries.length === 0 ? (
        'nothing added'
      ) : (
        <ul className={styles.names}>
          {entries.map(([name, value]) => (
            <li key={name}>
              <code>
                <HiddenText text={name} />
              </code>{' '}
              <Value name={name} value={value} />
            </li>
          ))}
        </ul>
      )}
    </Row>
  );
}

function Value({ name, value }: { name: string; value: string }) {
  if (value === KEPT_VALUE) return <em>as it is in the file</em>;
  if (/key|token|secret|passw|auth|cookie|credential/i.test(name))
    return <em>{value.length} characters, not shown</em>;
  return (
    <code>
      = <HiddenText text={value} />
    </code>
  );
}

function Row({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
