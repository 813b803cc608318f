import { ShieldQuestion } from 'lucide-react';
import { useId, useState } from 'react';
import type { AskOf } from '../../shared/asks.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { ApprovalDetails } from './ApprovalDetails.tsx';
import { ArgumentsEditor } from './ArgumentsEditor.tsx';
import { AskCard } from './AskCard.tsx';
import { DefinitionDiff } from './DefinitionDiff.tsx';
import { HiddenText } from './HiddenText.tsx';
import { ServerRuns } from './ServerRuns.tsx';
import { type Answering, useAnswer } from './useAnswer.ts';

/** May this tool run with these arguments? */
export function ApprovalCard({ ask }: { ask: AskOf<'approval'> }) {
  const answering = useAnswer(ask);
  const { answer, busy, error } = answering;
  const [editing, setEditing] = useState(false);
  const formId = useId();
  const title = ask.title ?? ask.tool;
  return (
    <AskCard
      icon={<ShieldQuestion size={18} />}
      server={ask.server}
      lead={
        title === ask.tool ? (
          'a tool of the server'
        ) : (
          <>
            <code>
              <HiddenText text={ask.tool} />
            </code>
            , a tool of the server
          </>
        )
      }
      behind={<ServerRuns server={ask.server} />}
      title={
        <>
          Allow “<HiddenText text={title} />
          ”?
        </>
      }
      error={error}
      actions={
        editing ? (
          <EditingActions answering={answering} formId={formId} onBack={() => setEditing(false)} />
        ) : (
          <Actions ask={ask} answering={answering} onEdit={() => setEditing(true)} />
        )
      }
    >
      {ask.change && <Change change={ask.change} />}
      {editing ? (
        <ArgumentsEditor
          ask={ask}
          formId={formId}
          onSend={args => !busy && answer({ action: 'allow', args })}
        />
      ) : (
        <ApprovalDetails ask={ask} />
      )}
    </AskCard>
  );
}

function Actions({
  ask,
  answering: { answer, busy, settled },
  onEdit,
}: {
  ask: AskOf<'approval'>;
  answering: Answering;
  onEdit(): void;
}) {
  const early = busy || !settled;
  return (
    <>
      <Button variant="primary" disabled={early} onClick={() => answer({ action: 'allow' })}>
        Allow once
      </Button>
      {ask.conversationId !== undefined && (
        <Button disabled={early} onClick={() => answer({ action: 'allowInConversation' })}>
          Allow in this conversation
        </Button>
      )}
      <Button disabled={early} onClick={() => answer({ action: 'allowAlways' })}>
        Always allow this tool
      </Button>
      <Button disabled={early} onClick={onEdit}>
        Edit arguments
      </Button>
      <Button disabled={busy} onClick={() => answer({ action: 'deny' })}>
        Deny
      </Button>
      <Button variant="ghost" disabled={busy} onClick={() => answer({ action: 'stop' })}>
        Stop
      </Button>
    </>
  );
}

function EditingActions({
  answering: { answer, busy, settled },
  formId,
  onBack,
}: {
  answering: Answering;
  formId: string;
  onBack(): void;
}) {
  return (
    <>
      <Button variant="primary" type="submit" form={formId} disabled={busy || !settled}>
        Allow once with these
      </Button>
      <Button disabled={busy} onClick={onBack}>
        Back
      </Button>
      <Button disabled={busy} onClick={() => answer({ action: 'deny' })}>
        Deny
      </Button>
    </>
  );
}

function Change({ change: { before, now } }: { change: NonNullable<AskOf<'approval'>['change']> }) {
  if (!before)
    return (
      <Callout tone="warning" title="This tool is not one of those that you allowed">
        What you allowed of this server was given for the tools that it had then. This one is new, or was
        something else.
      </Callout>
    );
  return (
    <Callout tone="warning" title="This tool has changed since you allowed it">
      Look at what its server changed before you allow it again.
      <DefinitionDiff before={before} now={now} />
    </Callout>
  );
}
