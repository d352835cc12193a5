import { deliveryHeaders, type DeliveryHeader } from '#catalogue/headers.ts'
import type { Header } from '#contract/models.ts'
import { utf8AsLatin1 } from './utf8-as-latin1.ts'

/** The headers that the document names, under a brand. */
export type Documented = DeliveryHeader['id'] | 'user-agent' | 'content-type'

/** One header that rules look at, and its place in `ReceivedHeaders.first`. */
export interface Slot {
  readonly index: number
  /** As the document or the endpoint writes it: most come so, and need not be lower-cased. */
  readonly name: string
  readonly lowerName: string
  /** True: it is configured on the endpoint as well, so its value may be a credential. */
  readonly isCustom: boolean
}

export interface CustomHeader {
  readonly slot: Slot
  /** Configured values, one for each time it is configured. */
  readonly values: readonly string[]
}

/** Which headers an endpoint's rules look at, found by the length of their names: no other name is ever lower-cased. */
export interface HeaderPlan {
  readonly documented: Readonly<Record<Documented, Slot>>
  readonly custom: readonly CustomHeader[]
  readonly byLength: readonly (readonly Slot[] | undefined)[]
  /** Nothing received, for every slot. */
  readonly nothing: readonly (string | undefined)[]
}

/** What came of the headers of a plan. Values are Latin-1 text, one character a byte. */
export interface ReceivedHeaders {
  /** The first value of each slot; undefined: it did not come. */
  readonly first: readonly (string | undefined)[]
  /** True when at least one of them came more than once. */
  readonly repeated: boolean
  readonly raw: readonly string[]
}

export function planHeaders(brand: string, customHeaders: readonly Header[]): HeaderPlan {
  const configured = Map.groupBy(customHeaders, ([name]) => name.trim().toLowerCase())
  let count = 0
  const slot = (name: string): Slot => {
    const lowerName = name.toLowerCase()
    return { index: count++, name, lowerName, isCustom: configured.has(lowerName) }
  }
  const named = new Map(deliveryHeaders(brand).map(({ id, name }) => [id, name]))
  const own = (id: DeliveryHeader['id']): Slot => slot(named.get(id) ?? id)
  const documented = {
    'event-type': own('event-type'),
    'target-uuid': own('target-uuid'),
    'target-id': own('target-id'),
    'application-id': own('application-id'),
    signature: own('signature'),
    'user-agent': slot('User-Agent'),
    'content-type': slot('Content-Type'),
  }
  const slots: Slot[] = Object.values(documented)
  const custom = [...configured].map(([lowerName, headers]): CustomHeader => {
    const known = slots.find((one) => one.lowerName === lowerName)
    const own = known ?? slot(headers[0]?.[0].trim() ?? lowerName)
    if (!known) slots.push(own)
    // White space around a value is not sent (RFC 9110, 5.5).
    return { slot: own, values: headers.map(([, value]) => value.trim()) }
  })
  const byLength: (Slot[] | undefined)[] = []
  for (const one of slots) (byLength[one.name.length] ??= []).push(one)
  return { documented, custom, byLength, nothing: slots.map(() => undefined) }
}

/** Reads the header list once. `raw`: name, value, name, value, as they came. */
export function receiveHeaders(raw: readonly string[], plan: HeaderPlan): ReceivedHeaders {
  const first = plan.nothing.slice()
  let repeated = false
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? ''
    const slots = plan.byLength[name.length]
    if (slots === undefined) continue
    for (const { index, name: usual, lowerName } of slots) {
      if (name !== usual && name.toLowerCase() !== lowerName) continue
      if (first[index] === undefined) first[index] = raw[i + 1] ?? ''
      else repeated = true
    }
  }
  return { first, repeated, raw }
}

/** Every value of a slot, in order. */
export function allOf({ first, repeated, raw }: ReceivedHeaders, slot: Slot): readonly string[] {
  const only = first[slot.index]
  if (only === undefined) return []
  return repeated ? valuesOf(raw, slot.lowerName) : [only]
}

/** Every value that came under a header's lower-case name, in order. */
export function valuesOf(raw: readonly string[], lowerName: string): string[] {
  const values: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? ''
    // Most names differ in length: lower-casing only the others saves a microsecond a delivery.
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) {
      values.push(raw[i + 1] ?? '')
    }
  }
  return values
}

/**
 * Whether a header says what a text says. A header is bytes: other characters than ASCII come as UTF-8 or Latin-1, and white space
 * around a value does not come at all (RFC 9110, 5.5).
 */
export function saysSame(came: string, text: string): boolean {
  if (came === text) return true
  const bare = text.trim()
  // UTF-8 has at least a byte for each character: what is longer need not be encoded to be told apart.
  if (bare.length > came.length) return false
  return came === bare || came === utf8AsLatin1(bare)
}
