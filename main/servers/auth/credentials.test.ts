import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempDir, testPorts } from '../../../e2e/support/host.ts';
import type { Secrets } from '../../ports.ts';
import { createSecrets } from '../../secrets.ts';
import { Credentials, forgetCredentials, moveCredentials } from './credentials.ts';

const URL = 'https://mcp.example.com/mcp';
const A = 'https://a.example.com';
const B = 'https://b.example.com';
const tokens = (name: string) => ({
  access_token: name,
  token_type: 'Bearer',
  refresh_token: `${name}-again`,
});

function stored(secrets: Secrets = testPorts('/nowhere').secrets) {
  return { secrets, credentials: new Credentials(secrets, 'far', URL) };
}

describe('the credentials for a server', () => {
  it('are kept by issuer: what one gave is never taken for what another gave', () => {
    const { secrets, credentials } = stored();
    expect([credentials.issuer, credentials.tokens, credentials.clients]).toEqual([undefined, undefined, []]);
    credentials.saveClient(A, { client_id: 'at-a' });
    credentials.saveTokens(A, tokens('from-a'));
    expect(credentials.clientOf(B)).toBeUndefined();
    expect(credentials.tokensOf(B)).toBeUndefined();
    credentials.saveClient(B, { client_id: 'at-b' });
    credentials.saveTokens(B, tokens('from-b'));

    const again = new Credentials(secrets, 'far', URL);
    expect([again.issuer, again.tokens?.access_token]).toEqual([B, 'from-b']);
    expect(again.tokensOf(A)?.access_token).toBe('from-a');
    expect(again.clients.map(({ client_id }) => client_id)).toEqual(['at-a', 'at-b']);

    again.forgetTokens(B);
    again.forgetClient(A);
    expect(again.tokens).toBeUndefined();
    expect([again.tokensOf(A)?.access_token, again.clientOf(A)]).toEqual(['from-a', undefined]);
    expect(again.clientOf(B)?.client_id).toBe('at-b');
  });

  it('are for one address and one server', () => {
    const { secrets, credentials } = stored();
    credentials.saveTokens(A, tokens('from-a'));
    expect(new Credentials(secrets, 'far', 'https://elsewhere.example.com/mcp').tokens).toBeUndefined();
    expect(new Credentials(secrets, 'other', URL).tokens).toBeUndefined();
    expect(new Credentials(secrets, 'far', URL).tokens?.access_token).toBe('from-a');
  });

  it('are read anew when another Parley may have changed them', () => {
    const { secrets, credentials } = stored();
    credentials.saveTokens(A, tokens('old'));
    new Credentials(secrets, 'far', URL).saveTokens(A, tokens('new'));
    expect(credentials.tokens?.access_token).toBe('old');
    credentials.reload();
    expect(credentials.tokens?.access_token).toBe('new');
  });

  it('go with the server that is renamed or removed', () => {
    const { secrets, credentials } = stored();
    credentials.saveTokens(A, tokens('from-a'));
    moveCredentials(secrets, 'far', 'further');
    moveCredentials(secrets, 'nobody', 'somebody');
    expect(new Credentials(secrets, 'far', URL).tokens).toBeUndefined();
    expect(new Credentials(secrets, 'further', URL).tokens?.access_token).toBe('from-a');
    forgetCredentials(secrets, 'further');
    expect(new Credentials(secrets, 'further', URL).tokens).toBeUndefined();
  });

  it('rest in plain text only when the person agreed, also when they are renewed', async () => {
    const dir = await tempDir();
    onTestFinished(dir.remove);
    const file = join(dir.path, 'secrets.json');
    const text = () => readFile(file, 'utf8').catch(() => '');
    const { credentials } = stored(createSecrets(file));
    credentials.saveTokens(A, tokens('for-now'), false);
    credentials.saveTokens(A, tokens('renewed-for-now'));
    expect(await text()).not.toContain('for-now');
    credentials.saveTokens(A, tokens('to-keep'), true);
    credentials.saveTokens(A, tokens('renewed-to-keep'));
    expect(await text()).toContain('renewed-to-keep');
    credentials.saveTokens(A, tokens('not-any-more'), false);
    expect(await text()).not.toMatch(/to-keep|not-any-more/);
  });
});
