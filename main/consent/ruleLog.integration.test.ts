import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../../assets/sample-server/http.ts';
import { tempDir, testPorts } from '../../e2e/support/host.ts';
import { createHost } from '../host.ts';

it('logs each rule that the person sets or takes back, by the tool or for all of a server', async () => {
  const { path, remove } = await tempDir();
  onTestFinished(remove);
  const sample = await serveHttp(0);
  onTestFinished(() => sample.close());
  const servers = { mcpServers: { sample: { type: 'http', url: sample.url } } };
  await writeFile(join(path, 'servers.json'), JSON.stringify(servers));
  const host = await createHost(testPorts(path));
  onTestFinished(host.close);
  await host.manager.settled();
  await host.handlers['tools.setRule']({ server: 'sample', tool: 'add', rule: 'allow' });
  await host.handlers['tools.setRule']({ server: 'sample', tool: 'add', rule: null });
  await host.handlers['tools.setServerDefault']({
    server: 'sample',
    rule: { rule: 'ask', allowReadOnly: true },
  });
  expect(host.audit.read().entries).toMatchObject([
    { event: 'decided', kind: 'rule', server: 'sample', tool: 'add', decision: 'allow', by: 'person' },
    { kind: 'rule', tool: 'add', decision: 'none' },
    { kind: 'rule', server: 'sample', decision: 'ask, and allow what says that it only reads' },
  ]);
});
