import { ExactNumber, exactNumber, type Payload } from '#catalogue/payload.ts'
import { type JsonIndex, kindOf, sourceOf } from './json-index.ts'

/** A body interpreted as the service's payload, or why it is none. */
export type Reading =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'not-text' }
  | { readonly kind: 'not-json'; readonly why: string }
  | { readonly kind: 'not-object'; readonly what: string }
  | {
      readonly kind: 'payload'
      readonly payload: Payload
      /** Whether long or deeply nested values were truncated. */
      readonly cut: boolean
      /** Numbers that JavaScript cannot hold exactly. In the payload they are approximate until `restoreNumbers`. */
      readonly exact: readonly { readonly path: Path; readonly source: string }[]
    }

type Path = readonly (string | number)[]

/** Limits: characters of a string, fields of the payload and its `data`, entries of other containers, nesting levels, and total values. */
const maxStringLength = 20_000
const maxFields = 2000
const maxEntries = 100
const maxDepth = 5
const maxValues = 10_000

/**
 * Reads the payload with values truncated for display, so that 25 MiB become a few thousand values. A truncated array keeps its length,
 * with empty slots. As with JSON.parse, the last of several equal keys wins.
 */
export function readingOf(json: JsonIndex): Reading {
  if (json.fault !== null) {
    return { kind: 'not-json', why: `The JSON is invalid at character ${json.fault + 1}.` }
  }
  const kind = kindOf(json, 0)
  if (kind !== 'object') return { kind: 'not-object', what: kindLabel(json) }
  const budget: Budget = { left: maxValues, cut: !json.complete, path: [], exact: [] }
  const payload = objectAt(json, 0, budget)
  return { kind: 'payload', payload, cut: budget.cut, exact: budget.exact }
}

/** Puts an ExactNumber in the place of each inexact number. A separate step, because a worker cannot pass instances of a class. */
export function restoreNumbers(reading: Reading): Reading {
  if (reading.kind !== 'payload') return reading
  for (const { path, source } of reading.exact) {
    const key = path.at(-1) ?? ''
    const holder = path.slice(0, -1).reduce<unknown>(memberOf, reading.payload)
    if (memberOf(holder, key) !== Number(source)) continue
    if (typeof holder === 'object' && holder !== null) {
      defineMember(holder, key, new ExactNumber(source))
    }
  }
  return reading
}

function memberOf(holder: unknown, key: string | number): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined
}

/** Not assigned, since `__proto__` must be a key like any other. */
function defineMember(holder: object, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function kindLabel(json: JsonIndex): string {
  const kind = kindOf(json, 0)
  if (kind === 'array') return 'an array'
  if (kind !== 'word') return `a ${kind}`
  const word = sourceOf(json, 0)
  return word === 'null' ? word : 'a boolean'
}

interface Budget {
  left: number
  cut: boolean
  readonly path: (string | number)[]
  readonly exact: { readonly path: Path; readonly source: string }[]
}

function valueAt(json: JsonIndex, index: number, budget: Budget): unknown {
  budget.left -= 1
  switch (kindOf(json, index)) {
    case 'object':
      return objectAt(json, index, budget)
    case 'array':
      return arrayAt(json, index, budget)
    case 'string':
      return stringAt(json, index, budget)
    case 'number':
      return numberAt(json, index, budget)
    case 'word':
      return JSON.parse(sourceOf(json, index))
  }
}

function numberAt(json: JsonIndex, index: number, { path, exact }: Budget): number {
  const source = sourceOf(json, index)
  const value = Number(source)
  if (exactNumber(value, source) !== value) {
    exact.push({ path: [...path], source })
  }
  return value
}

function objectAt(json: JsonIndex, index: number, budget: Budget): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  const depth = json.depths[index] ?? 0
  let room = depth < 2 ? maxFields : depth < maxDepth ? maxEntries : 0
  for (let child = index + 1; child < (json.ends[index] ?? 0); child = json.ends[child] ?? 0) {
    if (room === 0 || budget.left <= 0) {
      budget.cut = true
      break
    }
    room -= 1
    const key = keyAt(json, child, budget)
    budget.path.push(key)
    defineMember(object, key, valueAt(json, child, budget))
    budget.path.pop()
  }
  return object
}

function arrayAt(json: JsonIndex, index: number, budget: Budget): unknown[] {
  const list: unknown[] = []
  const room = (json.depths[index] ?? 0) < maxDepth ? maxEntries : 0
  for (let child = index + 1; child < (json.ends[index] ?? 0); child = json.ends[child] ?? 0) {
    if (list.length === room || budget.left <= 0) {
      budget.cut = true
      break
    }
    budget.path.push(list.length)
    list.push(valueAt(json, child, budget))
    budget.path.pop()
  }
  list.length = json.children[index] ?? 0
  return list
}

function keyAt(json: JsonIndex, index: number, budget: Budget): string {
  return unescaped(json.text, json.keyFrom[index] ?? 0, json.keyTo[index] ?? 0, budget)
}

function stringAt(json: JsonIndex, index: number, budget: Budget): string {
  return unescaped(json.text, (json.from[index] ?? 0) + 1, (json.to[index] ?? 0) - 1, budget)
}

function unescaped(text: string, from: number, to: number, budget: Budget): string {
  let source = text.slice(from, to)
  if (to - from > maxStringLength) {
    budget.cut = true
    source = source.slice(0, maxStringLength)
    source = source.slice(0, openEscape(source))
  }
  const value: unknown = JSON.parse(`"${source}"`)
  return typeof value === 'string' ? value : ''
}

/** Returns the start of an escape sequence that is truncated at the end; the length if there is none. */
function openEscape(source: string): number {
  const last = source.lastIndexOf('\\')
  let run = 0
  while (source.charAt(last - run) === '\\') run += 1
  // With an even number, the backslashes escape each other.
  if (run % 2 === 0) return source.length
  const length = source.charAt(last + 1) === 'u' ? 6 : 2
  return last + length > source.length ? last : source.length
}
