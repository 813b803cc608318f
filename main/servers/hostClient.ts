import { Client } from '@modelcontextprotocol/client';

/**
 * The SDK's client, without its own check of elicitations: that one refuses a whole form for one field outside the
 * rules, such as an unknown `format`. elicitation.ts decides what of a form can be asked.
 */
export class HostClient extends Client {
  protected override _wrapHandler(
    method: string,
    handler: Parameters<Client['_wrapHandler']>[1],
  ): ReturnType<Client['_wrapHandler']> {
    return method === 'elicitation/create' ? handler : super._wrapHandler(method, handler);
  }
}
