import { GUIDE } from '../../shared/settings.ts';
import { useSettings } from '../stores/settings.ts';
import { Appearance } from './Appearance.tsx';
import { ConnectionTest } from './ConnectionTest.tsx';
import { ConversationFiles } from './ConversationFiles.tsx';
import { EndpointForm } from './EndpointForm.tsx';
import { KeyForm } from './KeyForm.tsx';
import { ModelChoice } from './ModelChoice.tsx';
import { PriceForm } from './PriceForm.tsx';
import styles from './Screen.module.css';
import { SummarySettings } from './SummarySettings.tsx';
import { ToolSearchSetting } from './ToolSearchSetting.tsx';

/** Which model answers, and how it is reached. */
export function ModelScreen() {
  const status = useSettings(state => state.model);
  const guide = status.model === GUIDE;
  return (
    <div className={styles.screen}>
      <header className={styles.header}>
        <div>
          <h1>Model</h1>
          <p className={styles.lead}>
            {guide
              ? 'The Guide answers: no language model. It finds the tool that fits your words and calls it.'
              : `${status.model} answers, at ${status.baseUrl}.`}
          </p>
        </div>
      </header>
      <Section title="API key">
        <KeyForm status={status} />
      </Section>
      <Section title="Model">
        <ModelChoice status={status} />
        <ConnectionTest status={status} />
      </Section>
      <Section title="Endpoint">
        <EndpointForm status={status} />
      </Section>
      <Section title="Long conversations">
        <SummarySettings />
      </Section>
      <Section title="Many tools">
        <ToolSearchSetting />
      </Section>
      <Section title="Prices">
        <PriceForm />
      </Section>
      <Section title="Conversations">
        <ConversationFiles />
      </Section>
      <Section title="This window">
        <Appearance />
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
