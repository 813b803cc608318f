import { safeStorage } from 'electron';
import type { Cipher } from '../secrets.ts';

/** The system's key store, where there is one. Call after the app is ready. */
export function systemCipher(): Cipher | undefined {
  if (!canEncrypt()) return undefined;
  return {
    encrypt: text => safeStorage.encryptString(text),
    decrypt: data => safeStorage.decryptString(data),
  };
}

/** Chromium's `basic_text` backend only obfuscates with a key that everybody knows: that is no encryption. */
function canEncrypt(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  return process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text';
}
