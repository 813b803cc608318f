import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { safeStorage } from 'electron';
import writeFileAtomic from 'write-file-atomic';
import type { SecretStorage, Secrets } from '../ports.ts';

type Stored = Record<string, { storage: 'encrypted' | 'plain'; value: string }>;

/**
 * Secrets at rest, in secrets.json: encrypted by the system's key store. Where there is none, a secret lives in
 * memory until the app ends, unless the person accepted plain text. Call after the app is ready.
 */
export function createSecrets(file: string): Secrets {
  const encryption = canEncrypt();
  const session = new Map<string, string>();

  const read = (): Stored => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Stored;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
  };
  const write = (stored: Stored) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileAtomic.sync(file, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  };

  return {
    encryption,
    get(name) {
      const inSession = session.get(name);
      if (inSession !== undefined) return { value: inSession, storage: 'session' };
      const entry = read()[name];
      if (!entry) return undefined;
      if (entry.storage === 'plain') return { value: entry.value, storage: 'plain' };
      if (!encryption) return undefined;
      return { value: safeStorage.decryptString(Buffer.from(entry.value, 'base64')), storage: 'encrypted' };
    },
    set(name, value, { acceptPlain }): SecretStorage {
      const { [name]: _old, ...others } = read();
      session.delete(name);
      if (encryption) {
        const encrypted = safeStorage.encryptString(value).toString('base64');
        write({ ...others, [name]: { storage: 'encrypted', value: encrypted } });
        return 'encrypted';
      }
      if (acceptPlain) {
        write({ ...others, [name]: { storage: 'plain', value } });
        return 'plain';
      }
      if (_old) write(others);
      session.set(name, value);
      return 'session';
    },
    delete(name) {
      session.delete(name);
      const { [name]: old, ...others } = read();
      if (old) write(others);
    },
  };
}

/** Chromium's `basic_text` backend only obfuscates with a key that everybody knows: that is no encryption. */
function canEncrypt(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  return process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text';
}
