// Checked by `tsc -b`, never run: what a caller may write follows from the contract, and what it gets back too.
import { expectTypeOf } from 'vitest'
import type { CallInput, CallName, CallOutput, ParsedInput } from '#contract/calls.ts'
import type { DeliverySummary, Settings } from '#contract/models.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import type { Engine } from '#engine/app/engine.ts'
import type { Client, ClientInput } from '#client/client.ts'

type Call = Engine['call']
declare const call: Call
declare const on: Engine['on']

// A result is inferred from the name, so callers do not assert it.
expectTypeOf(call('settings.update', { theme: 'dark' })).resolves.toEqualTypeOf<Settings>()
expectTypeOf<CallOutput<'deliveries.page'>['rows']>().toEqualTypeOf<DeliverySummary[]>()
expectTypeOf<CallOutput<'deliveries.body'>['bytes']>().toExtend<Uint8Array>()

// Defaults may be left out by the caller, and are there for the handler.
expectTypeOf<CallInput<'deliveries.body'>['decoded']>().toEqualTypeOf<boolean | undefined>()
expectTypeOf<ParsedInput<'deliveries.body'>['decoded']>().toEqualTypeOf<boolean>()

// @ts-expect-error no such call
void call('deliveries.steal', {})
// @ts-expect-error the input of another call
void call('deliveries.get', { endpointId: 1 })
// @ts-expect-error a theme that does not exist
void call('settings.update', { theme: 'sepia' })
// @ts-expect-error no such push
on('deliveries.stolen', () => undefined)

on('deliveries.arrived', (payload) => {
  expectTypeOf(payload.rows).toEqualTypeOf<DeliverySummary[]>()
})

// A push carries summaries: never a body, never a header.
expectTypeOf<PushPayload<'deliveries.arrived'>['rows'][number]>().not.toHaveProperty('headers')
expectTypeOf<DeliverySummary>().not.toHaveProperty('body')

// Names are `<subject>.<verb>`.
expectTypeOf<CallName>().toExtend<`${string}.${string}`>()
expectTypeOf<PushName>().toExtend<`${string}.${string}`>()

// The interface never leaves out whose deliveries it means: it would be the live store, also where a log is shown.
declare const client: Client
void client.call('deliveries.get', { id: 1, log: 3 })
void client.call('deliveries.clear', {})
// @ts-expect-error of the live store or of a log?
void client.call('deliveries.get', { id: 1 })
// @ts-expect-error of the live store or of a log?
void client.call('attempts.body', { id: 1, which: 'response', offset: 0, length: 1 })
type OfALog = {
  [N in CallName]: string extends keyof CallInput<N>
    ? never
    : 'log' extends keyof CallInput<N>
      ? N
      : never
}[CallName]
expectTypeOf<
  {
    [N in OfALog]: undefined extends ClientInput<N>['log'] ? N : never
  }[OfALog]
>().toBeNever()
expectTypeOf<
  'deliveries.page' | 'filters.suggest' | 'compose.original' | 'logs.text'
>().toExtend<OfALog>()
