import { McpServer } from '@modelcontextprotocol/server';
import { addAsking } from './asking.ts';
import { addChart } from './chart.ts';
import { addExtraTool } from './extraTool.ts';
import { addPlain } from './plain.ts';
import { addReading } from './reading.ts';
import { addSlow } from './slow.ts';
import { addVisit } from './visit.ts';
import type { World } from './world.ts';

/** One instance of the sample server, for one connection or one request. */
export function createSampleServer(world: World): McpServer {
  const server = new McpServer(
    { name: 'parley-sample-server', title: 'Parley sample server', version: '1.0.0' },
    {
      instructions:
        'Small tools to try out what an MCP server can do: `add`, `describe-text` and `time-in` answer at once, ' +
        '`draw-chart` answers with a picture, `count-slowly` takes its time and reports progress, `book-table` and ' +
        '`plan-party` ask the person questions, `visit-page` asks them to open a web page on this computer, and ' +
        '`toggle-extra-tool` changes the list of tools. Nothing leaves this computer.',
      requestState: { verify: world.remembered.verify },
    },
  );
  addPlain(server);
  addChart(server);
  addSlow(server);
  addAsking(server);
  addVisit(server, world);
  addExtraTool(server, world);
  addReading(server);
  return server;
}
