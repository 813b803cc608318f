import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testPorts } from '../../e2e/support/host.ts';
import { createHost } from '../../main/host.ts';
import { runTool } from '../../main/tools/runner.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { Contender } from './contender.ts';

/**
 * Parley's host on an ordinary data directory. Kept between the rounds, it holds the era of each server and the
 * person's rules; the tool that is called is always allowed.
 */
export const contender: Contender = {
  async connect(servers) {
    const dataDir = process.env.PARLEY_BENCH_DATA ?? '';
    await writeFile(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: servers }));
    const host = await createHost(testPorts(dataDir, { envIsFromShell: true }));
    await host.manager.settled();
    const { registry, policy, grants, asks, audit, manager } = host;
    const tools = new Map(
      registry.list().map(({ server, name, modelName }) => [`${server}/${name}`, modelName]),
    );
    const allowed = new Set<string>();
    return {
      tools: tools.size,
      async call(server, name, args) {
        const modelName = tools.get(`${server}/${name}`) ?? '';
        if (!allowed.has(modelName)) registry.setRule(server, name, 'allow', 'settings');
        allowed.add(modelName);
        const tool = registry.resolve(modelName);
        if (!tool) throw new Error(`There is no ${name}.`);
        const { result, error } = await runTool(
          { registry, policy, grants, asks, audit, manager },
          {
            tool,
            input: args as JsonObject,
            callId: 'bench',
            signal: new AbortController().signal,
            onUpdate: () => {},
          },
        );
        if (!result) throw new Error(error?.message);
        const [content] = result.content;
        return typeof content?.text === 'string' ? content.text : '';
      },
      close: () => host.close(),
    };
  },
};
