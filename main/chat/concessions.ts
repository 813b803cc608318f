import type { NoticeBlock } from '../../shared/chat.ts';
import type { ModelTool } from '../tools/registry.ts';
import { ALL_KEPT, DOCUMENTS_LEFT_OUT, IMAGES_LEFT_OUT, type Kept, THINKING_LEFT_OUT } from './context.ts';
import type { ModelRequest } from './model.ts';

/** What of a request is really sent. */
export interface Plan {
  tools: readonly ModelTool[];
  /** Whether the model may be told that it is to think, or not to. */
  saysThinking: boolean;
  kept: Kept;
  /** What the person wants of the model and the endpoint has not refused. */
  wishes: Pick<ModelRequest, 'temperature' | 'effort'>;
}

/**
 * One part that an endpoint does not accept must not end a conversation: it is left out and the request sent again.
 * What was conceded about tools, thinking, temperature and effort holds for the rest of the conversation; what is left
 * out of the history is marked in the history itself (see context.ts).
 */
export class Concessions {
  readonly #tools = new Set<string>();
  /** Models that refuse to be told to think, or not to. */
  readonly #thinking = new Set<string>();
  /** Which models do not take which temperatures and efforts. */
  readonly #wishes = new Set<string>();

  plan(request: ModelRequest): Plan {
    const { tools, model, temperature, effort } = request;
    const wishes = {
      temperature: this.#wishes.has(`${model} ${temperature}`) ? undefined : temperature,
      effort: this.#wishes.has(`${model} ${effort}`) ? undefined : effort,
    };
    return {
      tools: tools.filter(tool => !this.#tools.has(keyOf(tool))),
      saysThinking: !this.#thinking.has(thinkingKey(request, { wishes })),
      kept: ALL_KEPT,
      wishes,
    };
  }

  /** A smaller plan, with what the person is told; undefined when the words of the refusal lead to none. */
  concede(
    plan: Plan,
    refusal: string,
    request: ModelRequest,
  ): { plan: Plan; notice?: NoticeBlock } | undefined {
    const tool = refusedTool(refusal, plan.tools);
    if (tool) {
      this.#tools.add(keyOf(tool));
      const tools = plan.tools.filter(other => other !== tool);
      return { plan: { ...plan, tools }, notice: toolLeftOut(tool, refusal) };
    }
    const { temperature, effort } = plan.wishes;
    if (/\btemperature\b/i.test(refusal) && temperature !== undefined) {
      this.#wishes.add(`${request.model} ${temperature}`);
      return { plan: { ...plan, wishes: { effort } }, notice: temperatureLeftOut };
    }
    if (/\beffort\b|output_config/i.test(refusal) && effort !== undefined) {
      this.#wishes.add(`${request.model} ${effort}`);
      return { plan: { ...plan, wishes: { temperature } }, notice: effortLeftOut };
    }
    if (/signature|thinking/i.test(refusal)) {
      // Either the thinking of earlier answers is at fault, or what the model is told about its own.
      const earlier = () => this.#withoutThinking(plan, request);
      const asked = () => this.#withoutWordOfThinking(plan, request);
      return blamesEarlierThinking(refusal) ? (earlier() ?? asked()) : (asked() ?? earlier());
    }
    if (/\b(documents?|pdfs?)\b/i.test(refusal) && plan.kept.documents && hasDocuments(request))
      return { plan: { ...plan, kept: { ...plan.kept, documents: false } }, notice: documentsLeftOut };
    if (/\bimages?\b/i.test(refusal) && plan.kept.images && hasImages(request))
      return { plan: { ...plan, kept: { ...plan.kept, images: false } }, notice: imagesLeftOut };
    return undefined;
  }

  #withoutThinking(plan: Plan, request: ModelRequest) {
    const { thinking } = plan.kept;
    if (thinking === 'none' || !hasThinking(request)) return undefined;
    const kept: Kept = { ...plan.kept, thinking: thinking === 'all' ? 'currentTurn' : 'none' };
    return { plan: { ...plan, kept }, ...(thinking === 'all' ? { notice: thinkingLeftOut } : {}) };
  }

