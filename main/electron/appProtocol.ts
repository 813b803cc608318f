import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol } from 'electron';
import { APP_ORIGIN } from './origin.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** No inline script, no eval, nothing from outside. Inline styles are allowed: positioned menus need them. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  // The code cache spares compiling the page's scripts at every start.
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: 'parley', privileges }]);
}

/**
 * Serves the built renderer as `parley://app/`; nothing outside `root` can be reached. Resolves when the first page has
 * been handed over.
 */
export function serveApp(root: string): Promise<void> {
  return new Promise(served => {
    protocol.handle('parley', async request => {
      const response = await answer(root, request);
      served();
      return response;
    });
  });
}

async function answer(root: string, request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (`${url.protocol}//${url.host}` !== APP_ORIGIN || request.method !== 'GET') return notFound();
  const path = normalize(join(root, decodeURIComponent(url.pathname === '/' ? '/index.html' : url.pathname)));
  const type = TYPES[extname(path)];
  if (!path.startsWith(root + sep) || !type) return notFound();
  const body = await readFile(path).catch(() => undefined);
  if (!body) return notFound();
  const headers = {
    'content-type': type,
    'content-security-policy': CSP,
    'x-content-type-options': 'nosniff',
  };
  return new Response(new Uint8Array(body), { headers });
}

function notFound(): Response {
  return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } });
}
