import { FileText, Image, X } from 'lucide-react';
import { useState } from 'react';
import { type Attachment, attachmentSize } from '../../shared/attachments.ts';
import { revealHiddenText } from '../../shared/hiddenCharacters.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { dataUri, sizeInWords } from '../ui/media.ts';
import styles from './AttachmentChip.module.css';
import { LongText } from './LongText.tsx';

interface Props {
  attachment: Attachment;
  /** Absent where it has been sent. */
  onRemove?(): void;
  /** Absent where it is no text that could stand in the field. */
  onIntoText?: (() => void) | undefined;
}

/** Something attached, by its name and size; opens to a look at it. */
export function AttachmentChip({ attachment, onRemove, onIntoText }: Props) {
  const [open, setOpen] = useState(false);
  const { type, name, from } = attachment;
  const shownName = revealHiddenText(name);
  const Icon = type === 'image' ? Image : FileText;
  return (
    <div className={styles.chip}>
      <button
        type="button"
        className={styles.open}
        title={from ? revealHiddenText(`${from.server}: ${from.uri}`) : undefined}
        onClick={() => setOpen(true)}
      >
        <Icon size={14} aria-hidden="true" />
        <span className={styles.name}>
          <HiddenText text={name} />
        </span>
        <span className={styles.size}>{sizeInWords(attachmentSize(attachment))}</span>
      </button>
      {onRemove && (
        <button type="button" className={styles.remove} aria-label={`Remove ${shownName}`} onClick={onRemove}>
          <X size={14} aria-hidden="true" />
        </button>
      )}
      {open && (
        <Dialog
          wide
          title={shownName}
          onClose={() => setOpen(false)}
          footer={
            onIntoText && (
              <Button
                onClick={() => {
                  setOpen(false);
                  onIntoText();
                }}
              >
                Put into the text
              </Button>
            )
          }
        >
          {from && (
            <p className={styles.size}>
              From <HiddenText text={from.server} />: <HiddenText text={from.uri} />
            </p>
          )}
          <Content attachment={attachment} />
        </Dialog>
      )}
    </div>
  );
}

/** A look at it: nothing is fetched, nothing is run. */
function Content({ attachment }: { attachment: Attachment }) {
  if (attachment.type === 'attachment') return <LongText text={attachment.text} />;
  const picture =
    attachment.type === 'image' ? dataUri(attachment.data, attachment.mimeType, 'image') : undefined;
  if (!picture)
    return <p>{attachment.type === 'image' ? 'It cannot be shown.' : 'The model reads it as a document.'}</p>;
  return <img className={styles.picture} src={picture} alt={revealHiddenText(attachment.name)} />;
}
