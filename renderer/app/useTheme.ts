import { useEffect } from 'react';
import { useSettings } from '../stores/settings.ts';

/** Puts the chosen theme, or the system's, on the document. */
export function useTheme(): void {
  const theme = useSettings(state => state.settings.theme);
  useEffect(() => {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      document.documentElement.dataset.theme =
        theme === 'system' ? (system.matches ? 'dark' : 'light') : theme;
    };
    apply();
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [theme]);
}
