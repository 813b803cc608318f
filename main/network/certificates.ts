import tls from 'node:tls';

/** Newer than the types of the oldest Node that Parley runs on: 22.15. */
type CertificateStores = { getCACertificates?(type: 'default' | 'system'): string[] };

/**
 * Trusts whom Node trusts (NODE_EXTRA_CA_CERTS included) and whom this machine trusts: companies and schools sign
 * certificates of their own. Undefined where Node cannot tell whom the machine trusts: then Node's own must do.
 */
export function trustedAuthorities(): tls.SecureContext | undefined {
  const stores = tls as CertificateStores;
  if (!stores.getCACertificates) return undefined;
  const trusted = new Set([...stores.getCACertificates('default'), ...stores.getCACertificates('system')]);
  return tls.createSecureContext({ ca: [...trusted] });
}
