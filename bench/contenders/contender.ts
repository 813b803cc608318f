/** An entry of servers.json. */
export type Entry = { command: string; args: string[] } | { type: 'http'; url: string };
export type Servers = Record<string, Entry>;

/** Something that connects to servers and calls their tools, as its own users would have it do. */
export interface Contender {
  /** Resolves when every tool of every server is listed. */
  connect(servers: Servers): Promise<Connected>;
}

export interface Connected {
  tools: number;
  /** Resolves with the text of the result. */
  call(server: string, tool: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}
