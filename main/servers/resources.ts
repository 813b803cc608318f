import { ProtocolError, ProtocolErrorCode, UriTemplate } from '@modelcontextprotocol/client';
import { HostError } from '../../shared/errors.ts';
import type { ResourceContents, TextArguments } from '../../shared/offers.ts';
import { unwrapItem } from './carried.ts';
import { isObject } from './objects.ts';
import type { Operation } from './operation.ts';
import type { CallOptions } from './types.ts';

/** What servers before 2026-07-28 say for a resource that they do not have. */
const RESOURCE_NOT_FOUND = -32002;
const MAX_URI_LENGTH = 8000;

/**
 * The reading of a resource. What the server lets be kept is answered without asking it again, unless `refresh`.
 * @throws HostError `resource.uri` when `uri` cannot be one
 */
export function resourceRead(
  uri: string,
  options: CallOptions & { refresh?: boolean | undefined },
): Operation<ResourceContents[]> {
  checkUri(uri);
  return {
    what: uri,
    options,
    async send({ client, cache }, request, meta) {
      let asked = false;
      const result = await client.readResource(
        { uri, ...meta },
        {
          ...request,
          cacheMode: options.refresh ? 'refresh' : 'use',
          onprogress: progress => {
            asked ||= progress.message?.startsWith('Fulfilling input required by') === true;
            request.onprogress?.(progress);
          },
        },
      );
      // What depends on answers of the person is nobody else's (specification, utilities/caching).
      if (asked) cache.evict('resources/read');
      return result.contents.map(understandContents);
    },
    explain(error) {
      if (!(error instanceof ProtocolError)) return undefined;
      const codes: number[] = [ProtocolErrorCode.InvalidParams, RESOURCE_NOT_FOUND];
      if (!codes.includes(error.code)) return undefined;
      return new HostError(
        'resource.notFound',
        `The server does not have “${uri}”. It says: ${error.message.slice(0, 500)}`,
        'Look at the list of its resources.',
      );
    },
  };
}

/**
 * The address that a template gives with these values. Values that are not given are left out.
 * @throws HostError `resource.template`
 */
export function expandTemplate(uriTemplate: string, values: TextArguments): string {
  try {
    const given = Object.entries(values).filter(([, value]) => value !== '');
    return new UriTemplate(uriTemplate).expand(Object.fromEntries(given));
  } catch (error) {
    throw new HostError('resource.template', `“${uriTemplate}” is no URI template.`, undefined, {
      cause: error,
    });
  }
}

/** @throws HostError `resource.uri` */
export function checkUri(uri: string): void {
  // Not stricter: a server's own addresses may be odd, but they have a scheme and nothing that cannot be seen.
  if (uri.length <= MAX_URI_LENGTH && /^[a-z][a-z0-9+.-]*:[^\p{Cc}\p{Cf}]*$/iu.test(uri)) return;
  throw new HostError(
    'resource.uri',
    'This is no address of a resource.',
    'It begins with a scheme, such as file:///path or note://1.',
  );
}

function understandContents(item: unknown): ResourceContents {
  const { uri, mimeType, text, blob } = asObject(unwrapItem(item));
  return {
    uri: typeof uri === 'string' ? uri : '',
    ...(typeof mimeType === 'string' ? { mimeType } : {}),
    ...(typeof text === 'string' ? { text } : {}),
    ...(typeof blob === 'string' && typeof text !== 'string' ? { blob } : {}),
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
