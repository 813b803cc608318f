import type { ModelChoices } from '../shared/conversationSettings.ts';
import { HostError } from '../shared/errors.ts';
import { KEPT_VALUE } from '../shared/servers.ts';
import { GUIDE, type ModelList, type ModelStatus } from '../shared/settings.ts';
import { AnthropicModel, DEFAULT_BASE_URL, FALLBACK_MODELS } from './chat/anthropic.ts';
import type { ChatModel } from './chat/model.ts';
import type { Emit } from './events.ts';
import type { Ports } from './ports.ts';
import type { SettingsStore } from './settings.ts';

const KEY_SECRET = 'model.apiKey';
const HEADERS_SECRET = 'model.headers';

/** The model that the next request goes to. */
export interface CurrentModel {
  chatModel: ChatModel;
  model: string;
  maxTokens: number;
}

/** Decides which model answers and with which key: what the person set wins over the environment. */
export class ModelAccess {
  readonly #ports: Ports;
  readonly #settings: SettingsStore;
  readonly #guide: ChatModel;
  readonly #emit: Emit;
  /** Kept while its settings stay the same: it learns what the endpoint can do and does not accept. */
  #known: { settings: string; model: AnthropicModel } | undefined;

  constructor(deps: { ports: Ports; settings: SettingsStore; guide: ChatModel; emit: Emit }) {
    this.#ports = deps.ports;
    this.#settings = deps.settings;
    this.#guide = deps.guide;
    this.#emit = deps.emit;
  }

  status(): ModelStatus {
    const { value: key, from } = this.#key();
    const chosen = this.#ports.model ?? this.#settings.get().model;
    const headers = Object.keys(this.#headers());
    const { baseUrl, baseUrlFrom } = this.#baseUrl();
    // An endpoint of one's own may need no key at all: then naming a model is enough.
    const reachable = key !== undefined || headers.length > 0 || baseUrlFrom !== 'default';
    return {
      model: this.#ports.model ?? (reachable ? (chosen ?? (key ? FALLBACK_MODELS[0].id : GUIDE)) : GUIDE),
      key: from,
      baseUrl,
      baseUrlFrom,
      headers,
      encryption: this.#ports.secrets.encryption,
    };
  }

  /**
   * @param own the model of a conversation that has one of its own
   * @throws HostError `model.noKey` when a language model was asked for that cannot be reached without a key.
   */
  current(own?: string): CurrentModel {
    const model = this.#ports.model ?? own ?? this.status().model;
    const { maxTokens } = this.#settings.get();
    if (model === GUIDE) return { chatModel: this.#guide, model, maxTokens };
    return { chatModel: this.#endpoint(), model, maxTokens };
  }

  setKey(key: string, acceptPlain: boolean): void {
    this.#ports.secrets.set(KEY_SECRET, key, { acceptPlain });
    this.#changed();
  }

  clearKey(): void {
    this.#ports.secrets.delete(KEY_SECRET);
    this.#changed();
  }

  /** Replaces all extra headers; KEPT_VALUE keeps the value that is stored under that name. */
  setHeaders(headers: Record<string, string>): void {
    const old = this.#headers();
    const next = Object.entries(headers).map(([name, value]) => [
      name,
      value === KEPT_VALUE ? (old[name] ?? '') : value,
    ]);
    const acceptPlain = this.#ports.secrets.get(KEY_SECRET)?.storage === 'plain';
    if (next.length === 0) this.#ports.secrets.delete(HEADERS_SECRET);
    else this.#ports.secrets.set(HEADERS_SECRET, JSON.stringify(Object.fromEntries(next)), { acceptPlain });
    this.#changed();
  }

  /** The endpoint's models, newest first; the built-in list with the reason when it cannot be asked. */
  async list(): Promise<ModelList> {
    let endpoint: AnthropicModel;
    try {
      endpoint = this.#endpoint();
    } catch (error) {
      return { models: [...FALLBACK_MODELS], fallback: (error as Error).message };
    }
    try {
      return { models: await endpoint.listModels() };
    } catch (error) {
      return { models: [...FALLBACK_MODELS], fallback: (error as Error).message };
    }
  }

  /** What the model can be told. */
  async choices(model: string): Promise<ModelChoices> {
    if (model === GUIDE) return { thinking: false, alwaysThinks: false, efforts: [] };
    return this.#endpoint().choices(model, AbortSignal.timeout(10_000));
  }

  async test(): Promise<{ model: string }> {
    const endpoint = this.#endpoint();
    const { model } = this.status();
    const tried = model === GUIDE ? FALLBACK_MODELS[0].id : model;
    await endpoint.test(tried);
    return { model: tried };
  }

  /** Tells everybody; also called when the settings that the status is made of have changed. */
  #changed(): void {
    this.#emit('model.changed', this.status());
  }

  #endpoint(): AnthropicModel {
    const { value: apiKey } = this.#key();
    const headers = this.#headers();
    const { baseUrl, baseUrlFrom } = this.#baseUrl();
    if (apiKey === undefined && Object.keys(headers).length === 0 && baseUrlFrom === 'default') {
      throw new HostError(
        'model.noKey',
        'There is no API key for a language model.',
        'Enter one on the Model screen or set ANTHROPIC_API_KEY, or choose the Guide.',
      );
    }
    const settings = JSON.stringify([apiKey, baseUrl, headers]);
    if (this.#known?.settings !== settings)
      this.#known = { settings, model: new AnthropicModel({ apiKey, baseUrl, headers }) };
    return this.#known.model;
  }

  #key(): { value: string | undefined; from: ModelStatus['key'] } {
    const stored = this.#ports.secrets.get(KEY_SECRET);
    if (stored) return { value: stored.value, from: stored.storage };
    const value = this.#ports.env.ANTHROPIC_API_KEY || undefined;
    return { value, from: value ? 'environment' : 'none' };
  }

  #headers(): Record<string, string> {
    const stored = this.#ports.secrets.get(HEADERS_SECRET);
    return stored ? (JSON.parse(stored.value) as Record<string, string>) : {};
  }

  #baseUrl(): Pick<ModelStatus, 'baseUrl' | 'baseUrlFrom'> {
    const chosen = this.#settings.get().baseUrl;
    if (chosen) return { baseUrl: chosen, baseUrlFrom: 'settings' };
    const fromEnvironment = this.#ports.env.ANTHROPIC_BASE_URL;
    if (fromEnvironment) return { baseUrl: fromEnvironment, baseUrlFrom: 'environment' };
    return { baseUrl: DEFAULT_BASE_URL, baseUrlFrom: 'default' };
  }
}
