import type { CallName, CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from './context.ts'
import * as app from './calls/app.ts'
import * as deliveries from './calls/deliveries.ts'
import * as endpoints from './calls/endpoints.ts'
import * as integrations from './calls/integrations.ts'
import * as sandbox from './calls/sandbox.ts'
import * as settings from './calls/settings.ts'

export type Handlers = {
  readonly [N in CallName]: (input: ParsedInput<N>) => Promise<CallOutput<N>>
}

/** One line for each call of the contract. */
export function createHandlers(context: Context): Handlers {
  return {
    'app.snapshot': () => app.snapshot(context),
    'deliveries.page': (input) => deliveries.page(context, input),
    'deliveries.since': (input) => deliveries.since(context, input),
    'deliveries.get': (input) => deliveries.get(context, input),
    'deliveries.body': (input) => deliveries.body(context, input),
    'deliveries.signature': (input) => deliveries.signature(context, input),
    'deliveries.pin': (input) => deliveries.pin(context, input),
    'deliveries.clear': () => deliveries.clear(context),
    'endpoints.create': (input) => endpoints.create(context, input),
    'endpoints.update': (input) => endpoints.update(context, input),
    'endpoints.remove': (input) => endpoints.remove(context, input),
    'endpoints.rotateSecret': (input) => endpoints.rotateSecret(context, input),
    'endpoints.clearSecret': (input) => endpoints.clearSecret(context, input),
    'endpoints.revealSecret': (input) => endpoints.revealSecret(context, input),
    'integrations.update': (input) => integrations.update(context, input),
    'settings.update': (input) => settings.update(context, input),
    'listener.start': (input) => settings.startListener(context, input),
    'sandbox.send': (input) => sandbox.send(context, input),
    'sandbox.evening': (input) => sandbox.evening(context, input),
    'sandbox.stop': () => sandbox.stop(context),
  } satisfies Handlers
}
