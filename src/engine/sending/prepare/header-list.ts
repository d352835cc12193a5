import { deliveryHeaders, type DeliveryHeader } from '#catalogue/headers.ts'
import type { Header } from '#contract/models.ts'

export interface DeliveryNames {
  /** `x-service-` */
  readonly prefix: string
  readonly lower: Readonly<Record<DeliveryHeader['id'], string>>
  readonly usual: Readonly<Record<DeliveryHeader['id'], string>>
}

const noNames = {
  'event-type': '',
  'target-uuid': '',
  'target-id': '',
  'application-id': '',
  signature: '',
}
const known = new Map<string, DeliveryNames>()

/** Cached, because they are needed for each delivery. */
export function namesOf(brand: string): DeliveryNames {
  const found = known.get(brand)
  if (found) return found
  const usual = { ...noNames }
  const lower = { ...noNames }
  for (const { id, name, lowerName } of deliveryHeaders(brand)) {
    usual[id] = name
    lower[id] = lowerName
  }
  const names: DeliveryNames = { prefix: `x-${brand.toLowerCase()}-`, usual, lower }
  if (known.size > 100) known.clear()
  known.set(brand, names)
  return names
}

export function isNamed([name]: Header, lowerName: string): boolean {
  return name.length === lowerName.length && name.toLowerCase() === lowerName
}

export function hasHeader(headers: readonly Header[], lowerName: string): boolean {
  return headers.some((header) => isNamed(header, lowerName))
}

export function withoutHeader(headers: readonly Header[], lowerName: string): Header[] {
  return headers.filter((header) => !isNamed(header, lowerName))
}

export function sameHeaders(one: readonly Header[], other: readonly Header[]): boolean {
  return (
    one.length === other.length &&
    one.every(([name, value], index) => name === other[index]?.[0] && value === other[index]?.[1])
  )
}

/** Sets `Host`, in place or at the front. */
export function withHost(headers: readonly Header[], host: string): Header[] {
  return hasHeader(headers, 'host')
    ? headers.map((header) => (isNamed(header, 'host') ? [header[0], host] : header))
    : [['Host', host], ...headers]
}

/** The last transfer coding is `chunked` (RFC 9112, 6.1). */
export function isChunked(headers: readonly Header[]): boolean {
  const value = headers.find((header) => isNamed(header, 'transfer-encoding'))?.[1]
  return value !== undefined && /(?:^|[\s,])chunked\s*$/i.test(value)
}

/** `application/json`, or a type with the suffix `+json` (RFC 6838, 4.2.8). */
export function declaresJson(headers: readonly Header[]): boolean {
  return headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' &&
      /^\s*application\/(?:[^;]*\+)?json\s*(?:;|$)/i.test(value),
  )
}
