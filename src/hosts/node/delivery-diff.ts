import { isUtf8 } from 'node:buffer'
import { diffArrays, diffLines } from 'diff'
import type { DiffOutput } from '#contract/cli-output/deliveries.ts'
import type { Delivery } from '#contract/models.ts'
import { printable } from '../printable.ts'
import { coloured } from './output.ts'
import { truncate } from './table.ts'
import { sizeText } from './text.ts'

/** A delivery with its body as stored. */
export interface Side {
  readonly delivery: Pick<Delivery, 'id' | 'headers'>
  readonly body: Uint8Array
}

type BodyDiff = DiffOutput['body']
type ValueChange = BodyDiff['values'][number]
type LineChange = BodyDiff['lines'][number]

/** Larger bodies are compared by their bytes alone. */
const largest = 5 * 1024 * 1024
/** Limits of the search for the shortest difference; beyond them the bodies are too different for it. */
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

/** By the name in lower case: how it is written first, and all values. */
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
  // JSON that says the same in another notation differs by its lines.
  const isText = texts[0] !== null && texts[1] !== null
  const lines = isText && !common.equal && !values?.length ? lineChanges(texts[0], texts[1]) : []
  const as = values !== null ? 'json' : isText && lines !== null ? 'text' : 'bytes'
  return { ...common, as, values: values ?? [], lines: lines ?? [] }
}

/** The first byte that differs; null: they are equal. */
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

/** Lines that differ; null: the texts are too different to find them in time. */
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

/** A number with more digits than a double holds, as it is written. */
class ExactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** Values that differ; null: one text is not JSON, or nested too deeply. */
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
  if (isObject(before) && isObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
      const place = /^[\w$]+$/.test(key)
        ? `${path === '' ? '' : `${path}.`}${key}`
        : `${path}[${JSON.stringify(key)}]`
      if (!Object.hasOwn(after, key)) return [removed(place, before[key])]
      if (!Object.hasOwn(before, key)) return [added(place, after[key])]
      return valueChanges(before[key], after[key], place)
    })
  }
  return [{ path, change: 'changed', before: old, after: fresh }]
}

/** Elements in their order: what is between equal ones is compared one by one. */
function elementChanges(before: unknown[], after: unknown[], path: string): ValueChange[] {
  const parts =
    before.length === after.length
      ? undefined
      : diffArrays(before.map(jsonText), after.map(jsonText), limits)
  const changes: ValueChange[] = []
  let [a, b] = [0, 0]
  const compare = (endA: number, endB: number): void => {
    for (; a < endA || b < endB; a += 1, b += 1) {
      if (a >= endA) changes.push(added(`${path}[${b}]`, after[b]))
      else if (b >= endB) changes.push(removed(`${path}[${a}]`, before[a]))
      else changes.push(...valueChanges(before[a], after[b], `${path}[${b}]`))
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

function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  )
}

/** JSON with sorted keys, the same for values that mean the same. */
function jsonText(value: unknown): string {
  if (value instanceof ExactNumber) return value.source
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${jsonText(value[key])}`)
  return `{${members.join(',')}}`
}

const signs = { added: '+', removed: '-', changed: '~' } as const
const signStyles = { added: 'green', removed: 'red', changed: 'yellow' } as const
/** Columns of a value; `--json` has all of it. */
const valueWidth = 200

/** How two deliveries differ, for people. */
export function diffText({ deliveryIds, equal, headers, body }: DiffOutput): string {
  const [first, second] = deliveryIds
  if (equal) return `Deliveries ${first} and ${second} are equal.`
  return [
    coloured('bold', `Headers of ${first} and ${second}`),
    ...(headers.length === 0 ? ['  equal'] : []),
    ...headers.map(({ name, change, before, after }) =>
      changeLine(change, name, before?.join(', ') ?? null, after?.join(', ') ?? null),
    ),
    '',
    coloured('bold', `Bodies of ${first} and ${second}`),
    ...bodyLines(body),
  ].join('\n')
}

function bodyLines({ equal, as, bytes, firstDifference, values, lines }: BodyDiff): string[] {
  if (equal) return ['  equal']
  const [before, after] = bytes
  return [
    ...(as === 'json' && values.length === 0
      ? ['  The same JSON in another notation, so the signature differs:']
      : []),
    ...values.map((each) =>
      changeLine(each.change, each.path === '' ? 'body' : each.path, each.before, each.after),
    ),
    ...lines.map(({ change, text }) => `  ${signed(change, printable(text))}`),
    ...(values.length === 0 && lines.length === 0
      ? [
          `  ${sizeText(before)} and ${sizeText(after)}, different from byte ${firstDifference ?? 0} on`,
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
    value === null ? [] : [truncate(printable(value), valueWidth)],
  )
  return `  ${signed(change, `${printable(name)}: ${values.join(' → ')}`)}`
}

function signed(change: ValueChange['change'], text: string): string {
  return coloured(signStyles[change], `${signs[change]} ${text}`)
}
