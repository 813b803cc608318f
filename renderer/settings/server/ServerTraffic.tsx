import { Pause, Play, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../../shared/errors.ts';
import type { ServerView } from '../../../shared/servers.ts';
import type { TrafficEntry } from '../../../shared/traffic.ts';
import { act } from '../../stores/app.ts';
import { request } from '../../stores/host.ts';
import { useSettings } from '../../stores/settings.ts';
import { clearTraffic, closeTraffic, openTraffic, useTraffic } from '../../stores/traffic.ts';
import { Button } from '../../ui/Button.tsx';
import { Callout } from '../../ui/Callout.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from './ServerTraffic.module.css';
import { TrafficList } from './TrafficList.tsx';
import { EVERYTHING, filterTraffic, type TrafficFilter } from './trafficFilter.ts';
import { trafficJson } from './trafficJson.ts';

const directions = [
  { value: 'all', label: 'Both directions' },
  { value: 'sent', label: 'Sent by Parley' },
  { value: 'received', label: 'Sent by the server' },
];
const kinds = [
  { value: 'all', label: 'All kinds' },
  { value: 'requests', label: 'Requests' },
  { value: 'answers', label: 'Answers' },
  { value: 'errors', label: 'Errors' },
  { value: 'notifications', label: 'Notifications' },
];

/** The messages between Parley and a server as they went over the wire; followed while it is open. */
export function ServerTraffic({ server: { name } }: { server: ServerView }) {
  const open = useTraffic(state => (state.open?.name === name ? state.open : undefined));
  const [error, setError] = useState<ErrorInfo>();
  const [filter, setFilter] = useState(EVERYTHING);
  /** What is shown while the list stands still. */
  const [held, setHeld] = useState<TrafficEntry[]>();

  useEffect(() => {
    openTraffic(name).catch((reason: unknown) => setError(toErrorInfo(reason)));
    return () => act(closeTraffic(name));
  }, [name]);

  if (error) return <Callout error={error} />;
  if (!open) return <p className={styles.empty}>Reading the messages…</p>;
  const entries = held ?? open.entries;
  const shown = filterTraffic(entries, filter);
  const clear = () => {
    setHeld(undefined);
    act(clearTraffic(name));
  };
  return (
    <div className={styles.frame}>
      <Filters filter={filter} onChange={setFilter} />
      <div className={styles.actions}>
        <Button size="small" onClick={() => setHeld(held ? undefined : open.entries)}>
          {held ? <Play size={14} aria-hidden="true" /> : <Pause size={14} aria-hidden="true" />}
          {held ? 'Resume' : 'Pause'}
        </Button>
        <span role="status" className={styles.status}>
          {held ? `Paused. ${countNew(held, open.entries)} new.` : ''}
        </span>
        <RecordingSwitch />
        {shown.length > 0 && <CopyButton text={() => trafficJson(shown)} label="Copy all shown as JSON" />}
        <IconButton label="Clear" onClick={clear}>
          <Trash2 size={15} aria-hidden="true" />
        </IconButton>
      </div>
      {open.missed && !held && (
        <p className={styles.empty}>
          Some messages came too fast to be shown at once.{' '}
          <Button size="small" variant="ghost" onClick={() => act(openTraffic(name))}>
            Read again
          </Button>
        </p>
      )}
      {shown.length > 0 ? (
        <TrafficList name={name} entries={shown} />
      ) : (
        <Empty isFiltered={entries.length > 0} />
      )}
    </div>
  );
}

function Filters({ filter, onChange }: { filter: TrafficFilter; onChange(filter: TrafficFilter): void }) {
  return (
    <div className={styles.filters}>
      <TextField
        label="Search the messages"
        type="search"
        value={filter.words}
        onChange={words => onChange({ ...filter, words })}
      />
      <Select
        label="Direction"
        value={filter.direction}
        options={directions}
        onChange={direction => onChange({ ...filter, direction: direction as TrafficFilter['direction'] })}
      />
      <Select
        label="Kind"
        value={filter.kind}
        options={kinds}
        onChange={kind => onChange({ ...filter, kind: kind as TrafficFilter['kind'] })}
      />
    </div>
  );
}

function RecordingSwitch() {
  const isRecording = useSettings(state => state.settings.recordTraffic);
  return (
    <Switch
      label="Record, for all servers"
      checked={isRecording}
      onChange={recordTraffic => act(request('settings.update', { recordTraffic }))}
    />
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const isRecording = useSettings(state => state.settings.recordTraffic);
  const words = isRecording
    ? 'No messages yet. What Parley and this server send each other shows here, without secrets.'
    : 'Messages are not recorded. Switch that on to see what Parley and this server send each other.';
  return <p className={styles.empty}>{isFiltered ? 'No message fits.' : words}</p>;
}

/** How many have come since. */
function countNew(held: TrafficEntry[], entries: TrafficEntry[]): number {
  const last = held.at(-1)?.number ?? 0;
  return entries.filter(({ number }) => number > last).length;
}
