import type { LogEndpoint, LogHead } from '#contract/event-log.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import type { RedactionRule, Removal } from '#contract/logs.ts'
import { type KeepableClass, removalClasses } from '#contract/redaction.ts'
import type { LogItem } from '../items.ts'
import { DeliveryRedaction } from './delivery.ts'
import { RehearsalRedaction } from './rehearsal.ts'
import { HeaderRedaction } from './headers.ts'
import type { RemovalKind } from './edits.ts'
import { type KnownSecret, type KnownValue, KnownValues } from './known-values.ts'
import { Ledger } from './removal-ledger.ts'
import { PathRules } from './path-rules.ts'
import { Pseudonyms } from './pseudonyms.ts'
import { RedactionSession } from './redaction-session.ts'
import { type KnownHandles, TextRedaction } from './text.ts'
import { isEmail, isPhone, phoneDigits } from './contacts.ts'
import { z } from 'zod'
import { Header } from '#contract/models.ts'
import { isMarked } from './name-value-pairs.ts'
import { fieldMeaning } from './field-names.ts'

const Headers = z.array(Header)
const Message = z.object({ headers: Headers, body: z.string(), bytes: z.number().optional() })
const Fact = z.object({ name: z.string(), value: z.string() })

/** Programs depend on these values. */
const wireFields: ReadonlySet<string> = new Set([
  'kind',
  'outcome',
  'state',
  'agent',
  'severity',
  'status',
])

