import type { Payload } from '../payload.ts'
import { bodyWith, defineCase } from '../rehearsal/define.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const entryBytes = 64

function entry(length: number): string {
  return `"${'Pale Ale '.repeat(8).slice(0, length - 2)}"`
}

/** The JSON of an order with so many item names that it has exactly this many bytes. */
function bodyOf(event: Payload, bytes: number): string {
  const missing = bytes - bodyWith(event, { itemNames: '[]' }).length
  const count = Math.floor((missing - 2) / entryBytes)
  const last = missing - count * entryBytes
  return bodyWith(event, {
    itemNames: `[${`${entry(entryBytes - 1)},`.repeat(count)}${entry(last)}]`,
  })
}

const sizes = [
  { name: '128 KiB', bytes: 128 * kibibyte },
  { name: '256 KiB', bytes: 256 * kibibyte },
  { name: '1 MiB', bytes: mebibyte },
  { name: '10 MiB', bytes: 10 * mebibyte },
] as const

export default defineCase({
  id: 'T3',
  group: 'transport',
  title: 'Large bodies',
  level: 'SHOULD',
  basis: null,
  expected: 'Accept up to 256 KiB; beyond that accept, or respond with 413',
  why: 'The API documentation gives no size limit. Body parsers have one, often 100 KiB, so the largest orders are lost.',
  fix: 'body-limit',
  variants: (builder) =>
    sizes.map(({ name, bytes }) => {
      const event = builder.event()
      const steps = [builder.deliver(event, { body: bodyOf(event, bytes), signed: true })]
      return bytes < mebibyte
        ? { name, steps, expect: 'accept' }
        : { name, steps, expect: 'accept-or-too-large', level: 'INFO' }
    }),
})
