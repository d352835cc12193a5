import { deliveryHeaders, type DeliveryHeader } from '#catalogue/headers.ts'
import type { Header } from '#contract/models.ts'

type Documented = DeliveryHeader['id'] | 'user-agent' | 'content-type'

/** Checked by rules. `index`: in `ReceivedHeaders.first`. */
export interface Slot {
  readonly index: number
  /** As written in the API documentation or on the endpoint. Most received names are equal to it, which saves converting them to lower case. */
  readonly name: string
  readonly lowerName: string
  /** Configured on the endpoint, too: its value may be a credential. */
  readonly isCustom: boolean
}

export interface CustomHeader {
  readonly slot: Slot
  /** One for each time the header is configured. */
  readonly values: readonly string[]
}

/** Headers to check, indexed by the length of their names, so that other names are never lower-cased. */
export interface HeaderPlan {
  readonly documented: Readonly<Record<Documented, Slot>>
  readonly custom: readonly CustomHeader[]
  readonly byLength: readonly (readonly Slot[] | undefined)[]
  readonly empty: readonly (string | undefined)[]
}

/** Values are Latin-1, one character per byte. */
export interface ReceivedHeaders {
  readonly first: readonly (string | undefined)[]
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
    const known = slots.find((slot) => slot.lowerName === lowerName)
    const own = known ?? slot(headers[0]?.[0].trim() ?? lowerName)
    if (!known) slots.push(own)
    // White space around a value is not part of it (RFC 9110, section 5.5).
    return { slot: own, values: headers.map(([, value]) => value.trim()) }
  })
  const byLength: (Slot[] | undefined)[] = []
  for (const entry of slots) (byLength[entry.name.length] ??= []).push(entry)
  return { documented, custom, byLength, empty: slots.map(() => undefined) }
}

/** `raw`: name, value, name, value, in the order received. */
export function receiveHeaders(raw: readonly string[], plan: HeaderPlan): ReceivedHeaders {
  const first = plan.empty.slice()
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

export function allValues(
  { first, repeated, raw }: ReceivedHeaders,
  slot: Slot,
): readonly string[] {
  const only = first[slot.index]
  if (only === undefined) return []
  return repeated ? valuesOf(raw, slot.lowerName) : [only]
}

export function valuesOf(raw: readonly string[], lowerName: string): string[] {
  const values: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? ''
    // Most names differ in length: lower-casing only the others saves a microsecond per delivery.
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) {
      values.push(raw[i + 1] ?? '')
    }
  }
  return values
}

/** Header values are bytes: non-ASCII may be UTF-8 or Latin-1, and surrounding white space is removed (RFC 9110, section 5.5). */
export function headerEquals(received: string, text: string): boolean {
  if (received === text) return true
  const bare = text.trim()
  // UTF-8 has at least one byte per character: a longer text cannot be equal.
  if (bare.length > received.length) return false
  return received === bare || received === utf8AsLatin1(bare)
}

const encoder = new TextEncoder()

/** UTF-8 bytes, one Latin-1 character per byte, as in a header. Does not depend on Node. */
export function utf8AsLatin1(text: string): string {
  let written = ''
  for (const byte of encoder.encode(text)) written += String.fromCharCode(byte)
  return written
}
