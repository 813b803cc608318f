import type { Ask } from './asks.ts';

/** One sentence about a question, for those who do not see it. Of others' words there are only names in it. */
export function announcement(ask: Ask): string {
  switch (ask.kind) {
    case 'approval':
      return `Approval needed: ${ask.title ?? ask.tool}, from ${ask.server}.`;
    case 'elicitation':
      return `${ask.server} asks you a question.`;
    case 'urlElicitation':
      return `${ask.server} asks you to open a page.`;
    case 'urlWaiting':
      return `${ask.server} waits until you have finished in your browser.`;
    case 'arguments':
      return `${ask.title ?? ask.tool} needs more from you.`;
    case 'sampling':
      return `${ask.server} wants to ask the language model something.`;
    case 'samplingResult':
      return `The language model has answered ${ask.server}. Look at the answer before it goes out.`;
    case 'signIn':
      return `${ask.server} wants you to sign in.`;
    case 'signInWaiting':
      return `Finish signing in to ${ask.server} in your browser.`;
    case 'secret':
      return `${ask.server} needs the secret ${ask.name}.`;
    case 'keepWaiting':
      return `${ask.server} has not answered for ${Math.round(ask.silentMs / 1000)} s. Keep waiting?`;
  }
}
