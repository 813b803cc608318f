import type {
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { Block, ToolCallBlock, ToolResult } from '../../shared/chat.ts';
import { Annotations } from '../../shared/offers.ts';
import { type ModelContent, toModelContent } from '../tools/result.ts';
import { cutContent, MOST_OF_A_RESULT, wholeText } from '../tools/resultCut.ts';

/** The answer to a call as the model gets it; there is one for every call, whatever became of it. */
export function toResultParam(id: string, call: ToolCallBlock, withImages: boolean): ToolResultBlockParam {
  const whole = modelContentOf(call);
  if (whole) {
    const more = `Use ${READ_RESULT} with call_id ${JSON.stringify(id)} to read or search them.`;
    const cut = cutContent(whole, call.cutForModel?.limit ?? MOST_OF_A_RESULT, more);
    const content = cut.flatMap(part => toParam(part, withImages));
    if (content.length === 0) content.push({ type: 'text', text: 'The tool returned nothing.' });
    return {
      type: 'tool_result',
      tool_use_id: id,
      content: [...whatWasChanged(call), ...content],
      ...(call.result?.isError ? { is_error: true } : {}),
    };
  }
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: [...whatWasChanged(call), { type: 'text', text: whyNoResult(call) }],
    is_error: true,
  };
}

/** The words of a call's result as the model has them, for the person. */
export function whatModelSaw(call: Block | undefined): string {
  if (call?.type !== 'toolCall') return '';
  const { content } = toResultParam(call.id, call, true);
  const parts = typeof content === 'string' ? [] : (content ?? []);
  return parts.map(part => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n');
}

/** What is to be kept with a result that has come, if it is longer than a model is given at once. */
export function cutForModel(
  result: ToolResult,
  limit = MOST_OF_A_RESULT,
): Pick<ToolCallBlock, 'cutForModel'> {
  const total = wholeText(toModelContent(forModel(result))).length;
  return total > limit ? { cutForModel: { limit, total } } : {};
}

/** The name of the tool by which a model reads what was cut; see readResult.ts. */
export const READ_RESULT = 'read_result';

/** All that the model may read of a call's result; undefined when there is none. */
export function modelContentOf({ result, status }: ToolCallBlock): ModelContent[] | undefined {
  return result && (status === 'done' || status === 'failed') ? toModelContent(forModel(result)) : undefined;
}

/** What a server means for the person alone is only mentioned; an error is told in any case. */
function forModel(result: ToolResult): ToolResult {
  if (result.isError) return result;
  const content = result.content.map(part =>
    isForPersonAlone(part) ? { type: 'text', text: '(a part of the result is for the person alone)' } : part,
  );
  return { ...result, content };
}

function isForPersonAlone({ annotations }: ToolResult['content'][number]): boolean {
  const { audience } = Annotations.safeParse(annotations).data ?? {};
  return audience?.length === 1 && audience[0] === 'user';
}

/** Without it the model would take the result for that of its own arguments. */
function whatWasChanged({ edited, args }: ToolCallBlock): TextBlockParam[] {
  if (!edited) return [];
  const sent = `The person changed the arguments of this call. It ran with: ${JSON.stringify(args)}`;
  return [{ type: 'text', text: sent }];
}

function toParam(part: ModelContent, withImages: boolean): (TextBlockParam | ImageBlockParam)[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
  if (!withImages) return [{ type: 'text', text: '(a picture that the model cannot be given)' }];
  const media_type = part.mimeType as 'image/png';
  return [{ type: 'image', source: { type: 'base64', media_type, data: part.data } }];
}

function whyNoResult(call: ToolCallBlock): string {
  const said = call.error?.message.trim();
  if (said) return said;
  switch (call.status) {
    case 'denied':
      return 'The person did not allow this call. It was not run.';
    case 'cancelled':
      return 'The person stopped this call; its outcome is unknown.';
    case 'failed':
      return 'The call failed.';
    case 'done':
      return 'The call ended without a result.';
    case 'running':
      return 'The server goes on with this call as a task; its result has not come yet.';
    default:
      return 'This call was interrupted; its outcome is unknown.';
  }
}
