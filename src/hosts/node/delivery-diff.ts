import { isUtf8 } from 'node:buffer'
import { diffArrays, diffLines } from 'diff'
import type { DiffOutput } from '#contract/cli-output/deliveries.ts'
import type { Delivery } from '#contract/models.ts'
import { childPath } from '#shared/json/path.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import { visible } from '#shared/text/visible.ts'
import { formatSize } from '#shared/text/format.ts'
import { colored } from './output.ts'
import { truncate } from './table.ts'

/** A delivery with its body as stored. */
export interface Side {
  readonly delivery: Pick<Delivery, 'id' | 'headers'>
  readonly body: Uint8Array
}

type BodyDiff = DiffOutput['body']
type ValueChange = BodyDiff['values'][number]
type LineChange = BodyDiff['lines'][number]

/** Larger bodies are compared only by their bytes. */
const largest = 5 * 1024 * 1024
/** Limits of the search for the shortest difference. */
const limits = { maxEditLength: 2000, timeout: 1000 }

/** How the second delivery differs from the first. */
export function diffDeliveries(before: Side, after: Side): DiffOutput {
  const headers = diffHeaders(before.delivery.headers, after.delivery.headers)
  const body = diffBodies(before.body, after.body)
  return {
    event: 'diff',
    deliveryIds: [before.delivery.id, after.delivery.id],
    equal: headers.length === 0 && body.equal,
    headers,
    body,
  }
}

function diffHeaders(
  before: Delivery['headers'],
  after: Delivery['headers'],
): DiffOutput['headers'] {
  const [old, fresh] = [valuesByName(before), valuesByName(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((key) => {
    const [a, b] = [old.get(key), fresh.get(key)]
    if (JSON.stringify(a?.values) === JSON.stringify(b?.values)) return []
    const change = a === undefined ? 'added' : b === undefined ? 'removed' : 'changed'
    const name = (a ?? b)?.name ?? key
    return [{ name, change, before: a?.values ?? null, after: b?.values ?? null }] as const
  })
}

/** Headers by lower-case name, each with its first spelling and all values. */
function valuesByName(headers: Delivery['headers']) {
  const found = new Map<string, { name: string; values: string[] }>()
  for (const [name, value] of headers) {
    const header = found.get(name.toLowerCase())
    if (header) header.values.push(value)
    else found.set(name.toLowerCase(), { name, values: [value] })
  }
  return found
}

function diffBodies(before: Uint8Array, after: Uint8Array): BodyDiff {
  const firstDifference = differenceAt(before, after)
  const texts = [textOf(before), textOf(after)] as const
  const common = {
    equal: firstDifference === null,
    bytes: [before.byteLength, after.byteLength] satisfies [number, number],
    firstDifference,
  }
  const values = jsonChanges(...texts)
  // Equivalent JSON with different formatting is compared by lines.
  const isText = texts[0] !== null && texts[1] !== null
  const lines = isText && !common.equal && !values?.length ? lineChanges(texts[0], texts[1]) : []
  const as = values !== null ? 'json' : isText && lines !== null ? 'text' : 'bytes'
  return { ...common, as, values: values ?? [], lines: lines ?? [] }
}

/** Index of the first byte that differs; null if the bodies are equal. */
function differenceAt(before: Uint8Array, after: Uint8Array): number | null {
  const shorter = Math.min(before.byteLength, after.byteLength)
  let at = 0
  while (at < shorter && before[at] === after[at]) at += 1
  return at === shorter && before.byteLength === after.byteLength ? null : at
}

function textOf(body: Uint8Array): string | null {
  if (body.byteLength > largest || !isUtf8(body)) return null
  return Buffer.from(body).toString('utf8')
}

/** Lines that differ; null if the texts are too different to compare in time. */
function lineChanges(before: string, after: string): LineChange[] | null {
  const parts = diffLines(before, after, limits)
  if (parts === undefined) return null
  return parts.flatMap(({ added, removed, value }) => {
    if (!added && !removed) return []
    const change = added ? ('added' as const) : ('removed' as const)
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ change, text }))
  })
}

/** A number with more digits than a double holds, as written. */
class ExactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** Values that differ; null if a text is not JSON or is nested too deeply. */
function jsonChanges(before: string | null, after: string | null): ValueChange[] | null {
  if (before === null || after === null) return null
  try {
    return valueChanges(jsonOf(before), jsonOf(after), '')
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null
    throw error
  }
}

/** Throws `SyntaxError`, and `RangeError` for a text that is nested too deeply. */
function jsonOf(text: string): unknown {
  return JSON.parse(text, (_key, each: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? ''
    return typeof each === 'number' && source.replaceAll(/\D/g, '').length > 15
      ? new ExactNumber(source)
      : each
  })
}

