import type { Comparison, Filter, FilterValue } from '#contract/filter/ast.ts'
import { firstUs } from './groups.ts'
import { endpoints, type Fact } from './facts.ts'

/** Time of the searches in tests: the time of delivery 9500. */
export const asOf = firstUs / 1000 + 9_500_000

type Value = Pick<FilterValue, 'text' | 'quoted'>

/** Keeps the results of a function of a text or fact: the same thousands of them are searched by every filter. */
function remembered<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, { readonly value: V }>()
  return (key) => {
    let entry = known.get(key)
    if (!entry) known.set(key, (entry = { value: compute(key) }))
    return entry.value
  }
}

/** A simple, independent implementation of filters, used as a reference for the SQL implementation. */
export function expectedIds(filter: Filter, facts: readonly Fact[]): number[] {
  const repeats = repeatsOf(facts)
  mentions = mentionsOf(facts)
  return facts.filter((fact) => holds(filter, fact, repeats)).map(({ id }) => id)
}

let mentions: ReadonlyMap<string, Mention> = new Map()

/** Of the newest delivery with a name. */
interface Mention {
  readonly name: string | null
  readonly spot: string | null
}

const mentionsOf = remembered((facts: readonly Fact[]): Map<string, Mention> => {
  const found = new Map<string, Mention>()
  for (const { facts: about } of facts) {
    for (const kind of ['tab', 'guest'] as const) {
      const named = about?.[kind]
      if (!named || named.name === null) continue
      found.set(`${kind} ${named.id}`, { name: named.name, spot: about.spot })
    }
  }
  return found
})

function mentionOf(kind: 'tab' | 'guest', { facts }: Fact): Mention | undefined {
  return mentions.get(`${kind} ${facts?.[kind]?.id}`)
}

function outcome({ verdict, sent, status }: Fact): string {
  if (verdict === 'invalid' || verdict === 'missing') return verdict
  if (sent !== null && (sent < 200 || sent > 299)) return 'rejected'
  return status === null || status >= 400 ? 'refused' : 'ok'
}

function holds(filter: Filter, fact: Fact, repeats: ReadonlyMap<number, string>): boolean {
  switch (filter.kind) {
    case 'all':
      return true
    case 'and':
      return filter.parts.every((part) => holds(part, fact, repeats))
    case 'or':
      return filter.parts.some((part) => holds(part, fact, repeats))
    case 'not':
      return !holds(filter.part, fact, repeats)
    case 'text': {
      const headers = fact.headers.map(([name, value]) => `${name}: ${value}`).join('\n')
      const latin1 = Buffer.from(headers).toString('latin1')
      const sent = /^\d+\.\d0$/.test(filter.text) ? String(Number(filter.text)) : null
      return [latin1, fact.body].some(
        (column) =>
          hasPhrase(column, filter.quoted ? filter.text : `${filter.text}*`) ||
          (sent !== null && hasPhrase(column, sent)),
      )
    }
    case 'field': {
      const any = filter.values.some((value) => one(filter, value, fact, repeats))
      const received =
        filter.values.length === 0 && headersOf(fact, filter.path[0] ?? '').length > 0
      return (any || received) !== (filter.comparison === '!=')
    }
  }
}

