import { useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { draftOf, setDraft } from '../stores/drafts.ts';
import { matchesQuery } from '../ui/matching.ts';
import { mentionAt } from './mention.ts';
import { checkTogether } from './readFile.ts';
import { readResource } from './readResource.ts';
import { type ResourceOption, resourceOptions } from './resourceOptions.ts';
import { TemplateDialog } from './TemplateDialog.tsx';
import { usePickList } from './usePickList.tsx';
import { useServerOffers } from './useServerOffers.ts';

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
  const options = useServerOffers(open)?.flatMap(({ server, offers }) => resourceOptions(server, offers));
  const query = mention?.query ?? '';
  const found = open
    ? (options ?? [])
        .filter(({ server, title, address }) => matchesQuery(`${server} ${title} ${address}`, query))
        .slice(0, MOST)
    : [];
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
    if (mention) setDraft(place, { text: text.slice(0, mention.from) + text.slice(caret) });
    if (option.template) setTemplate(option);
    else void attach(option, option.address);
  };
  const { list, ...keys } = usePickList({
    open,
    label: 'Resources',
    picks: found,
    show: ({ server, title, address }) => ({
      key: `${server} ${address}`,
      title,
      detail: `${server} · ${address}`,
    }),
    status: words(options, found.length),
    onTake: take,
    onClose: () => setLeft(mention?.from),
  });

  return {
    ...keys,
    menu: (
      <>
        {reading !== undefined && (
          <p role="status">
            Reading <HiddenText text={reading} />…
          </p>
        )}
        {list}
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
