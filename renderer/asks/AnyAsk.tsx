import type { Ask } from '../../shared/asks.ts';
import { ApprovalCard } from './ApprovalCard.tsx';
import { ArgumentsForm } from './ArgumentsForm.tsx';
import { ElicitationForm } from './ElicitationForm.tsx';
import { SamplingForm } from './SamplingForm.tsx';
import { SamplingResultForm } from './SamplingResultForm.tsx';
import { SecretAsk } from './SecretAsk.tsx';
import { SignInAsk } from './SignInAsk.tsx';
import { SignInWaitingAsk } from './SignInWaitingAsk.tsx';
import { UrlAsk } from './UrlAsk.tsx';
import { UrlWaitingAsk } from './UrlWaitingAsk.tsx';

/** A question of whatever kind that is not shown elsewhere. To be mounted anew for each (`key={ask.id}`). */
export function AnyAsk({ ask }: { ask: Ask }) {
  switch (ask.kind) {
    case 'approval':
      return <ApprovalCard ask={ask} />;
    case 'elicitation':
      return <ElicitationForm ask={ask} />;
    case 'urlElicitation':
      return <UrlAsk ask={ask} />;
    case 'urlWaiting':
      return <UrlWaitingAsk ask={ask} />;
    case 'arguments':
      return <ArgumentsForm ask={ask} />;
    case 'sampling':
      return <SamplingForm ask={ask} />;
    case 'samplingResult':
      return <SamplingResultForm ask={ask} />;
    case 'signIn':
      return <SignInAsk ask={ask} />;
    case 'signInWaiting':
      return <SignInWaitingAsk ask={ask} />;
    case 'secret':
      return <SecretAsk ask={ask} />;
    case 'keepWaiting':
      // On the card of its call.
      return null;
  }
}
