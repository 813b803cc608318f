import { describe, expect, it } from 'vitest';
import { KEPT_VALUE, type ServerAuth } from '../../shared/servers.ts';
import { authDraftOf, authOf, checkAuth, grantWords } from './authDraft.ts';

const WHOLE: ServerAuth = {
  grant: 'enterprise',
  clientId: 'parley',
  clientSecret: KEPT_VALUE,
  scope: 'read write',
  clientMetadataUrl: 'https://example.com/parley.json',
  issuer: 'https://login.example.com',
  redirectPort: 4000,
  privateKey: KEPT_VALUE,
  idp: { issuer: 'https://idp.example.com', clientId: 'at-idp', idToken: KEPT_VALUE },
};

describe('the authorization of a server in the form', () => {
  it('is the same again when nothing is edited, with all that the form only shows', () => {
    for (const auth of [
      WHOLE,
      { grant: 'jwt_bearer', assertion: KEPT_VALUE, clientId: 'a' },
      undefined,
    ] as const)
      expect(authOf(authDraftOf(auth))).toEqual(auth);
  });

  it('takes a reference and a new secret as they are typed, and loses what is emptied', () => {
    const draft = authDraftOf({ ...WHOLE, scope: 'read' });
    const { clientSecret: _secret, ...rest } = WHOLE;
    expect(authOf({ ...draft, clientSecret: '${secret:CLIENT}' })).toMatchObject({
      clientSecret: '${secret:CLIENT}',
    });
    expect(authOf({ ...draft, clientSecret: ' ', scope: ' read  write ' })).toEqual({
      ...rest,
      scope: 'read  write',
    });
    expect(authOf({ ...authDraftOf({ clientId: 'a' }), clientId: '' })).toBeUndefined();
  });

  it.each<[string, ServerAuth, ReturnType<typeof checkAuth>]>([
    ['nothing', {}, {}],
    ['everything', WHOLE, {}],
    [
      'a secret alone',
      { clientSecret: 'x' },
      { clientId: 'Enter the client ID that the secret belongs to.' },
    ],
    [
      'a client that stands for itself without its secret',
      { grant: 'client_credentials', clientId: 'a' },
      { clientSecret: 'This kind of authorization needs it.' },
    ],
    [
      'one that has a key instead, but no name',
      { grant: 'client_credentials', privateKey: KEPT_VALUE },
      { clientId: 'This kind of authorization needs it.' },
    ],
    ['scopes in quotes', { scope: '"read"' }, { scope: expect.stringContaining('without quotes') }],
    [
      'a document that anybody on the way could change',
      { clientMetadataUrl: 'http://example.com/parley.json' },
      { clientMetadataUrl: expect.stringContaining('https://') },
    ],
  ])('is checked: %s', (_what, auth, errors) => expect(checkAuth(authDraftOf(auth))).toEqual(errors));

  it('is said in words', () => {
    expect(grantWords({})).toContain('You sign in');
    expect(grantWords({ grant: 'client_credentials' })).toContain('secret');
    expect(grantWords({ grant: 'client_credentials', privateKey: KEPT_VALUE })).toContain('private key');
    expect(grantWords(WHOLE)).toContain('https://idp.example.com');
  });
});
