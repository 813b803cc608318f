import { useState } from 'react';
import { revealHiddenText } from '../../shared/hiddenCharacters.ts';
import type { TemplateInfo } from '../../shared/offers.ts';
import { ArgumentFields } from '../settings/server/ArgumentFields.tsx';
import { ResourceReader } from '../settings/server/ResourceReader.tsx';
import { useAction } from '../settings/useAction.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Dialog } from '../ui/Dialog.tsx';

interface Props {
  server: string;
  template: TemplateInfo;
  completes: boolean;
  onClose(): void;
  onAttach(uri: string): void;
}

/** A template is filled in, what it leads to is looked at, and then attached. */
export function TemplateDialog({ server, template, completes, onClose, onAttach }: Props) {
  const { uriTemplate, variables, title, name } = template;
  const [uri, setUri] = useState<string>();
  const { run, busy, error } = useAction();
  return (
    <Dialog
      wide
      title={revealHiddenText(`${title ?? name} of ${server}`)}
      onClose={onClose}
      footer={
        uri !== undefined && (
          <Button variant="primary" onClick={() => onAttach(uri)}>
            Attach
          </Button>
        )
      }
    >
      <ArgumentFields
        about={{ server, completes, of: { type: 'resource', uri: uriTemplate } }}
        fields={variables.map(variable => ({ name: variable, label: variable, required: false }))}
        action="Look at it"
        busy={busy}
        onSend={values =>
          void run(async () => setUri((await request('resources.expand', { uriTemplate, values })).uri))
        }
      />
      {error && <Callout error={error} />}
      {uri !== undefined && <ResourceReader key={uri} server={server} uri={uri} />}
    </Dialog>
  );
}
