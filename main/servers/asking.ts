import type { Asks } from '../consent/asks.ts';
import type { Sample } from './types.ts';

/** On whose behalf a question is asked, and what ends it. */
export interface AskContext {
  conversationId: string | undefined;
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Runs the question while the clocks of the calls that wait for it stand still. */
  pause<T>(work: () => Promise<T>): Promise<T>;
  /** The pages that the person was sent to already. */
  visited?: Set<string>;
}

/** The same, where the calls that wait can be given up. */
export interface CallContext extends AskContext {
  giveUp(): void;
}

/** Where the questions of one server go. */
export interface AskingServer {
  name: string;
  /** The name of the machine that a remote one runs on. */
  host?: string | undefined;
  asks: Asks;
  openExternal(url: string): Promise<void>;
  /** Has the language model complete a prompt, if the person agrees. */
  sample: Sample;
}
