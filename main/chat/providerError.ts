/** What an endpoint's failure means, in words for the person and in a decision for the retry. */
import {
  AnthropicError,
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
} from '@anthropic-ai/sdk/core/error';
import { HostError } from '../../shared/errors.ts';
import { retryAfterMs } from './retry.ts';

export interface ProviderFailure {
  error: HostError;
  /** Whether the same request may work in a moment. */
  passing: boolean;
  /** How long the server asked us to wait, in ms. */
  wishMs?: number | undefined;
  /** The endpoint could not be reached at all: it makes no sense to try as often. */
  unreachable?: boolean;
  /** The words of a 400, which may name what was wrong with the request. */
  refusal?: string;
}

export interface EndpointFacts {
  baseUrl: string;
  model?: string;
  /** Must never be repeated in a message. */
  secrets: readonly string[];
}

/**
 * Any error of the SDK or of a stream as what it means; HostErrors pass unchanged.
 * @throws whatever is none of these: it is a bug.
 */
export function explainFailure(error: unknown, facts: EndpointFacts): ProviderFailure {
  if (error instanceof HostError) return { error, passing: error.code === 'model.cut' };
  if (error instanceof APIConnectionError) return explainConnection(error, facts);
  if (error instanceof APIError) return explainApiError(error, facts);
  if (error instanceof AnthropicError || codeOf(error) || isCut(error))
    return explainConnection(error, facts);
  if (error instanceof SyntaxError) {
    const message = 'The endpoint sent something that is not JSON in the middle of the answer.';
    return {
      error: new HostError('model.unreadable', message, 'Try again.', { cause: error }),
      passing: true,
    };
  }
  throw error;
}

function explainApiError(error: InstanceType<typeof APIError>, facts: EndpointFacts): ProviderFailure {
  const said = hide(apiWords(error), facts.secrets);
  const status = error.status ?? statusOf(error.type);
  const fail = (code: string, message: string, hint?: string) =>
    new HostError(code, message, hint, { cause: error });
  switch (status) {
    case 400:
    case 422: {
      if (/prompt is too long|context (window|length|limit)/i.test(said)) {
        const hint = 'Start a new conversation with a short summary, or choose a model with a larger window.';
        const message = 'The conversation has become longer than the model can read.';
        return { error: fail('model.tooLong', message, hint), passing: false };
      }
      const hint = 'Change the message or the model, then try again.';
      return {
        error: fail('model.badRequest', `The endpoint refused the request: ${said}`, hint),
        passing: false,
        refusal: said,
      };
    }
    case 401:
      return {
        error: fail(
          'model.keyRefused',
          `The endpoint refused the API key: ${said}`,
          'Check the key on the Model screen.',
        ),
        passing: false,
      };
    case 402:
      return {
        error: fail(
          'model.payment',
          `The endpoint wants payment: ${said}`,
          'Check the account of the API key.',
        ),
        passing: false,
      };
    case 403:
      return {
        error: fail(
          'model.forbidden',
          `The API key may not do this: ${said}`,
          'Choose another model or key on the Model screen.',
        ),
        passing: false,
      };
    case 404:
      return { error: notFound(said, facts, error), passing: false };
    case 413:
      return {
        error: fail(
          'model.tooLarge',
          'The conversation is too large for the endpoint.',
          'Start a new conversation.',
        ),
        passing: false,
      };
    default:
      break;
  }
  if (status !== undefined && status >= 300 && status < 400) {
    const to = error.headers?.get('location');
    const where =
      to && URL.canParse(to, facts.baseUrl) ? shownUrl(new URL(to, facts.baseUrl).href) : 'elsewhere';
    const hint = 'If you trust that address, make it the base URL on the Model screen.';
    const message = `The endpoint redirects to ${where}, where the API key does not go by itself.`;
    return { error: fail('model.redirect', message, hint), passing: false };
  }
  const passing = status === undefined || status === 408 || status === 409 || status === 429 || status >= 500;
  return {
    error: fail(...inWords(status, said)),
    passing: passing && error.headers?.get('x-should-retry') !== 'false',
    wishMs: retryAfterMs(error.headers),
  };
}

