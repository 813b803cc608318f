import { definitionDiff } from '../../shared/definitionDiff.ts';
import type { ToolDefinition } from '../../shared/rules.ts';
import styles from './DefinitionDiff.module.css';
import { HiddenText } from './HiddenText.tsx';

const words = { Description: 'Description', Arguments: 'Arguments it takes', Claims: 'What it claims' };

/** What a server changed about a tool: what went is struck through, what came is marked. */
export function DefinitionDiff({ before, now }: { before: ToolDefinition; now: ToolDefinition }) {
  return (
    <dl className={styles.changes}>
      {definitionDiff(before, now).map(({ part, parts }) => (
        <div key={part}>
          <dt>{words[part]}</dt>
          {/* A region that scrolls must be reachable by keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
          <dd className={part === 'Description' ? styles.prose : styles.code} tabIndex={0}>
            {parts.map(({ kind, text }, index) => {
              const key = `${index} ${kind}`;
              if (kind === 'removed')
                return (
                  <del key={key}>
                    <HiddenText text={text} />
                  </del>
                );
              if (kind === 'added')
                return (
                  <ins key={key}>
                    <HiddenText text={text} />
                  </ins>
                );
              return <HiddenText key={key} text={text} />;
            })}
          </dd>
        </div>
      ))}
    </dl>
  );
}
