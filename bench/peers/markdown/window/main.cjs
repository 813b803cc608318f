// A window for one of the peers. Arguments: the built page, the peer's name. `feed` sends it a text as Parley's main
// process does: what has come is merged and sent once per frame.
const { app, BrowserWindow } = require('electron');
const path = require('node:path');

const [page, peer] = process.argv
  .slice(2)
  .filter(word => !word.startsWith('-'))
  .slice(-2);
app.setPath('userData', path.join(path.dirname(page), `data-${peer}`));
app.on('window-all-closed', () => app.quit());

app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1180,
    height: 800,
    webPreferences: { preload: path.join(__dirname, 'preload.cjs'), sandbox: true },
  });
  window.loadFile(page, { hash: peer });
  globalThis.feed = (text, perSecond) =>
    new Promise(done => {
      const began = performance.now();
      let sent = 0;
      const timer = setInterval(() => {
        const due = Math.min(text.length, Math.floor(((performance.now() - began) / 1000) * perSecond));
        if (due > sent) window.webContents.send('text', text.slice(sent, due));
        sent = due;
        if (due < text.length) return;
        clearInterval(timer);
        done();
      }, 16);
    });
});
