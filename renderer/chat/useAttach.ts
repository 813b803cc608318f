import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef } from 'react';
import { ATTACHMENT_LIMITS, type Attachment } from '../../shared/attachments.ts';
import { type ErrorInfo, HostError, toErrorInfo } from '../../shared/errors.ts';
import { draftOf, setDraft } from '../stores/drafts.ts';
import { checkTogether, readFile, wellFormed } from './readFile.ts';

/** A longer text is no longer written, it is read: it becomes an attachment. */
const LONG_PASTE = 10_000;
const MANY_LINES = 300;

/** What comes into a draft by paste, drop or the file dialog. */
export function useAttach(place: string | undefined, onError: (error: ErrorInfo | undefined) => void) {
  /** The text that was pasted last, until something else happens: Ctrl+Z takes it back. */
  const pasted = useRef<Attachment>(undefined);

  const add = (more: readonly Attachment[]) => {
    const attachments = [...draftOf(place).attachments, ...more];
    checkTogether(attachments);
    setDraft(place, { attachments });
  };
  const addFiles = async (files: Iterable<File>) => {
    onError(undefined);
    pasted.current = undefined;
    for (const file of [...files]) {
      try {
        add([await readFile(file)]);
      } catch (error) {
        onError(toErrorInfo(error));
      }
    }
  };
  const addText = (text: string) => {
    onError(undefined);
    try {
      if (text.length > ATTACHMENT_LIMITS.attachment) throw tooLong(text.length);
      const one: Attachment = { type: 'attachment', name: 'Pasted text', mimeType: 'text/plain', text };
      add([one]);
      pasted.current = one;
    } catch (error) {
      onError(toErrorInfo(error));
    }
  };
  return {
    addFiles,
    onPaste(event: ClipboardEvent) {
      const text = event.clipboardData.getData('text/plain');
      pasted.current = undefined;
      if (text === '' && event.clipboardData.files.length > 0) {
        event.preventDefault();
        void addFiles(event.clipboardData.files);
      } else if (isLong(text)) {
        event.preventDefault();
        addText(wellFormed(text));
      }
    },
    onDrop(event: DragEvent) {
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      void addFiles(event.dataTransfer.files);
    },
    /** Returns whether the key was for it. */
    undoPaste(event: KeyboardEvent): boolean {
      const last = pasted.current;
      if (!last || event.key !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return false;
      pasted.current = undefined;
      setDraft(place, { attachments: draftOf(place).attachments.filter(one => one !== last) });
      return true;
    },
    forgetPaste() {
      pasted.current = undefined;
    },
  };
}

function isLong(text: string): boolean {
  return text.length > LONG_PASTE || text.split('\n', MANY_LINES + 1).length > MANY_LINES;
}

function tooLong(length: number): HostError {
  const message = `The pasted text has ${length.toLocaleString('en')} characters; up to ${ATTACHMENT_LIMITS.attachment.toLocaleString('en')} can be attached.`;
  return new HostError('attachment.size', message, 'Paste a part of it.');
}
