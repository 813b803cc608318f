import type { ConversationSettings } from '../../shared/conversationSettings.ts';
import type { ToolInfo } from '../../shared/tools.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { useServers } from '../stores/servers.ts';
import { useTools } from '../stores/tools.ts';
import { Switch } from '../ui/Switch.tsx';
import styles from './ToolsHere.module.css';

interface Props {
  settings: ConversationSettings;
  onChange(change: Pick<ConversationSettings, 'serversOff' | 'toolsOff'>): void;
}

/** Which servers, and which of their tools, a conversation offers to its model. */
export function ToolsHere({ settings, onChange }: Props) {
  const servers = useServers(state => state.servers).filter(({ state }) => state !== 'off');
  const tools = useTools(state => state.tools);
  const { serversOff = [], toolsOff = [] } = settings;
  const switchServer = (name: string, on: boolean) =>
    onChange({ serversOff: on ? serversOff.filter(off => off !== name) : [...serversOff, name] });
  const switchTool = ({ server, name }: ToolInfo, on: boolean) => {
    const others = toolsOff.filter(off => off.server !== server || off.tool !== name);
    onChange({ toolsOff: on ? others : [...others, { server, tool: name }] });
  };
  return (
    <fieldset className={styles.servers}>
      <legend className={styles.legend}>Servers and tools</legend>
      {servers.length === 0 && <p className={styles.note}>There is no server that is on.</p>}
      {servers.map(({ name }) => {
        const own = tools.filter(({ server, enabled }) => server === name && enabled);
        const isOn = !serversOff.includes(name);
        const off = own.filter(tool => toolsOff.some(one => one.server === name && one.tool === tool.name));
        return (
          <section key={name} className={styles.server} aria-label={name}>
            <Switch label={name} checked={isOn} onChange={on => switchServer(name, on)} />
            {isOn && own.length > 0 && (
              <details>
                <summary>
                  {off.length === 0
                    ? `${own.length} ${own.length === 1 ? 'tool' : 'tools'}`
                    : `${own.length - off.length} of ${own.length} tools`}
                </summary>
                <ul className={styles.tools}>
                  {own.map(tool => (
                    <li key={tool.name}>
                      <label>
                        <input
                          type="checkbox"
                          checked={!off.includes(tool)}
                          onChange={event => switchTool(tool, event.target.checked)}
                        />{' '}
                        <HiddenText text={tool.title ?? tool.name} />
                      </label>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </section>
        );
      })}
    </fieldset>
  );
}