function valueChanges(before: unknown, after: unknown, path: string): ValueChange[] {
  const [old, fresh] = [jsonText(before), jsonText(after)]
  if (old === fresh) return []
  if (Array.isArray(before) && Array.isArray(after)) return elementChanges(before, after, path)
  if (isPlainObject(before) && isPlainObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
      const place = childPath(path, key)
      if (!Object.hasOwn(after, key)) return [removed(place, before[key])]
      if (!Object.hasOwn(before, key)) return [added(place, after[key])]
      return valueChanges(before[key], after[key], place)
    })
  }
  return [{ path, change: 'changed', before: old, after: fresh }]
}

/** Changes of array elements: those between equal elements are compared one by one. */
function elementChanges(before: unknown[], after: unknown[], path: string): ValueChange[] {
  const parts =
    before.length === after.length
      ? undefined
      : diffArrays(before.map(jsonText), after.map(jsonText), limits)
  const changes: ValueChange[] = []
  let [a, b] = [0, 0]
  const compare = (endA: number, endB: number): void => {
    for (; a < endA || b < endB; a += 1, b += 1) {
      if (a >= endA) changes.push(added(childPath(path, b), after[b]))
      else if (b >= endB) changes.push(removed(childPath(path, a), before[a]))
      else changes.push(...valueChanges(before[a], after[b], childPath(path, b)))
    }
    ;[a, b] = [endA, endB]
  }
  let [nextA, nextB] = [0, 0]
  for (const part of parts ?? []) {
    if (!part.added && !part.removed) {
      compare(nextA, nextB)
      a = nextA += part.value.length
      b = nextB += part.value.length
    } else if (part.added) nextB += part.value.length
    else nextA += part.value.length
  }
  compare(before.length, after.length)
  return changes
}

function added(path: string, value: unknown): ValueChange {
  return { path, change: 'added', before: null, after: jsonText(value) }
}

function removed(path: string, value: unknown): ValueChange {
  return { path, change: 'removed', before: jsonText(value), after: null }
}

/** A JSON object, but not an `ExactNumber`. */
function isPlainObject(value: unknown): value is JsonObject {
  return isObject(value) && !(value instanceof ExactNumber)
}

/** JSON with sorted keys, identical for equivalent values. */
function jsonText(value: unknown): string {
  if (value instanceof ExactNumber) return value.source
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (!isPlainObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${jsonText(value[key])}`)
  return `{${members.join(',')}}`
}

const signs = { added: '+', removed: '-', changed: '~' } as const
const signStyles = { added: 'green', removed: 'red', changed: 'yellow' } as const
/** Values are truncated to this width; `--json` prints them completely. */
const valueWidth = 200

/** The differences of two deliveries as text. */
export function diffText({ deliveryIds, equal, headers, body }: DiffOutput): string {
  const [first, second] = deliveryIds
  if (equal) return `Deliveries ${first} and ${second} are equal.`
  return [
    colored('bold', `Headers of ${first} and ${second}`),
    ...(headers.length === 0 ? ['  equal'] : []),
    ...headers.map(({ name, change, before, after }) =>
      changeLine(change, name, before?.join(', ') ?? null, after?.join(', ') ?? null),
    ),
    '',
    colored('bold', `Bodies of ${first} and ${second}`),
    ...bodyLines(body),
  ].join('\n')
}

function bodyLines({ equal, as, bytes, firstDifference, values, lines }: BodyDiff): string[] {
  if (equal) return ['  equal']
  const [before, after] = bytes
  return [
    ...(as === 'json' && values.length === 0
      ? ['  Equivalent JSON with different formatting, so the signature differs:']
      : []),
    ...values.map((each) =>
      changeLine(each.change, each.path === '' ? 'body' : each.path, each.before, each.after),
    ),
    ...lines.map(({ change, text }) => `  ${signed(change, visible(text))}`),
    ...(values.length === 0 && lines.length === 0
      ? [
          `  ${formatSize(before)} and ${formatSize(after)}, different from byte ${firstDifference ?? 0} on`,
        ]
      : []),
  ]
}

function changeLine(
  change: ValueChange['change'],
  name: string,
  before: string | null,
  after: string | null,
): string {
  const values = [before, after].flatMap((value) =>
    value === null ? [] : [truncate(visible(value), valueWidth)],
  )
  return `  ${signed(change, `${visible(name)}: ${values.join(' → ')}`)}`
}

function signed(change: ValueChange['change'], text: string): string {
  return colored(signStyles[change], `${signs[change]} ${text}`)
}
