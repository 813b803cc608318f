/** A person at the pages of the authorization server: a browser with cookies that fills in forms and follows. */

/** Logs in and agrees, or with `abort` refuses; comes back to Parley. Resolves with the page that is shown in the end. */
export async function finishSignIn(
  start: string,
  { abort = false, login = 'ada' } = {},
): Promise<{ status: number; page: string }> {
  const cookies = new Map<string, string>();
  const { host } = new URL(start);
  let next: { url: string; form?: URLSearchParams } = { url: start };
  for (let steps = 0; steps < 20; steps += 1) {
    const { url, form } = next;
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    const location = response.headers.get('location');
    if (new URL(url).host !== host) return { status: response.status, page };
    if (location) next = { url: new URL(location, url).href };
    else if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${page}`);
    else if (abort) next = { url: new URL(linkIn(page, /abort/), url).href };
    else next = formIn(page, url, login);
  }
  throw new Error('The sign-in goes round in circles.');
}

function linkIn(page: string, about: RegExp): string {
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
  const found = links.find(href => about.test(href));
  if (!found) throw new Error(`There is no such link in ${page}`);
  return found;
}

function formIn(page: string, url: string, login: string): { url: string; form: URLSearchParams } {
  const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
  if (!action) throw new Error(`There is no form in ${page}`);
  const hidden = [...page.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)];
  const form = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]));
  if (/name="login"/.test(page)) {
    form.set('login', login);
    form.set('password', 'any');
  }
  return { url: new URL(action, url).href, form };
}
