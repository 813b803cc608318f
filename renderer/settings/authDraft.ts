import { ServerAuth } from '../../shared/servers.ts';

/** The members of `auth` that the form edits. */
const EDITED = ['clientId', 'clientSecret', 'scope', 'clientMetadataUrl'] as const;
export type AuthField = (typeof EDITED)[number];
export type AuthErrors = Partial<Record<AuthField, string>>;

/** `auth` of a remote server while it is edited: text as it was typed. */
export interface AuthDraft extends Record<AuthField, string> {
  /** What the form only shows: it stays as the file has it. */
  rest: Omit<ServerAuth, AuthField>;
}

export function authDraftOf(auth: ServerAuth | undefined): AuthDraft {
  const { clientId = '', clientSecret = '', scope = '', clientMetadataUrl = '', ...rest } = auth ?? {};
  return { clientId, clientSecret, scope, clientMetadataUrl, rest };
}

/** Undefined: nothing differs from the default. */
export function authOf(draft: AuthDraft): ServerAuth | undefined {
  const typed = EDITED.map(field => [field, draft[field].trim()] as const).filter(([, text]) => text !== '');
  const auth: ServerAuth = { ...draft.rest, ...Object.fromEntries(typed) };
  return Object.keys(auth).length === 0 ? undefined : auth;
}

/** What is wrong, by field. */
export function checkAuth(draft: AuthDraft): AuthErrors {
  const auth = authOf(draft) ?? {};
  const missing = neededFor(auth).filter(field => auth[field] === undefined);
  const isUrl = ServerAuth.shape.clientMetadataUrl.safeParse(auth.clientMetadataUrl).success;
  return {
    ...(auth.clientSecret !== undefined && auth.clientId === undefined
      ? { clientId: 'Enter the client ID that the secret belongs to.' }
      : {}),
    ...Object.fromEntries(missing.map(field => [field, 'This kind of authorization needs it.'])),
    // As OAuth defines it: anything printable but quotes and backslashes.
    ...(auth.scope === undefined || /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(auth.scope)
      ? {}
      : { scope: 'Enter the names of scopes with spaces between them, without quotes.' }),
    ...(isUrl
      ? {}
      : { clientMetadataUrl: 'Enter the whole address, such as https://example.com/parley.json.' }),
  };
}

/** Where nobody signs in, Parley has to be known already. */
function neededFor({ grant = 'authorization_code', privateKey }: ServerAuth): AuthField[] {
  if (grant === 'authorization_code') return [];
  const hasSecret = grant === 'enterprise' || (grant === 'client_credentials' && privateKey === undefined);
  return hasSecret ? ['clientId', 'clientSecret'] : ['clientId'];
}

/** How the tokens are come by, in words. */
export function grantWords({
  grant,
  privateKey,
  idp,
}: Pick<ServerAuth, 'grant' | 'privateKey' | 'idp'>): string {
  switch (grant) {
    case undefined:
    case 'authorization_code':
      return 'You sign in in your browser.';
    case 'client_credentials':
      return `Parley signs in by itself, with the client’s ${privateKey === undefined ? 'secret' : 'private key'}.`;
    case 'jwt_bearer':
      return 'Parley exchanges an assertion from elsewhere, without asking you.';
    case 'enterprise':
      return `Your company’s identity provider${idp ? `, ${idp.issuer},` : ''} vouches for you.`;
  }
}
