import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Secrets } from './ports.ts';

/** What encrypts for this person on this machine, such as the system's key store. */
export interface Cipher {
  encrypt(text: string): Buffer;
  decrypt(data: Buffer): string;
}

type Stored = Record<string, { storage: 'encrypted' | 'plain'; value: string }>;

/**
 * Secrets at rest, in secrets.json. Without a cipher a secret lives in memory until the process ends, unless the person
 * accepted plain text; what was encrypted elsewhere cannot be read then, and stays.
 */
export function createSecrets(file: string, cipher?: Cipher): Secrets {
  const session = new Map<string, string>();

  const read = (): Stored => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Stored;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      if (!(error instanceof SyntaxError)) throw error;
      // Whatever is left of it is not written over.
      renameSync(file, `${file}.broken`);
      return {};
    }
  };
  const write = (stored: Stored) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileAtomic.sync(file, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  };

  return {
    encryption: cipher !== undefined,
    get(name) {
      const inSession = session.get(name);
      if (inSession !== undefined) return { value: inSession, storage: 'session' };
      const entry = read()[name];
      if (!entry) return undefined;
      if (entry.storage === 'plain') return { value: entry.value, storage: 'plain' };
      const value = cipher && decrypted(cipher, entry.value);
      return value === undefined ? undefined : { value, storage: 'encrypted' };
    },
    set(name, value, { acceptPlain }) {
      const { [name]: old, ...others } = read();
      session.delete(name);
      if (cipher) {
        const encrypted = cipher.encrypt(value).toString('base64');
        write({ ...others, [name]: { storage: 'encrypted', value: encrypted } });
        return 'encrypted';
      }
      if (acceptPlain) {
        write({ ...others, [name]: { storage: 'plain', value } });
        return 'plain';
      }
      if (old?.storage === 'plain') write(others);
      session.set(name, value);
      return 'session';
    },
    delete(name) {
      session.delete(name);
      const { [name]: old, ...others } = read();
      if (old && (cipher || old.storage === 'plain')) write(others);
    },
  };
}

/** Undefined when the key store has been reset since: then the secret is as good as gone. */
function decrypted(cipher: Cipher, value: string): string | undefined {
  try {
    return cipher.decrypt(Buffer.from(value, 'base64'));
  } catch {
    return undefined;
  }
}
