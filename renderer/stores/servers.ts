import { create } from 'zustand';
import type { ServersFile, ServerView } from '../../shared/servers.ts';

/** The servers in the order of the file, and the file itself. */
export const useServers = create<{ servers: ServerView[]; file: ServersFile }>(() => ({
  servers: [],
  file: { path: '' },
}));
