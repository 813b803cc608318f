import { useEffect } from 'react';
import { ChatScreen } from '../chat/ChatScreen.tsx';
import { useApp } from '../stores/app.ts';
import { startSync } from '../stores/sync.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { later, loadRest } from '../ui/later.tsx';
import styles from './App.module.css';
import { Problems } from './Problems.tsx';
import { Sidebar } from './Sidebar.tsx';
import { useTheme } from './useTheme.ts';

const ServersScreen = later(async () => (await import('../settings/ServersScreen.tsx')).ServersScreen);
const RulesScreen = later(async () => (await import('../settings/RulesScreen.tsx')).RulesScreen);
const ModelScreen = later(async () => (await import('../settings/ModelScreen.tsx')).ModelScreen);

/** The window: conversations on the left, one screen on the right. */
export function App() {
  const { ready, broken, route } = useApp();
  useEffect(() => startSync(), []);
  useTheme();
  useEffect(() => {
    if (ready) loadRest();
  }, [ready]);
  if (broken) {
    return (
      <main className={styles.broken}>
        <Callout title="Parley cannot show anything" error={broken}>
          <Button onClick={() => window.location.reload()}>Try again</Button>
        </Callout>
      </main>
    );
  }
  if (!ready) return null;
  return (
    <div className={styles.window}>
      <Sidebar />
      <main className={styles.main}>
        <Problems />
        {route === 'chat' && <ChatScreen />}
        {route === 'servers' && (
          <div className={styles.scroll}>
            <ServersScreen />
          </div>
        )}
        {route === 'rules' && (
          <div className={styles.scroll}>
            <RulesScreen />
          </div>
        )}
        {route === 'model' && (
          <div className={styles.scroll}>
            <ModelScreen />
          </div>
        )}
      </main>
    </div>
  );
}
