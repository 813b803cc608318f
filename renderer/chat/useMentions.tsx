import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { draftOf, setDraft } from '../stores/drafts.ts';
import { matchesQuery } from '../ui/matching.ts';
import { mentionAt } from './mention.ts';
import { checkTogether } from './readFile.ts';
import { readResource } from './readResource.ts';
import { TemplateDialog } from './TemplateDialog.tsx';
import styles from './useMentions.module.css';
import { type ResourceOption, useResourceOptions } from './useResourceOptions.ts';

/** Laying out more would take long, and nobody reads so far. */
const MOST = 50;

/**
 * The list of resources that an @ in the field opens: arrows choose, Enter or Tab takes, Escape closes. The focus stays
 * in the field. Whoever picks one wants it read; nothing else reads it.
 */
export function useMentions(
  place: string | undefined,
  { text, caret }: { text: string; caret: number },
  onError: (error: ErrorInfo | undefined) => void,
) {
  const listId = useId();
  const [at, setAt] = useState(0);
  const [left, setLeft] = useState<number>();
  const [template, setTemplate] = useState<ResourceOption>();
  const [reading, setReading] = useState<string>();
  const mention = mentionAt(text, caret);
  const inMention = mention !== undefined;
  // The next @ opens it again, wherever it stands.
  useEffect(() => {
    if (!inMention) setLeft(undefined);
  }, [inMention]);
  const open = inMention && mention.from !== left;
  const options = useResourceOptions(open);
  const query = mention?.query ?? '';
  const found = open
    ? (options ?? [])
        .filter(({ server, title, address }) => matchesQuery(`${server} ${title} ${address}`, query))
        .slice(0, MOST)
    : [];
  const active = Math.min(at, found.length - 1);
  useEffect(() => {
    if (active >= 0) document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, listId]);

  const attach = async ({ server, title }: ResourceOption, uri: string) => {
    onError(undefined);
    setReading(title);
    try {
      const attachments = [...draftOf(place).attachments, ...(await readResource(server, uri, title))];
      checkTogether(attachments);
      setDraft(place, { attachments });
    } catch (error) {
      onError(toErrorInfo(error));
    } finally {
      setReading(undefined);
    }
  };
  const take = (option: ResourceOption) => {
    setAt(0);
    if (mention) setDraft(place, { text: text.slice(0, mention.from) + text.slice(caret) });
    if (option.template) setTemplate(option);
    else void attach(option, option.address);
  };
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

  return {
    /** Returns whether the key was for the list. */
    takesKey(event: KeyboardEvent): boolean {
      if (!open) return false;
      const step = steps[event.key];
      const chosen = found[active];
      if (event.key === 'Escape') setLeft(mention.from);
      else if (step !== undefined && found.length > 0) setAt((active + step + found.length) % found.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && chosen) take(chosen);
      else return false;
      return true;
    },
    field: {
      'aria-autocomplete': 'list' as const,
      'aria-haspopup': 'listbox' as const,
      'aria-controls': found.length > 0 ? listId : undefined,
      'aria-activedescendant': found.length > 0 ? `${listId}-${active}` : undefined,
    },
    menu: (
      <>
        {reading !== undefined && (
          <p className={styles.note} role="status">
            Reading <HiddenText text={reading} />…
          </p>
        )}
        {open && (
          <div className={styles.menu}>
            {found.length > 0 && (
              <div id={listId} role="listbox" aria-label="Resources" className={styles.list}>
                {found.map((option, index) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
                  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
                  <div
                    key={`${option.server} ${option.address}`}
                    id={`${listId}-${index}`}
                    role="option"
                    aria-selected={index === active}
                    className={styles.option}
                    // Before the field loses the focus.
                    onMouseDown={event => event.preventDefault()}
                    onClick={() => take(option)}
                  >
                    <HiddenText text={option.title} />
                    <span className={styles.note}>
                      <HiddenText text={option.server} /> · <HiddenText text={option.address} />
                    </span>
                  </div>
                ))}
              </div>
            )}
            <p className={styles.note} role="status">
              {words(options, found.length)}
            </p>
          </div>
        )}
        {template?.template && (
          <TemplateDialog
            server={template.server}
            template={template.template.info}
            completes={template.template.completes}
            onClose={() => setTemplate(undefined)}
            onAttach={uri => {
              setTemplate(undefined);
              void attach(template, uri);
            }}
          />
        )}
      </>
    ),
  };
}

function words(options: readonly ResourceOption[] | undefined, found: number): string {
  if (!options) return 'Asking the servers…';
  if (options.length === 0) return 'No server that is ready offers resources.';
  if (found === 0) return 'No resource fits what you typed.';
  return `${found} ${found === 1 ? 'resource' : 'resources'}. Enter attaches it.`;
}