function inWords(status: number | undefined, said: string): [code: string, message: string, hint?: string] {
  const later = 'Wait a moment, then try again.';
  if (status === 429) return ['model.rateLimit', `Too many requests: ${said}`, later];
  if (status === 529 || status === 503) return ['model.overloaded', 'The provider is overloaded.', later];
  if (status === undefined || status >= 500)
    return ['model.serverError', `The provider failed${status ? ` (${status})` : ''}: ${said}`, later];
  return [
    'model.status',
    `The endpoint answered with status ${status}: ${said}`,
    'Check the base URL on the Model screen.',
  ];
}

function notFound(said: string, { baseUrl, model }: EndpointFacts, cause: unknown): HostError {
  if (model && /model/i.test(said)) {
    const hint = 'Choose a model from the list on the Model screen.';
    return new HostError('model.notFound', `The endpoint does not know the model “${model}”.`, hint, {
      cause,
    });
  }
  const hint = 'Check the base URL (it is without /v1) and the model on the Model screen.';
  return new HostError('model.notFound', `Nothing answers under ${shownUrl(baseUrl)} (404).`, hint, {
    cause,
  });
}

/** An error event in a stream has no status of its own, only the type that goes with one. */
function statusOf(type: string | null | undefined): number | undefined {
  const statuses: Record<string, number> = {
    invalid_request_error: 400,
    authentication_error: 401,
    billing_error: 402,
    permission_error: 403,
    not_found_error: 404,
    request_too_large: 413,
    rate_limit_error: 429,
    api_error: 500,
    timeout_error: 504,
    overloaded_error: 529,
  };
  return type ? statuses[type] : undefined;
}

function apiWords(error: InstanceType<typeof APIError>): string {
  const words = error.apiMessage;
  if (typeof words === 'string' && words.trim() !== '') return bounded(words);
  return bounded(error.message) || 'no reason given';
}

function explainConnection(error: unknown, { baseUrl, secrets }: EndpointFacts): ProviderFailure {
  const where = shownUrl(baseUrl);
  const code = codeOf(error);
  const fail = (name: string, message: string, hint: string) =>
    new HostError(name, message, hint, { cause: error });
  if (code === 'ECONNREFUSED') {
    const hint = 'Start the program that should listen there, or correct the base URL on the Model screen.';
    return {
      error: fail('model.refused', `Nothing answers at ${where}: the connection was refused.`, hint),
      passing: true,
      unreachable: true,
    };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const hint = 'Check the internet connection and the base URL on the Model screen.';
    return {
      error: fail('model.dns', `The address ${where} cannot be found.`, hint),
      passing: code === 'EAI_AGAIN',
      unreachable: true,
    };
  }
  if (code && tlsCode.test(code)) {
    const hint =
      'A company proxy may need its certificate named in NODE_EXTRA_CA_CERTS; a local endpoint may need http:// instead.';
    return {
      error: fail('model.tls', `The connection to ${where} is not trusted (${code}).`, hint),
      passing: false,
    };
  }
  if (error instanceof APIConnectionTimeoutError) return { error: notInTime(baseUrl, error), passing: true };
  const reason = code ?? hide(bounded(rootMessage(error)), secrets);
  const hint = 'Check the connection, then try again.';
  return {
    error: fail('model.connection', `The connection to ${where} failed: ${reason}.`, hint),
    passing: true,
  };
}

export function notInTime(baseUrl: string, cause: unknown): HostError {
  const hint = 'Try again; if it stays silent, check the base URL on the Model screen.';
  return new HostError('model.timeout', `${shownUrl(baseUrl)} did not answer in time.`, hint, { cause });
}

const tlsCode = /CERT|SSL|TLS|UNABLE_TO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH/;

/** undici says `terminated` when the other side closes in the middle of a body. */
function isCut(error: unknown): boolean {
  return error instanceof TypeError && /terminated|fetch failed/.test(error.message);
}

function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
    // Both addresses of a name were tried.
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0]);
  }
  return undefined;
}

function rootMessage(error: unknown): string {
  let at = error;
  for (let depth = 0; at instanceof Error && at.cause instanceof Error && depth < 8; depth++) at = at.cause;
  return at instanceof Error ? at.message.replace(/\.$/, '') : String(at);
}

/** Without user name, password and query: people paste all sorts of addresses. */
export function shownUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  return url ? `${url.origin}${url.pathname.replace(/\/$/, '')}` : baseUrl;
}

function bounded(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((kept, secret) => (secret.length < 4 ? kept : kept.replaceAll(secret, '•••')), text);
}
