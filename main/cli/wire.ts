import type { EventPayload } from '../../shared/ipc.ts';
import type { Host } from '../host.ts';
import type { Output } from './output.ts';
import { oneLine, printableJson } from './plainText.ts';

/** `--wire`: every message between Parley and its servers, as one line of JSON each, beside the result. */
export function printTraffic({ manager, events, snapshot }: Host, output: Output): void {
  if (!snapshot().settings.recordTraffic)
    output.note('There are no messages to show: recordTraffic is false in settings.json.');
  const printed = new Map<string, number>();
  const print = ({ name, entries }: EventPayload<'server.traffic'>) => {
    for (const { number, direction, text } of entries) {
      const last = printed.get(name) ?? 0;
      if (number <= last) continue;
      if (number > last + 1) output.note(`${oneLine(name)}: ${number - last - 1} messages left out`);
      printed.set(name, number);
      output.note(`${oneLine(name)} ${direction === 'sent' ? '→' : '←'} ${printableJson(parsed(text))}`);
    }
  };
  events.on(event => event.name === 'server.traffic' && print(event.payload));
  for (const { name } of manager.views()) {
    manager.followTraffic(name, true);
    print({ name, entries: manager.traffic(name) });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // Such as the page of a gateway.
  }
}
