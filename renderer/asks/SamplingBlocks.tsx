import { revealHidden } from '../../shared/hiddenCharacters.ts';
import type { SamplingBlock } from '../../shared/sampling.ts';
import { Callout } from '../ui/Callout.tsx';
import { dataUri } from '../ui/media.ts';
import { TextField } from '../ui/TextField.tsx';
import { HiddenText } from './HiddenText.tsx';
import { JsonView } from './JsonView.tsx';
import styles from './SamplingBlocks.module.css';

interface Props {
  /** Who says it. */
  label: string;
  content: readonly SamplingBlock[];
  /** The text of a block as it is edited. */
  textOf(index: number, original: string): string;
  onChange(index: number, text: string): void;
}

/** The blocks of one message: text to be edited, pictures to be seen, everything else as it is. */
export function SamplingBlocks({ label, content, textOf, onChange }: Props) {
  return content.map((block, index) =>
    block.type === 'text' ? (
      <EditedText
        // The blocks of a message never change places.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        key={index}
        label={label}
        text={textOf(index, String(block.text))}
        onChange={text => onChange(index, text)}
      />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <section key={index} className={styles.block} aria-label={`${label}: ${block.type}`}>
        <p className={styles.label}>
          {label}: {NAMES[block.type] ?? block.type}
        </p>
        <Content block={block} />
      </section>
    ),
  );
}

const NAMES: Readonly<Record<string, string>> = {
  image: 'a picture',
  audio: 'a recording',
  tool_use: 'a call of a tool',
  tool_result: 'the result of a tool',
};

/** A text of a prompt as a field; what a field would not show is shown below it. */
export function EditedText({
  label,
  text,
  onChange,
}: {
  label: string;
  text: string;
  onChange(text: string): void;
}) {
  const isHiding = revealHidden(text).some(part => 'hidden' in part);
  return (
    <>
      <TextField label={label} multiline rows={rowsFor(text)} value={text} onChange={onChange} />
      {isHiding && (
        <Callout tone="warning" title="There are characters in it that cannot be seen">
          <HiddenText text={text} />
        </Callout>
      )}
    </>
  );
}

function Content({ block }: { block: SamplingBlock }) {
  const picture =
    block.type === 'image' ? dataUri(String(block.data), String(block.mimeType), 'image') : undefined;
  if (picture) return <img className={styles.picture} src={picture} alt="What the server would send" />;
  const { type: _shown, ...rest } = block;
  return <JsonView value={rest} />;
}

function rowsFor(text: string): number {
  return Math.min(10, Math.max(2, Math.ceil(text.length / 80) + text.split('\n').length - 1));
}