  #withoutWordOfThinking(plan: Plan, request: ModelRequest) {
    if (!plan.saysThinking) return undefined;
    this.#thinking.add(thinkingKey(request, plan));
    const notice = request.thinking === false ? { notice: thinksAnyway } : {};
    return { plan: { ...plan, saysThinking: false }, ...notice };
  }
}

/** A model that thinks takes no temperature but its own. */
export function wantsThinking({ thinking }: ModelRequest, { wishes }: Pick<Plan, 'wishes'>): boolean {
  return thinking !== false && wishes.temperature === undefined;
}

function thinkingKey(request: ModelRequest, plan: Pick<Plan, 'wishes'>): string {
  return `${request.model} ${wantsThinking(request, plan)}`;
}

/** A tool that its server has mended since may be tried again. */
function keyOf({ name, inputSchema }: ModelTool): string {
  return JSON.stringify([name, inputSchema]);
}

/** The tool that a refusal names, by its place in the request or by its name. */
function refusedTool(refusal: string, tools: readonly ModelTool[]): ModelTool | undefined {
  const place = /\btools(?:\.|\[)(\d+)/.exec(refusal)?.[1];
  if (place !== undefined) return tools[Number(place)];
  if (!/\btools?\b/i.test(refusal)) return undefined;
  return tools.find(({ name }) => ['"', "'", '`'].some(quote => refusal.includes(`${quote}${name}${quote}`)));
}

function blamesEarlierThinking(refusal: string): boolean {
  return /signature/i.test(refusal) || (/\bmessages(\.|\[)\d/.test(refusal) && !/expected/i.test(refusal));
}

function hasThinking({ messages }: ModelRequest): boolean {
  return messages.some(({ blocks }) => blocks.some(({ type }) => type === 'thinking' || type === 'opaque'));
}

/** Of any kind that may become one for the model. */
function hasImages({ messages }: ModelRequest): boolean {
  return messages.some(({ blocks }) =>
    blocks.some(
      block =>
        block.type === 'image' ||
        (block.type === 'toolCall' &&
          block.result?.content.some(({ type }) => type === 'image' || type === 'resource')),
    ),
  );
}

function hasDocuments({ messages }: ModelRequest): boolean {
  return messages.some(({ blocks }) => blocks.some(({ type }) => type === 'document'));
}

function toolLeftOut(tool: ModelTool, refusal: string): NoticeBlock {
  return {
    type: 'notice',
    level: 'warning',
    code: 'tools.leftOut',
    message: `The endpoint does not accept the tool “${tool.name}”, so the model answers without it.`,
    hint: `It said: ${refusal}`,
  };
}

const thinkingLeftOut: NoticeBlock = {
  type: 'notice',
  level: 'info',
  code: THINKING_LEFT_OUT,
  message: 'The endpoint did not accept earlier thinking of the model, so it is no longer sent.',
};

const thinksAnyway: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'thinking.notOff',
  message:
    'The endpoint does not accept that this model is told not to think, so it thinks when it wants to.',
  hint: 'Choose another model for this conversation, or a lower effort.',
};

const temperatureLeftOut: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'temperature.leftOut',
  message: 'The model does not take a temperature, so it answers with its own.',
  hint: 'Take the temperature out of the settings of this conversation.',
};

const effortLeftOut: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'effort.leftOut',
  message: 'The model does not take the effort that is set here, so it answers with its own.',
  hint: 'Change the effort in the settings of this conversation.',
};

const imagesLeftOut: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: IMAGES_LEFT_OUT,
  message: 'The endpoint did not accept a picture, so the model does not see the pictures up to here.',
};

const documentsLeftOut: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: DOCUMENTS_LEFT_OUT,
  message: 'The endpoint did not accept an attached document, so the model only knows that it is there.',
};
