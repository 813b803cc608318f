import { app, type BrowserWindow, Notification } from 'electron';
import type { Host } from '../host.ts';
import { callForAttention } from './attention.ts';

/** Calls the person by the means of the system; what they click brings the window and the question to the front. */
export function attendTo(host: Host, window: () => BrowserWindow | undefined, open: () => void) {
  const attention = callForAttention(
    host.events,
    () => host.asks.pending(),
    {
      isWatched: () => {
        const shown = window();
        return shown?.isFocused() === true && shown.isVisible() && !shown.isMinimized();
      },
      notify(text, onClick) {
        window()?.flashFrame(true);
        const notification = new Notification({ title: 'Parley', body: text });
        notification.on('click', onClick);
        notification.show();
        return () => notification.close();
      },
      setBadge: count => void app.setBadgeCount(count),
    },
    ask => {
      const shown = window();
      if (!shown) return open();
      if (shown.isMinimized()) shown.restore();
      shown.show();
      shown.focus();
      host.events.emit('ask.show', { id: ask.id });
    },
  );
  app.on('browser-window-focus', (_event, focused) => {
    focused.flashFrame(false);
    attention.watched();
  });
  app.on('will-quit', () => attention.close());
}