function one(
  { field, path, comparison }: Extract<Filter, { kind: 'field' }>,
  value: Value,
  fact: Fact,
  repeats: ReadonlyMap<number, string>,
): boolean {
  const none = !value.quoted && value.text === 'none'
  const has = (found: string | null): boolean =>
    found === null ? none : !none && like(found, value)
  const { text } = value
  const named = (names: readonly (string | null | undefined)[]): boolean => {
    const known = names.filter((name) => typeof name === 'string')
    if (known.length === 0) return none
    return !none && known.some((name) => like(bareOf(name), { ...value, text: bareOf(text) }))
  }
  switch (field) {
    case 'spot':
      return named([fact.facts?.spot ?? mentionOf('tab', fact)?.spot])
    case 'zone':
      return named([fact.facts?.zone])
    case 'item':
      return named(fact.facts?.items ?? [])
    case 'order':
      return named([fact.facts?.order?.id, fact.facts?.order?.name])
    case 'tab':
    case 'guest': {
      const mentioned = fact.facts?.[field]
      return named([mentioned?.id, mentioned?.name ?? mentionOf(field, fact)?.name])
    }
    case 'total': {
      const total = fact.facts?.amount ?? null
      return total === null ? none : !none && ordered(total, comparison, Number(text))
    }
    case 'outcome':
      return outcome(fact) === text.toLowerCase()
    case 'cause': {
      const failed =
        outcome(fact) === 'invalid' ||
        outcome(fact) === 'missing' ||
        (fact.verdict === 'valid' && fact.sent === 401)
      if (!failed) return false
      const causes = fact.causes ?? []
      return none ? causes.length === 0 : causes.some((code) => like(code, value))
    }
    case 'created': {
      if (none || fact.createdMs === null) return none && fact.createdMs === null
      return ordered(asOf - fact.createdMs, comparison, amount(text))
    }
    case 'type':
      return has(fact.type)
    case 'verdict':
      return fact.verdict === text.toLowerCase()
    case 'verdict-at-arrival':
      return (fact.atArrival ?? fact.verdict) === text.toLowerCase()
    case 'finding':
      return none ? fact.findings.length === 0 : fact.findings.some(({ code }) => like(code, value))
    case 'severity':
      return fact.findings.some(({ severity }) => severity === text)
    case 'location':
      return has(fact.location)
    case 'target':
      return has(fact.target)
    case 'ref':
      return mentioned(fact).includes(text)
    case 'endpoint':
      if (none) return fact.endpointId === null
      return (
        String(fact.endpointId) === text ||
        endpoints.some(
          ({ id, name, slug }) =>
            id === fact.endpointId &&
            [name, slug].some((word) =>
              like(word.toLowerCase(), { ...value, text: text.toLowerCase() }),
            ),
        )
      )
    case 'integration': {
      if (none) return fact.endpointId === null
      const integration = endpoints.find(({ id }) => id === fact.endpointId)?.integration
      return (
        integration !== undefined &&
        (String(integration.id) === text ||
          like(integration.name.toLowerCase(), { ...value, text: text.toLowerCase() }))
      )
    }
    case 'number':
      return ordered(fact.id, comparison, Number(text))
    case 'status':
      return fact.status === null ? none : !none && ordered(fact.status, comparison, Number(text))
    case 'handler': {
      const { sent } = fact
      if (sent === null || none) return none && sent === null
      const fine = sent >= 200 && sent < 300
      const word = text.toLowerCase()
      if (word === 'no_response') return sent === 0
      if (word === 'ok' || word === 'failed') return fine === (word === 'ok')
      return sent !== 0 && ordered(sent, comparison, Number(text))
    }
    case 'own':
      return (fact.own ?? 'none') === text.toLowerCase()
    case 'answered':
      return (fact.answeredBy ?? 'none') === text.toLowerCase()
    case 'via':
      return (fact.via ?? 'none') === text.toLowerCase()
    case 'relay':
      return has(fact.relay?.name ?? null)
    case 'receiver':
      return has(fact.relay?.receiver ?? null)
    case 'lag': {
      if (none || fact.createdMs === null) return none && fact.createdMs === null
      return ordered(fact.receivedUs / 1000 - fact.createdMs, comparison, amount(text))
    }
    case 'size':
      return ordered(Buffer.byteLength(fact.body), comparison, amount(text))
    case 'since':
      return fact.receivedUs / 1000 >= asOf - amount(text)
    case 'before':
    case 'until':
      return fact.receivedUs / 1000 < asOf - amount(text)
    case 'contains': {
      const headers = fact.headers.map(([name, found]) => `${name}: ${found}`).join('\n')
      const pattern = regexOf({ ...value, text: bareOf(text) }, '')
      return [Buffer.from(headers).toString('latin1'), fact.body].some((column) =>
        pattern.test(bareOf(column)),
      )
    }
    case 'header':
      return headersOf(fact, path[0] ?? '').some((received) => like(received, value))
    case 'data':
      return inBody(fact, ['data', ...path], comparison, value)
    case 'body':
      return inBody(fact, path, comparison, value)
    case 'is':
      switch (text) {
        case 'duplicate':
          return repeats.has(fact.id)
        case 'pinned':
          return fact.pinned
        case 'noted':
          return fact.note !== null
        case 'tagged':
          return fact.tags.length > 0
        case 'answered':
          return fact.status !== null
        default:
          return fact.status === null
      }
    case 'repeats':
      return none ? !repeats.has(fact.id) : repeats.get(fact.id) === text
    case 'tag':
      return fact.tags.some((tag) => like(tag, value))
    case 'note':
      return (
        fact.note !== null &&
        regexOf({ ...value, text: text.toLowerCase() }, '').test(fact.note.toLowerCase())
      )
    case 'method':
      return has(fact.method)
    case 'path':
      return has(fact.path)
    case 'secret':
      return has(fact.secretName)
    case 'arrival':
      return fact.arrival === text
    default:
      throw new Error(`${field} is not known here`)
  }
}

