import type { Reading } from './subject.ts'
import type { Header } from '#contract/models.ts'
import { decoders, peelers } from './causes/value-writing.ts'

interface Text {
  readonly text: string
  readonly codes: readonly string[]
}

/** Shorter than this, in bytes, a value could match by chance. */
const shortest = 8

/** A header has room for thousands of values; so many are looked at. */
const longest = 4096
const textLimit = 64
const readingLimit = 160

/** Every meaning of the values, the plainest first. */
export function readingsOf(received: readonly string[], elsewhere: readonly Header[]): Reading[] {
  const found = [
    ...received.flatMap((value) => meanings(value, null)),
    ...elsewhere.flatMap(([name, value]) => meanings(value, name)),
  ]
  const readings = new Map<string, Reading>()
  for (const reading of found.toSorted((a, b) => a.codes.length - b.codes.length)) {
    const id = Buffer.from(reading.digest).toString('hex')
    if (!readings.has(id) && readings.size < readingLimit) readings.set(id, reading)
  }
  return [...readings.values()]
}

function meanings(value: string, header: string | null): Reading[] {
  return peeled(value.slice(0, longest)).flatMap(({ text, codes }) =>
    decoders.flatMap((decoder) => {
      const digest = decoder.read(text)
      if (digest === null || digest.byteLength < shortest) return []
      const own = decoder.code === null ? codes : [...codes, decoder.code]
      return [
        {
          digest,
          codes: header === null ? own : ['header.other_name', ...own],
          words: decoder.words,
          header,
        },
      ]
    }),
  )
}

/** The value, and what is left of it when prefixes, quotes, white space and the other values of a list are taken off. */
function peeled(value: string): Text[] {
  const texts: Text[] = [{ text: value, codes: [] }]
  // Grows while it is walked: what is left of a value may be peeled again.
  for (const { text, codes } of texts) {
    for (const { code, peel } of peelers) {
      if (codes.includes(code)) continue
      for (const inner of peel(text)) {
        const known = texts.length >= textLimit || texts.some((other) => other.text === inner)
        if (!known && inner !== '') texts.push({ text: inner, codes: [...codes, code] })
      }
    }
  }
  return texts
}

/** How a digest agrees with a reading: wholly, as its beginning only, or not. */
export function agreement(digest: Uint8Array, reading: Reading): 'whole' | 'beginning' | null {
  const { byteLength } = reading.digest
  if (byteLength > digest.byteLength) return null
  if (Buffer.compare(reading.digest, digest.subarray(0, byteLength)) !== 0) return null
  return byteLength === digest.byteLength ? 'whole' : 'beginning'
}
