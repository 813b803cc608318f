import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { Asks } from '../../main/consent/asks.ts';
import { openDatabase } from '../../main/database.ts';
import { HostEvents } from '../../main/events.ts';
import { Network } from '../../main/network/network.ts';
import type { Ports } from '../../main/ports.ts';
import { ClientManager } from '../../main/servers/clientManager.ts';
import { ServersConfig } from '../../main/servers/config.ts';
import type { Sample } from '../../main/servers/types.ts';
import type { HostEvent } from '../../shared/ipc.ts';
import { ownServer, tempDir, testPorts } from './host.ts';

/** A client manager on a servers.json of its own, with everything a test wants to look at. Ends with the test. */
export async function startManager(
  mcpServers: Record<string, unknown>,
  options: {
    ports?: Partial<Ports>;
    dataDir?: string;
    sample?: Sample;
    recordsTraffic?: () => boolean;
    restartPausesMs?: number[];
  } = {},
) {
  const temp = options.dataDir ? undefined : await tempDir();
  const dataDir = options.dataDir ?? (temp?.path as string);
  const file = join(dataDir, 'servers.json');
  await writeFile(file, JSON.stringify({ mcpServers }));
  const hostEvents = new HostEvents();
  const events: HostEvent[] = [];
  hostEvents.on(event => events.push(event));
  const ports = testPorts(dataDir, options.ports);
  const asks = new Asks(hostEvents.emit);
  const config = new ServersConfig(file);
  const db = openDatabase(join(dataDir, 'parley.db'));
  const sample: Sample = options.sample ?? (() => Promise.reject(new Error('There is no language model.')));
  const { recordsTraffic = () => true } = options;
  const network = new Network(ports);
  const manager = new ClientManager({
    ports,
    send: network.send,
    config,
    asks,
    sample,
    db,
    emit: hostEvents.emit,
    recordsTraffic,
    restartPausesMs: options.restartPausesMs,
  });
  await manager.start();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= (async () => {
      asks.close();
      await manager.close();
      await network.close();
      await config.close();
      db.close();
      await temp?.remove();
    })();
    return closed;
  };
  onTestFinished(close);
  const view = (name: string) => manager.views().find(candidate => candidate.name === name);
  return { manager, network, asks, config, db, ports, events, file, dataDir, close, view };
}

/** Waits until the server is in the state; fails with what it is in instead. */
export async function reaches(manager: ClientManager, name: string, state: string): Promise<void> {
  await vi.waitFor(
    () => {
      const view = manager.views().find(candidate => candidate.name === name);
      if (view?.state !== state) throw new Error(`${name} is ${view?.state}: ${JSON.stringify(view?.error)}`);
    },
    { timeout: 25_000, interval: 20 },
  );
}

/** An entry for a node program. */
export function nodeEntry(script: string, args: string[] = [], env: Record<string, string> = {}) {
  return { command: process.execPath, args: [script, ...args], env };
}

/** An entry for the sample server as `bundle('sampleServer')` built it. */
export function sampleEntry(built: { dir: string }) {
  return nodeEntry(join(built.dir, 'sample-server.js'));
}

/** An entry for the misbehaving server. */
export function rawEntry(env: Record<string, string> = {}) {
  return nodeEntry(ownServer('raw.mjs'), [], env);
}
