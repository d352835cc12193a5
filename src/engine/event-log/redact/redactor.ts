import type { LogEndpoint, LogHead } from '#contract/event-log.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import { type RedactionRule, type Removal } from '#contract/logs.ts'
import { removalClasses, type KeepableClass } from '#contract/redaction.ts'
import type { LogItem } from '../items.ts'
import { DeliveryRedaction } from './delivery.ts'
import { knownHandles } from './handles.ts'
import { HeaderRedaction } from './headers.ts'
import type { RemovalKind } from './kinds.ts'
import { KnownValues, type KnownSecret, type KnownValue } from './known.ts'
import { Ledger } from './ledger.ts'
import { PathRules } from './paths.ts'
import { Pseudonyms } from './pseudonyms.ts'
import { redactRecord } from './record.ts'
import { Taking } from './taking.ts'
import { TextRedaction } from './text.ts'

export type { KnownSecret } from './known.ts'

export interface RedactorOptions {
  /** Secrets of webhooks, access secrets, tokens, refresh tokens, in clear text. */
  readonly known: readonly KnownSecret[]
  /** Handles of guests that the source is known to hold, wherever they may be mentioned. */
  readonly handles: Iterable<string>
  /** Names of headers that are configured on endpoints: their values are the user's. */
  readonly customHeaders: readonly string[]
  /** The values that are configured for them, which may be repeated anywhere. */
  readonly customValues?: readonly string[]
  readonly rules: readonly RedactionRule[]
  /** Classes of values that stay in. */
  readonly keep?: readonly KeepableClass[]
  /** Random bytes that exist for one log alone: the same value becomes the same pseudonym in it, and nobody can go back. */
  readonly key: Uint8Array
}

/** Takes out of a log what nobody else should see. */
export interface Redactor {
  head(head: LogHead): LogHead
  item<I extends LogItem>(item: I): I
  /** How many values of each kind were taken out so far. */
  removed(): Readonly<Record<string, number>>
  /** By place, most values first, at most 500. */
  removals(): Removal[]
}

/** Throws `bad_input` for a rule that cannot be read. */
export function createRedactor(options: RedactorOptions): Redactor {
  const { rules, keep = [] } = options
  const kept = new Set(keep.flatMap((one): readonly RemovalKind[] => removalClasses[one]))
  const ledger = new Ledger()
  const taking = new Taking(
    new Pseudonyms(options.key),
    new KnownValues(knownOf(options)),
    ledger,
    kept,
  )
  const texts = new TextRedaction(taking, knownHandles(options.handles))
  const headers = new HeaderRedaction(texts, {
    custom: new Set(options.customHeaders.map((name) => name.trim().toLowerCase())),
    byRule: new Set(
      rules.flatMap((rule) => (rule.kind === 'header' ? [rule.name.trim().toLowerCase()] : [])),
    ),
  })
  const deliveries = new DeliveryRedaction(texts, headers, pathsByType(rules, taking))

  const endpoint = (item: LogEndpoint): LogEndpoint => {
    const { customHeaders, ...rest } = item
    for (const [, value] of customHeaders) taking.keep('custom_header', value)
    return {
      ...redactRecord(rest, texts, headers, 'endpoint'),
      customHeaders: customHeaders.map(([name, value]) => {
        const place = { say: () => `endpoint header ${name.toLowerCase().slice(0, 60)}`, id: false }
        return [name, value === '' ? value : taking.take('custom_header', value, place)]
      }),
    }
  }

  const redacted = (item: LogItem): LogItem => {
    taking.begin(null)
    switch (item.kind) {
      case 'delivery':
        return { kind: 'delivery', delivery: deliveries.redact(item.delivery) }
      case 'endpoint':
        return endpoint(item)
      case 'integration':
      case 'token':
      case 'run':
        return redactRecord(item, texts, headers, item.kind)
    }
  }

  return {
    head: (head) => {
      taking.begin(null)
      const place = { say: () => 'filter', id: false }
      const filter = texts.redact(head.scope.filter, place)
      return { ...head, scope: { ...head.scope, filter } }
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each kind of item becomes one of the same kind
    item: <I extends LogItem>(item: I): I => redacted(item) as I,
    removed: () => ledger.counts(),
    removals: () => ledger.removals(),
  }
}

/** The paths to follow in the body of an event of this type; null: none. */
function pathsByType(
  rules: readonly RedactionRule[],
  taking: Taking,
): (type: string | null) => PathRules | null {
  const own = rules.flatMap((rule) => (rule.kind === 'path' ? [rule.path] : []))
  const anyType = own.length === 0 ? null : new PathRules(own)
  if (!taking.takes('name')) return () => anyType
  const withNames = new Map(
    eventTypes.flatMap(({ type, data }) => {
      const names = data.filter(({ person }) => person).map(({ key }) => `$.data['${key}']`)
      return names.length === 0 ? [] : [[type, new PathRules(own, names)]]
    }),
  )
  return (type) => withNames.get(type ?? '') ?? anyType
}

/** What is as short as a word is looked for under its header, and as a word in the delivery that has it. */
const shortestCustom = 8

function knownOf({ known, customValues = [] }: RedactorOptions): KnownValue[] {
  const custom = customValues
    .map((value) => value.trim())
    .filter((value) => value.length >= shortestCustom)
  return [...known, ...custom.map((value) => ({ kind: 'custom_header' as const, value }))]
}
