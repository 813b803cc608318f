import { create } from 'zustand';
import type { Snapshot } from '../../shared/ipc.ts';
import { type ModelStatus, Settings } from '../../shared/settings.ts';

interface SettingsState {
  settings: Settings;
  model: ModelStatus;
  app: Snapshot['app'];
}

/** What the person chose, how the model is reached, and which Parley this is. Filled before anything is shown. */
export const useSettings = create<SettingsState>(() => ({
  settings: Settings.parse({}),
  model: { model: 'guide', key: 'none', baseUrl: '', baseUrlFrom: 'default', headers: [], encryption: false },
  app: { version: '', dataDir: '' },
}));
