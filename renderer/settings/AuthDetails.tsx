import type { ReactNode } from 'react';
import type { ServerAuth } from '../../shared/servers.ts';
import { grantWords } from './authDraft.ts';
import { Detail, Details, Exactly, SecretValue } from './Details.tsx';

/** How Parley is let in by a remote server, without any secret. */
export function AuthDetails({ auth }: { auth: ServerAuth }) {
  const { idp } = auth;
  return (
    <Details>
      <Detail label="Kind">{grantWords(auth)}</Detail>
      <Text label="Client ID" value={auth.clientId} />
      <Secret label="Client secret" value={auth.clientSecret} />
      <Secret label="Private key" value={auth.privateKey} />
      <Text label="Algorithm" value={auth.algorithm} />
      <Secret label="Assertion" value={auth.assertion} />
      <Text label="Scope" value={auth.scope} />
      <Text label="Client metadata" value={auth.clientMetadataUrl} />
      <Text label="Only at" value={auth.issuer} />
      <Text label="Comes back to" value={auth.redirectPort && `port ${auth.redirectPort}`} />
      {idp && (
        <Detail label="Identity provider">
          <Details>
            <Text label="Address" value={idp.issuer} />
            <Text label="Token endpoint" value={idp.tokenEndpoint} />
            <Text label="Client ID" value={idp.clientId} />
            <Secret label="Client secret" value={idp.clientSecret} />
            <Secret label="ID token" value={idp.idToken} />
          </Details>
        </Detail>
      )}
    </Details>
  );
}

function Text({ label, value }: { label: string; value: string | 0 | undefined }): ReactNode {
  return value ? (
    <Detail label={label}>
      <Exactly text={value} />
    </Detail>
  ) : null;
}

function Secret({ label, value }: { label: string; value: string | undefined }): ReactNode {
  return value ? (
    <Detail label={label}>
      <SecretValue value={value} />
    </Detail>
  ) : null;
}
