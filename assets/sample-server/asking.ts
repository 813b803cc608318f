/**
 * Tools that ask the person (specification page client/elicitation): a form with every kind of field, and several
 * questions in one round. Each of accept, decline and cancel gets an answer of its own.
 */
import {
  acceptedContent,
  type ElicitRequestFormParams,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { text } from './plain.ts';

type Form = ElicitRequestFormParams['requestedSchema'];

export function addAsking(server: McpServer): void {
  server.registerTool(
    'book-table',
    {
      title: 'Book a table',
      description: 'Books a table at an imaginary restaurant. Asks the person for the details in a form.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    (_args, { mcpReq }) => {
      const refusal = refusalOf(mcpReq, 'booking');
      if (refusal === 'decline') return text('No table was booked: the person declined.');
      if (refusal === 'cancel') return text('No table was booked: the person closed the form.');
      const booking = acceptedContent(mcpReq.inputResponses, 'booking', bookingSchema);
      if (booking) return text(confirm(booking));
      const again = mcpReq.inputResponses === undefined ? '' : 'Something in the form was not right. ';
      return inputRequired({
        inputRequests: {
          booking: inputRequired.elicit({
            message: `${again}When shall we expect you?`,
            requestedSchema: bookingForm,
          }),
        },
      });
    },
  );

  server.registerTool(
    'plan-party',
    {
      title: 'Plan a party',
      description:
        'Plans a small party. Asks the person two questions at once: about the food and the music.',
      inputSchema: z.object({ occasion: z.string().default('party').describe('What is celebrated') }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ occasion }, { mcpReq }) => {
      if (mcpReq.inputResponses !== undefined) {
        return text(
          [
            `Plan for the ${occasion}:`,
            `- Food: ${answered(mcpReq, 'food', foodSchema, ({ dish }) => dish)}`,
            `- Music: ${answered(mcpReq, 'music', musicSchema, ({ style, loud }) => `${style}, ${loud ? 'loud' : 'soft'}`)}`,
          ].join('\n'),
        );
      }
      return inputRequired({
        inputRequests: {
          food: inputRequired.elicit({
            message: `What shall we eat at the ${occasion}?`,
            requestedSchema: foodForm,
          }),
          music: inputRequired.elicit({ message: 'And what shall we hear?', requestedSchema: musicForm }),
        },
      });
    },
  );
}

function refusalOf(request: ServerContext['mcpReq'], key: string): 'decline' | 'cancel' | undefined {
  const response = inputResponse(request.inputResponses, key);
  return response.kind === 'elicit' && response.action !== 'accept' ? response.action : undefined;
}

function answered<T>(
  request: ServerContext['mcpReq'],
  key: string,
  schema: ReturnType<typeof fromJsonSchema<T>>,
  say: (content: T) => string,
): string {
  const refusal = refusalOf(request, key);
  if (refusal) return refusal === 'decline' ? 'left to you (declined)' : 'not decided (cancelled)';
  const content = acceptedContent(request.inputResponses, key, schema);
  return content === undefined ? 'not understood' : say(content);
}

// Every kind of field that a form may have.

const bookingForm = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2, maxLength: 60 },
    email: { type: 'string', format: 'email', title: 'E-mail', description: 'For the confirmation' },
    day: { type: 'string', format: 'date', title: 'Day' },
    time: {
      type: 'string',
      title: 'Time',
      oneOf: [
        { const: '12:00', title: 'Noon' },
        { const: '18:30', title: 'Early evening' },
        { const: '20:30', title: 'Late evening' },
      ],
      default: '18:30',
    },
    guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 12, default: 2 },
    diets: {
      type: 'array',
      title: 'Diets',
      description: 'Everything that the kitchen should know',
      items: {
        anyOf: [
          { const: 'vegetarian', title: 'Vegetarian' },
          { const: 'vegan', title: 'Vegan' },
          { const: 'gluten-free', title: 'Without gluten' },
        ],
      },
      maxItems: 2,
      default: ['vegetarian'],
    },
    outside: { type: 'boolean', title: 'Sit outside', default: false },
    budget: { type: 'number', title: 'Budget for each guest', minimum: 10, maximum: 200 },
  },
  required: ['name', 'day', 'time', 'guests'],
} satisfies Form;

interface Booking {
  name: string;
  email?: string;
  day: string;
  time: string;
  guests: number;
  diets?: string[];
  outside?: boolean;
  budget?: number;
}
const bookingSchema = fromJsonSchema<Booking>(bookingForm);

function confirm({ name, email, day, time, guests, diets = [], outside, budget }: Booking): string {
  return [
    `Booked for ${name}: a table for ${guests} on ${day} at ${time}, ${outside ? 'outside' : 'inside'}.`,
    ...(diets.length > 0 ? [`Diets: ${diets.join(', ')}.`] : []),
    ...(budget === undefined ? [] : [`Up to ${budget} for each guest.`]),
    ...(email === undefined ? [] : [`The confirmation goes to ${email}.`]),
  ].join(' ');
}

const foodForm = {
  type: 'object',
  properties: {
    dish: { type: 'string', title: 'Dish', enum: ['Pizza', 'Curry', 'Salad', 'Cake'], default: 'Pizza' },
  },
  required: ['dish'],
} satisfies Form;
const foodSchema = fromJsonSchema<{ dish: string }>(foodForm);

const musicForm = {
  type: 'object',
  properties: {
    style: { type: 'string', title: 'Style', default: 'Jazz' },
    loud: { type: 'boolean', title: 'Loud', default: true },
  },
  required: ['style'],
} satisfies Form;
const musicSchema = fromJsonSchema<{ style: string; loud?: boolean }>(musicForm);
