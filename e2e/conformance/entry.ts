import type { ServerAuth } from '../../shared/servers.ts';
import type { JsonObject } from '../../shared/tools.ts';

/** What the suite tells the client of a scenario: what a person would have got by other ways, such as a client's id. */
export interface Context {
  name?: string;
  toolCalls?: { name: string; arguments: JsonObject }[];
  client_id?: string;
  client_secret?: string;
  issuer?: string;
  private_key_pem?: string;
  signing_algorithm?: string;
  valid_jwt?: string;
  idp_issuer?: string;
  idp_token_endpoint?: string;
  idp_client_id?: string;
  idp_id_token?: string;
}

/** Where the metadata document of the client is, as far as the suite is concerned. */
const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';

/** The entry of servers.json that a person would write for the tested server. */
export function entryFor(url: string, context: Context): JsonObject {
  return { type: 'http', url, auth: authFor(context) };
}

function authFor(context: Context): ServerAuth {
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context;
  if (clientId === undefined) return { clientMetadataUrl: CLIENT_METADATA_URL };
  const client = { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) };
  if (context.idp_issuer)
    return {
      ...client,
      grant: 'enterprise',
      idp: {
        issuer: context.idp_issuer,
        ...(context.idp_token_endpoint ? { tokenEndpoint: context.idp_token_endpoint } : {}),
        clientId: context.idp_client_id ?? '',
        idToken: context.idp_id_token ?? '',
      },
    };
  if (context.valid_jwt) return { ...client, grant: 'jwt_bearer', assertion: context.valid_jwt };
  if (privateKey)
    return { ...client, grant: 'client_credentials', privateKey, algorithm: context.signing_algorithm ?? '' };
  // A client of its own, and not of a person, says so in the name of its scenario only.
  if (context.name?.includes('client-credentials')) return { ...client, grant: 'client_credentials' };
  return { ...client, ...(context.issuer ? { issuer: context.issuer } : {}) };
}
