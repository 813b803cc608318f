import type { JsonObject } from '../../shared/tools.ts';

/** The drafts of JSON Schema that can be read as 2020-12, the default, and OpenAPI's dialect of it. */
const KNOWN =
  /^https?:\/\/(json-schema\.org\/(draft-0[3-7]\/|draft\/(2019-09|2020-12)\/)?schema|spec\.openapis\.org\/oas\/3\.1\/dialect\/base)#?$/;

/** The dialect that a schema is declared to be in, when Parley does not know it: what it means cannot be told then. */
export function unknownDialect({ $schema: dialect }: JsonObject): string | undefined {
  return typeof dialect === 'string' && dialect !== '' && !KNOWN.test(dialect)
    ? dialect.slice(0, 200)
    : undefined;
}