function like(found: string, value: Value): boolean {
  return regexOf(value, '^$').test(found)
}

function regexOf({ text, quoted }: Value, ends: '' | '^$'): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = quoted ? escaped : escaped.replaceAll(String.raw`\*`, '[^]*')
  return new RegExp(ends === '' ? pattern : `^${pattern}$`, 'u')
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  b: 1,
  kb: 1000,
}

function amount(text: string): number {
  const [, number = '0', unit = ''] = /^(-?[\d.]+)(\w*)$/.exec(text) ?? []
  return Number(number) * (units[unit] ?? 1)
}

function ordered<T extends number | string>(a: T, comparison: Comparison, b: T): boolean {
  if (comparison === '<') return a < b
  if (comparison === '<=') return a <= b
  if (comparison === '>') return a > b
  return comparison === '>=' ? a >= b : a === b
}

function headersOf(fact: Fact, name: string): string[] {
  return fact.headers
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value)
}

const parsedBody = remembered((body: string): unknown => {
  try {
    return JSON.parse(body.replace(/^\u{FEFF}/u, ''))
  } catch {
    return undefined
  }
})

const jsonOf = (fact: Fact): unknown => parsedBody(fact.body)

function inBody(
  fact: Fact,
  path: readonly string[],
  comparison: Comparison,
  value: Value,
): boolean {
  const found = reach(jsonOf(fact), path)
  const { text, quoted } = value
  if (!quoted && text === '*') return found.length > 0
  return found.flatMap(flat).some((element) => {
    const order = comparison !== '=' && comparison !== '!='
    if (!quoted && !order && ['true', 'false', 'null'].includes(text))
      return String(element) === text && typeof element !== 'string'
    if (!quoted && /^-?\d+(\.\d+)?$/.test(text)) {
      return typeof element === 'number' && ordered(element, comparison, Number(text))
    }
    if (typeof element !== 'string') return false
    return order ? ordered(element, comparison, text) : like(element, value)
  })
}

function reach(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value]
  if (Array.isArray(value))
    return value.flatMap((element: unknown) => reach(element, [key, ...rest]))
  if (typeof value !== 'object' || value === null) return []
  const entry = Object.entries(value).find(([name]) => name === key)
  return entry ? reach(entry[1], rest) : []
}

function flat(value: unknown): unknown[] {
  return Array.isArray(value) ? value.flatMap(flat) : [value]
}

function mentioned(fact: Fact): string[] {
  const body = jsonOf(fact)
  const found = [['targetUuid'], ['data', 'tabUuid']].flatMap((path) =>
    Array.isArray(body) ? [] : reach(body, path),
  )
  return [...(fact.target === null ? [] : [fact.target]), ...found.map(String)]
}

const bareOf = remembered((text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase(),
)

const wordsOf = remembered(
  (text: string): readonly string[] => bareOf(text).match(/[\p{L}\p{N}]+/gu) ?? [],
)

function hasPhrase(text: string, phrase: string): boolean {
  const words = wordsOf(text)
  const wanted = wordsOf(phrase)
  const open = phrase.endsWith('*')
  return words.some((_, at) =>
    wanted.every((word, n) => {
      const found = words[at + n] ?? ''
      return open && n === wanted.length - 1 ? found.startsWith(word) : found === word
    }),
  )
}

/** Returns how each delivery repeats an earlier one. */
const repeatsOf = remembered((facts: readonly Fact[]): Map<number, string> => {
  const bodies = new Set<string>()
  const events = new Set<string>()
  const repeats = new Map<number, string>()
  for (const fact of facts) {
    if (fact.arrival !== 'complete') continue
    const body = jsonOf(fact)
    const [type, targetUuid, locationName, createdAt] = [
      'type',
      'targetUuid',
      'locationName',
      'createdAt',
    ].map((key) => (Array.isArray(body) ? undefined : reach(body, [key])[0]))
    const event =
      type && targetUuid && createdAt
        ? JSON.stringify([type, targetUuid, locationName, createdAt])
        : null
    if (fact.body !== '' && bodies.has(fact.body)) repeats.set(fact.id, 'body')
    else if (event !== null && events.has(event)) repeats.set(fact.id, 'event')
    if (fact.body !== '') bodies.add(fact.body)
    if (event !== null) events.add(event)
  }
  return repeats
})
