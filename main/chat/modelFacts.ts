import type Anthropic from '@anthropic-ai/sdk';
import { EFFORTS, type Effort } from '../../shared/conversationSettings.ts';
import { type EndpointFacts, explainFailure } from './providerError.ts';

/**
 * What a model can do, in its endpoint's own words. Guessing it from the model's name goes wrong with each new
 * model, and a wrong guess is a refused request: so the endpoint is asked, and nothing is assumed where it does not say.
 * https://platform.claude.com/docs/en/api/models/retrieve
 */
export interface ModelFacts {
  /** adaptive: the model decides how much. manual: it wants a budget in tokens. */
  thinking: 'adaptive' | 'manual' | 'none';
  /** By which word it is told not to think; never: by none, it always thinks. Absent: the endpoint does not say. */
  thinkingOff?: 'disabled' | 'between_tools' | 'never';
  /** The longest prompt it can read, in tokens. */
  window?: number;
  /** The longest answer it can give, in tokens. */
  maxTokens?: number;
  /** false: the endpoint says that it cannot look at them. */
  images?: boolean;
  documents?: boolean;
  /** The levels of effort it takes; absent: the endpoint does not say. */
  efforts?: readonly Effort[];
}

export const NOTHING_KNOWN: ModelFacts = { thinking: 'none' };

/** Undefined when the endpoint cannot be asked right now and it makes sense to ask again another time. */
export async function askForFacts(
  client: Anthropic,
  model: string,
  endpoint: EndpointFacts,
  signal: AbortSignal,
): Promise<ModelFacts | undefined> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    const options = { signal: AbortSignal.any([signal, patience]) };
    return readFacts(await client.models.retrieve(model, null, options));
  } catch (error) {
    signal.throwIfAborted();
    // An endpoint that never answers this question must not cost each request its patience.
    if (patience.aborted) return NOTHING_KNOWN;
    // Whatever else is wrong, the request that follows runs into it as well and tells the person.
    return explainFailure(error, endpoint).passing ? undefined : NOTHING_KNOWN;
  }
}

const PATIENCE_MS = 5000;

/** Endpoints of other makers answer all sorts of things here. */
function readFacts(info: unknown): ModelFacts {
  const capabilities = at(info, 'capabilities');
  const types = at(at(capabilities, 'thinking'), 'types');
  const supports = (type: string) => at(at(types, type), 'supported') === true;
  const says = (type: string) => typeof at(at(types, type), 'supported') === 'boolean';
  const thinkingOff = OFF_WORDS.find(supports) ?? (OFF_WORDS.some(says) ? 'never' : undefined);
  const refuses = (input: string) => at(at(capabilities, input), 'supported') === false;
  const [maxTokens, window] = [tokensIn(info, 'max_tokens'), tokensIn(info, 'max_input_tokens')];
  const effort = at(capabilities, 'effort');
  return {
    thinking: supports('adaptive') ? 'adaptive' : supports('enabled') ? 'manual' : 'none',
    ...(thinkingOff === undefined ? {} : { thinkingOff }),
    ...(window === undefined ? {} : { window }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(refuses('image_input') ? { images: false } : {}),
    ...(refuses('pdf_input') ? { documents: false } : {}),
    ...(effort === undefined || effort === null
      ? {}
      : { efforts: EFFORTS.filter(level => at(at(effort, level), 'supported') === true) }),
  };
}

const OFF_WORDS = ['disabled', 'between_tools'] as const;

function tokensIn(info: unknown, key: string): number | undefined {
  const tokens = at(info, key);
  return typeof tokens === 'number' && tokens >= 1 ? Math.floor(tokens) : undefined;
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
