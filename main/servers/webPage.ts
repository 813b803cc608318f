/** Whether a text is a web page. */
export function isWebPage(text: string): boolean {
  return /^\s*<(!doctype|html)/i.test(text.slice(0, 1000));
}

/** What a web page says, for one line: its title, or else its first words. Empty when it says nothing. */
export function wordsOfPage(html: string): string {
  const start = html.slice(0, MAX_READ);
  const title = /<title[^>]*>([^<]{1,80})/i.exec(start)?.[1]?.trim();
  if (title) return title;
  const words = start.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
  return words.replace(/\s+/g, ' ').trim().slice(0, 80);
}

/** The title stands near the beginning; more need not be searched. */
const MAX_READ = 64 * 1024;
