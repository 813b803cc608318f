import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { Settings, type SettingsPatch } from '../shared/settings.ts';
import type { Emit } from './events.ts';

/**
 * settings.json: what a person chose, without secrets. A file that cannot be read is set aside as
 * `settings.json.broken`, said so, and replaced by defaults at the next change; unknown keys are kept.
 */
export class SettingsStore {
  readonly #file: string;
  readonly #emit: Emit;
  #raw: Record<string, unknown> = {};
  #settings: Settings = Settings.parse({});

  constructor(file: string, emit: Emit) {
    this.#file = file;
    this.#emit = emit;
    this.#read();
  }

  get(): Settings {
    return this.#settings;
  }

  update(patch: SettingsPatch): void {
    const raw = { ...this.#raw };
    for (const [key, value] of Object.entries(patch)) {
      if (value === null) delete raw[key];
      else if (value !== undefined) raw[key] = value;
    }
    const settings = Settings.parse(raw);
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileAtomic.sync(this.#file, `${JSON.stringify(raw, null, 2)}\n`);
    this.#raw = raw;
    this.#settings = settings;
    this.#emit('settings.changed', settings);
  }

  #read(): void {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    try {
      const raw: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
      this.#settings = Settings.parse(raw);
      this.#raw = raw as Record<string, unknown>;
    } catch {
      copyFileSync(this.#file, `${this.#file}.broken`);
      this.#emit('problem', {
        code: 'settings.broken',
        message: 'settings.json could not be read, so Parley uses its defaults.',
        hint: `Your file is kept as ${this.#file}.broken.`,
      });
    }
  }
}
