import { type BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';

/** Right click: spelling suggestions and the editing commands that apply where it happened. */
export function installContextMenu(window: BrowserWindow): void {
  const { webContents } = window;
  webContents.on(
    'context-menu',
    (_event, { isEditable, selectionText, misspelledWord, dictionarySuggestions, editFlags }) => {
      const items: MenuItemConstructorOptions[] = [];
      if (misspelledWord) {
        for (const word of dictionarySuggestions) {
          items.push({ label: word, click: () => webContents.replaceMisspelling(word) });
        }
        const { session } = webContents;
        items.push({
          label: 'Add to dictionary',
          click: () => void session.addWordToSpellCheckerDictionary(misspelledWord),
        });
        items.push({ type: 'separator' });
      }
      if (isEditable) items.push({ role: 'cut', enabled: editFlags.canCut });
      if (isEditable || selectionText) items.push({ role: 'copy', enabled: editFlags.canCopy });
      if (isEditable) items.push({ role: 'paste', enabled: editFlags.canPaste });
      items.push({ role: 'selectAll' });
      Menu.buildFromTemplate(items).popup({ window });
    },
  );
}