/** A run, a token with its events, an integration. Masks such as `«code»` stay. */
function redactRecord<T>(
  record: T,
  texts: TextRedaction,
  headers: HeaderRedaction,
  placeName: string,
): T {
  const walk = (value: unknown, key: string, depth: number): unknown => {
    if (typeof value === 'string') {
      const place = { describe: () => placeName, id: fieldMeaning(key).id }
      return wireFields.has(key) ? value : texts.redact(value, place)
    }
    if (value === null || typeof value !== 'object' || depth > 20) return value
    if (Array.isArray(value)) {
      const headerList = key === 'headers' ? Headers.safeParse(value).data : undefined
      return headerList
        ? headers.redact(headerList, `${placeName} header`)
        : value.map((element: unknown) => walk(element, key, depth + 1))
    }
    const fact = Fact.strict().safeParse(value).data
    if (fact) return redactFact(fact)
    const walked = Object.fromEntries(
      Object.entries(value).map(([name, element]) => [
        name,
        // The last four characters of a secret must not be exported either.
        name === 'ending' ? null : walk(element, name, depth + 1),
      ]),
    )
    return withoutBodyDigests(value, walked)
  }
  /** The length and digests of a redacted body would allow others to test guesses. */
  const withoutBodyDigests = (original: object, walked: Record<string, unknown>): unknown => {
    const message = Message.safeParse(original).data
    const { body } = walked
    if (!message || typeof body !== 'string' || body === message.body) return walked
    return {
      ...walked,
      headers: headers.redact(message.headers, `${placeName} header`, true),
      ...(message.bytes === undefined ? {} : { bytes: Buffer.byteLength(body) }),
    }
  }
  const redactFact = ({ name, value }: z.infer<typeof Fact>): z.infer<typeof Fact> => {
    const place = { describe: () => placeName, id: fieldMeaning(name).id }
    const kind = isMarked(value) ? null : texts.kindUnder(name.replaceAll(' ', '_'), value)
    return {
      name: texts.redact(name, place),
      value: kind ? texts.session.replace(kind, value, place) : texts.redact(value, place),
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- strings stay strings, and everything else is unchanged
  return walk(record, '', 0) as T
}

/** Most e-mail addresses and phone numbers are also found by their format. */
const maxHandles = 100_000
/** Shorter handles would be found everywhere by chance. */
const minLength = 4

/** E-mail addresses are found by their format. */
function classifyHandles(handles: Iterable<string>): KnownHandles {
  const phones = new Set<string>()
  const words = new Set<string>()
  for (const rawHandle of handles) {
    const handle = rawHandle.trim()
    if (phones.size + words.size >= maxHandles) break
    if (handle.length < minLength || isEmail(handle)) continue
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

export type { KnownSecret } from './known-values.ts'

export interface RedactorOptions {
  /** In clear text. */
  readonly known: readonly KnownSecret[]
  /** Redacted wherever they occur. */
  readonly handles: Iterable<string>
  readonly customHeaders: readonly string[]
  /** Redacted wherever they occur. */
  readonly customValues?: readonly string[]
  readonly rules: readonly RedactionRule[]
  readonly keep?: readonly KeepableClass[]
  /** Random, for one log only: without it, no value can be recovered from its pseudonym. */
  readonly key: Uint8Array
}

export interface Redactor {
  head(head: LogHead): LogHead
  item<I extends LogItem>(item: I): I
  removed(): Readonly<Record<string, number>>
  /** By place, most values first, at most 500 places. */
  removals(): Removal[]
}

/** Throws `bad_input` for an invalid rule. */
export function createRedactor(options: RedactorOptions): Redactor {
  const { rules, keep = [] } = options
  const keptKinds = new Set(keep.flatMap((name): readonly RemovalKind[] => removalClasses[name]))
  const ledger = new Ledger()
  const session = new RedactionSession(
    new Pseudonyms(options.key),
    new KnownValues(knownValues(options)),
    ledger,
    keptKinds,
  )
  const texts = new TextRedaction(session, classifyHandles(options.handles))
  const headers = new HeaderRedaction(texts, {
    custom: new Set(options.customHeaders.map((name) => name.trim().toLowerCase())),
    byRule: new Set(
      rules.flatMap((rule) => (rule.kind === 'header' ? [rule.name.trim().toLowerCase()] : [])),
    ),
  })
  const rulesOf = pathsByType(rules, session)
  const deliveries = new DeliveryRedaction(texts, headers, rulesOf)
  const rehearsals = new RehearsalRedaction(texts, headers, rulesOf)

  const redactEndpoint = (item: LogEndpoint): LogEndpoint => {
    const { customHeaders, ...rest } = item
    for (const [, value] of customHeaders) session.addForLog('custom_header', value)
    return {
      ...redactRecord(rest, texts, headers, 'endpoint'),
      customHeaders: customHeaders.map(([name, value]) => {
        const place = {
          describe: () => `endpoint header ${name.toLowerCase().slice(0, 60)}`,
          id: false,
        }
        return [name, value === '' ? value : session.replace('custom_header', value, place)]
      }),
    }
  }

  const redactItem = (item: LogItem): LogItem => {
    session.startDelivery(null)
    switch (item.kind) {
      case 'delivery':
        return { kind: 'delivery', delivery: deliveries.redact(item.delivery) }
      case 'endpoint':
        return redactEndpoint(item)
      case 'rehearsal':
        return rehearsals.run(item)
      case 'rehearsal_case':
        return rehearsals.case(item)
      case 'integration':
      case 'token':
      case 'run':
        return redactRecord(item, texts, headers, item.kind)
    }
  }

  return {
    head: (head) => {
      session.startDelivery(null)
      const place = { describe: () => 'filter', id: false }
      const filter = texts.redact(head.scope.filter, place)
      return { ...head, scope: { ...head.scope, filter } }
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind of an item does not change
    item: <I extends LogItem>(item: I): I => redactItem(item) as I,
    removed: () => ledger.counts(),
    removals: () => ledger.removals(),
  }
}

/** Null: the event type has no path rules. */
function pathsByType(
  rules: readonly RedactionRule[],
  session: RedactionSession,
): (type: string | null) => PathRules | null {
  const userPaths = rules.flatMap((rule) => (rule.kind === 'path' ? [rule.path] : []))
  const anyType = userPaths.length === 0 ? null : new PathRules(userPaths)
  if (!session.redacts('name')) return () => anyType
  const withNames = new Map(
    eventTypes.flatMap(({ type, data }) => {
      const names = data.filter(({ person }) => person).map(({ key }) => `$.data['${key}']`)
      return names.length === 0 ? [] : [[type, new PathRules(userPaths, names)]]
    }),
  )
  return (type) => withNames.get(type ?? '') ?? anyType
}

/** Shorter custom values are only redacted in their header, and as words in deliveries with that header. */
const minCustomLength = 8

function knownValues({ known, customValues = [] }: RedactorOptions): KnownValue[] {
  const custom = customValues
    .map((value) => value.trim())
    .filter((value) => value.length >= minCustomLength)
  return [...known, ...custom.map((value) => ({ kind: 'custom_header' as const, value }))]
}
