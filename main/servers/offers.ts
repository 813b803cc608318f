import { HostError } from '../../shared/errors.ts';
import type {
  Completion,
  Offers,
  PromptResult,
  ResourceContents,
  TextArguments,
} from '../../shared/offers.ts';
import type { ClientManager } from './clientManager.ts';
import { type CompletionQuestion, completionOf } from './completion.ts';
import type { Connection } from './connection.ts';
import { promptGet } from './prompts.ts';
import { checkUri, resourceRead } from './resources.ts';
import type { CallOptions } from './types.ts';

/** What servers offer beside tools, for whoever shows it. All methods throw HostError. */
export class ServerOffers {
  readonly #manager: ClientManager;

  constructor(manager: ClientManager) {
    this.#manager = manager;
  }

  async list(server: string): Promise<Offers> {
    const connection = this.#connection(server);
    const { resources, templates, prompts } = await connection.currentLists();
    const { capabilities } = connection.view;
    return {
      resources: [...resources],
      templates: [...templates],
      prompts: [...prompts],
      canFollow: (capabilities?.resources as { subscribe?: unknown } | undefined)?.subscribe === true,
      canComplete: capabilities?.completions !== undefined,
      followed: connection.watch.uris,
    };
  }

  async read(
    server: string,
    uri: string,
    options: CallOptions & { refresh?: boolean | undefined },
  ): Promise<ResourceContents[]> {
    return this.#connection(server).perform(resourceRead(uri, options));
  }

  async follow(server: string, uri: string, follow: boolean): Promise<void> {
    const { watch } = this.#connection(server);
    if (!follow) return watch.remove(uri);
    checkUri(uri);
    await watch.add(uri);
  }

  async prompt(
    server: string,
    name: string,
    values: TextArguments,
    options: CallOptions,
  ): Promise<PromptResult> {
    const connection = this.#connection(server);
    const { prompts } = await connection.currentLists();
    const listed = prompts.find(prompt => prompt.name === name);
    return connection.perform(promptGet(name, listed, values, options));
  }

  async complete(server: string, question: CompletionQuestion, options: CallOptions): Promise<Completion> {
    return this.#connection(server).perform(completionOf(question, options));
  }

  #connection(server: string): Connection {
    const connection = this.#manager.connection(server);
    if (connection) return connection;
    const bad = this.#manager.views().find(view => view.name === server)?.error;
    if (bad) throw new HostError(bad.code, bad.message, bad.hint);
    throw new HostError(
      'server.unknown',
      `There is no server called “${server}”.`,
      'See the names on the Servers screen.',
    );
  }
}
