import type { Attachment } from '../../shared/attachments.ts';
import { AttachmentChip } from './AttachmentChip.tsx';

interface Props {
  className: string | undefined;
  attachments: readonly Attachment[];
  /** What is left after one was taken off. */
  onChange(attachments: Attachment[]): void;
  /** Puts a text file into the text; undefined for one that cannot be. */
  intoText?(attachment: Attachment): (() => void) | undefined;
}

/** What goes along with a message that is being written: nothing is shown when that is nothing. */
export function AttachmentList({ className, attachments, onChange, intoText }: Props) {
  if (attachments.length === 0) return null;
  return (
    <ul className={className} aria-label="Attached">
      {attachments.map((attachment, index) => (
        // Two may be the same in everything.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={index}>
          <AttachmentChip
            attachment={attachment}
            onRemove={() => onChange(attachments.filter(one => one !== attachment))}
            onIntoText={intoText?.(attachment)}
          />
        </li>
      ))}
    </ul>
  );
}
