import type { LogEndpoint, LogHead } from '#contract/event-log.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import type { RedactionRule, Removal } from '#contract/logs.ts'
import { type KeepableClass, removalClasses } from '#contract/redaction.ts'
import type { LogItem } from '../items.ts'
import { DeliveryRedaction } from './delivery.ts'
import { HeaderRedaction } from './headers.ts'
import type { RemovalKind } from './edits.ts'
import { type KnownSecret, type KnownValue, KnownValues } from './known.ts'
import { Ledger } from './ledger.ts'
import { PathRules } from './paths.ts'
import { Pseudonyms } from './pseudonyms.ts'
import { RedactionSession } from './redaction-session.ts'
import { type KnownHandles, TextRedaction } from './text.ts'
import { isEmail, isPhone, phoneDigits } from './contacts.ts'
import { z } from 'zod'
import { Header } from '#contract/models.ts'
import { isMarked } from './pairs.ts'
import { meaningOf } from './names.ts'

const Headers = z.array(Header)
const Message = z.object({ headers: Headers, body: z.string(), bytes: z.number().optional() })
const Fact = z.object({ name: z.string(), value: z.string() })

/** Words of ours, which branch what reads them. */
const ours: ReadonlySet<string> = new Set([
  'kind',
  'outcome',
  'state',
  'agent',
  'severity',
  'standing',
])

/**
 * Takes out of a record of ours (a run, the life of a token, an integration) what must go. Every text is looked at; markers stay. The shape
 * stays what it was.
 */
function redactRecord<T>(
  record: T,
  texts: TextRedaction,
  headers: HeaderRedaction,
  where: string,
): T {
  const walk = (value: unknown, key: string, depth: number): unknown => {
    if (typeof value === 'string') {
      const place = { say: () => where, id: meaningOf(key).id }
      return ours.has(key) ? value : texts.redact(value, place)
    }
    if (value === null || typeof value !== 'object' || depth > 20) return value
    if (Array.isArray(value)) {
      const list = key === 'headers' ? Headers.safeParse(value).data : undefined
      return list
        ? headers.redact(list, `${where} header`)
        : value.map((one: unknown) => walk(one, key, depth + 1))
    }
    const fact = Fact.strict().safeParse(value).data
    if (fact) return factOf(fact)
    const walked = Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        // Four characters of a secret are four too many for a file that leaves.
        name === 'ending' ? null : walk(one, name, depth + 1),
      ]),
    )
    return withoutLengths(value, walked)
  }
  /** A message of a record: what was taken out of its body must not be told by its length or its digests. */
  const withoutLengths = (was: object, walked: Record<string, unknown>): unknown => {
    const message = Message.safeParse(was).data
    const { body } = walked
    if (!message || typeof body !== 'string' || body === message.body) return walked
    return {
      ...walked,
      headers: headers.redact(message.headers, `${where} header`, true),
      ...(message.bytes === undefined ? {} : { bytes: Buffer.byteLength(body) }),
    }
  }
  const factOf = ({ name, value }: z.infer<typeof Fact>): z.infer<typeof Fact> => {
    const place = { say: () => where, id: meaningOf(name).id }
    const kind = isMarked(value) ? null : texts.kindUnder(name.replaceAll(' ', '_'), value)
    return {
      name: texts.redact(name, place),
      value: kind ? texts.taking.take(kind, value, place) : texts.redact(value, place),
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts become texts, and all else is handed on as it is
  return walk(record, '', 0) as T
}

/** More are not held: e-mail addresses and phone numbers are found without. */
const most = 100_000
/** Shorter ones would be found everywhere by chance, in characters. */
const shortest = 4

/** Sorts handles by how they are looked for. E-mail addresses are found by their form. */
function knownHandles(handles: Iterable<string>): KnownHandles {
  const phones = new Set<string>()
  const words = new Set<string>()
  for (const written of handles) {
    const handle = written.trim()
    if (phones.size + words.size >= most) break
    if (handle.length < shortest || isEmail(handle)) continue
    if (isPhone(handle)) {
      const digits = phoneDigits(handle)
      if (digits.length >= 6) phones.add(digits)
      continue
    }
    words.add(handle)
    words.add(handle.toLowerCase())
  }
  return { phones, words: [...words] }
}

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
  const taking = new RedactionSession(
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
  taking: RedactionSession,
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
