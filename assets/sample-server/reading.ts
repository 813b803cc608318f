/** Things to read and to start from: a resource, a resource template, a prompt. */
import {
  completable,
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const about = `# Parley sample server

A server to try things with. Everything it does happens on this computer.

- Ask for a sum: “add 19 and 23”.
- Ask for a picture: “draw a chart of 3, 1, 4, 1, 5”.
- Watch progress, and stop it: “count slowly to 20”.
- Be asked: “book a table”, “plan a party”, “visit the page”.
- See the list of tools change: “toggle the extra tool”.
`;

const recipes = new Map([
  ['pancakes', 'Stir 200 g flour, 400 ml milk, 2 eggs and a pinch of salt. Wait 20 minutes. Fry thin.'],
  ['porridge', 'Simmer 50 g oats in 250 ml milk for 5 minutes. Add honey.'],
  ['salad', 'Cut a cucumber and two tomatoes. Add oil, lemon and salt.'],
]);
const named = (start: string) => [...recipes.keys()].filter(name => name.startsWith(start));

export function addReading(server: McpServer): void {
  server.registerResource(
    'about',
    'sample://about',
    { title: 'About this server', description: 'What there is to try.', mimeType: 'text/markdown' },
    uri => ({ contents: [{ uri: uri.href, mimeType: 'text/markdown', text: about }] }),
  );

  server.registerResource(
    'recipe',
    new ResourceTemplate('sample://recipes/{name}', {
      list: () => ({
        resources: [...recipes.keys()].map(name => ({
          uri: `sample://recipes/${name}`,
          name,
          title: `A recipe for ${name}`,
          mimeType: 'text/plain',
        })),
      }),
      complete: { name: named },
    }),
    { title: 'Recipe', description: 'A very short recipe.', mimeType: 'text/plain' },
    (uri, { name }) => {
      const recipe = recipes.get(String(name));
      if (recipe === undefined) throw new ResourceNotFoundError(uri.href);
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: recipe }] };
    },
  );

  server.registerPrompt(
    'cook',
    {
      title: 'Cook something',
      description: 'Asks for a shopping list and a plan for a dish.',
      argsSchema: z.object({
        dish: completable(z.string().describe('What to cook'), named),
        people: z.string().optional().describe('For how many people'),
      }),
    },
    ({ dish, people = '2' }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `Write a shopping list and a plan to cook ${dish} for ${people} people.`,
          },
        },
      ],
    }),
  );
}
