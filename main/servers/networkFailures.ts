import { HostError } from '../../shared/errors.ts';

/** What a failed connection is called in words, by the code of its error; undefined for one that has no words yet. */
export function explainNetworkCode(code: string, host: string, cause: unknown): HostError | undefined {
  const named = NAMED.find(({ codes }) => codes.test(code));
  return named && new HostError(named.as, named.message(host, code), named.hint, { cause });
}

interface Named {
  codes: RegExp;
  as: string;
  message(host: string, code: string): string;
  hint: string;
}

const certificate = (codes: RegExp, fault: string, hint: string): Named => ({
  codes,
  as: 'server.tls',
  message: (host, code) => `The certificate of ${host} ${fault} (${code}).`,
  hint,
});

/** The first that fits is taken. */
const NAMED: Named[] = [
  {
    codes: /^ECONNREFUSED$/,
    as: 'server.refused',
    message: host => `Nothing answers at ${host}: the connection was refused.`,
    hint: 'Is the server running, and is the port right?',
  },
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    as: 'server.dns',
    message: host => `The name ${host} could not be found.`,
    hint: 'Check the address and your network.',
  },
  {
    codes: /^(ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/,
    as: 'server.unreachable',
    message: host => `There is no way to ${host} from this machine.`,
    hint: 'Check your network, and a VPN if the server needs one.',
  },
  {
    codes: /^(ETIMEDOUT|UND_ERR_\w*TIMEOUT)$/,
    as: 'server.timeout',
    message: host => `${host} did not answer in time.`,
    hint: 'Try Restart; if it stays so, ask whoever runs the server.',
  },
  {
    codes: /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    as: 'server.cut',
    message: host => `The connection to ${host} was cut before the answer was whole.`,
    hint: 'What was asked may have been done all the same. Look before you try it again.',
  },
  {
    codes: /^(Z_\w+|ERR_BROTLI\w*|ERR__ERROR_FORMAT\w*)$/,
    as: 'server.garbled',
    message: host => `The answer of ${host} could not be unpacked: it is not compressed as it says.`,
    hint: 'Tell whoever runs the server, or a proxy in front of it. What was asked may have been done.',
  },
  {
    codes: /^HPE_/,
    as: 'server.notHttp',
    message: host => `What answers at ${host} does not speak HTTP.`,
    hint: 'Is the port right, and is the address http:// or https:// as the server wants it?',
  },
  {
    codes: /^UND_ERR_HEADERS_OVERFLOW$/,
    as: 'server.tooLarge',
    message: host => `${host} answered with more headers than can be read.`,
    hint: 'Tell whoever runs the server.',
  },
  certificate(
    /SELF_SIGNED/,
    'is signed by itself and by nobody that this machine trusts',
    'If the server is yours, add its certificate to those that this machine trusts; otherwise do not use it.',
  ),
  certificate(
    /^CERT_HAS_EXPIRED$/,
    'has expired',
    'Ask whoever runs the server to renew it, and check the date of this machine.',
  ),
  certificate(/^CERT_NOT_YET_VALID$/, 'is not valid yet', 'Check the date of this machine.'),
  certificate(
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'was made for another name',
    'Is the address right? If it is, somebody may stand between you and the server.',
  ),
  certificate(
    /^UNABLE_TO_|^CERT_UNTRUSTED$/,
    'is signed by nobody that this machine trusts',
    'If your company or school signs its own, add that authority to those that this machine trusts.',
  ),
  certificate(/^CERT_REVOKED$/, 'has been withdrawn', 'Do not use it; ask whoever runs the server.'),
  {
    codes: /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
    as: 'server.tls',
    message: (host, code) => `The secure connection to ${host} failed: ${code}.`,
    hint: 'The server does not speak https here: is it http:// instead?',
  },
  {
    codes: /^(ERR_TLS|ERR_SSL|EPROTO)|CERT/,
    as: 'server.tls',
    message: (host, code) => `The secure connection to ${host} failed: ${code}.`,
    hint: 'The certificate of the server is not valid for this machine, or it speaks an old version of TLS.',
  },
];
