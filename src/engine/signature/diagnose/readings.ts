import type { Reading } from './subject.ts'
import type { Header } from '#contract/models.ts'
import { decoders, unwrappers } from './causes/value-writing.ts'

interface Text {
  readonly text: string
  readonly codes: readonly string[]
}

/** Shorter values could match by chance. */
const minBytes = 8

/** A header has room for thousands of values. */
const maxLength = 4096
const maxTexts = 64
const maxReadings = 160

export function readingsOf(received: readonly string[], elsewhere: readonly Header[]): Reading[] {
  const found = [
    ...received.flatMap((value) => meanings(value, null)),
    ...elsewhere.flatMap(([name, value]) => meanings(value, name)),
  ]
  const readings = new Map<string, Reading>()
  for (const reading of found.toSorted((a, b) => a.codes.length - b.codes.length)) {
    const id = Buffer.from(reading.digest).toString('hex')
    if (!readings.has(id) && readings.size < maxReadings) readings.set(id, reading)
  }
  return [...readings.values()]
}

function meanings(value: string, header: string | null): Reading[] {
  return unwrapped(value.slice(0, maxLength)).flatMap(({ text, codes }) =>
    decoders.flatMap((decoder) => {
      const digest = decoder.read(text)
      if (digest === null || digest.byteLength < minBytes) return []
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

/** The value, also without prefixes, quotes, white space and the other items of a list. */
function unwrapped(value: string): Text[] {
  const texts: Text[] = [{ text: value, codes: [] }]
  // The list grows during the loop: a result may be unwrapped again.
  for (const { text, codes } of texts) {
    for (const { code, unwrap } of unwrappers) {
      if (codes.includes(code)) continue
      for (const inner of unwrap(text)) {
        const known = texts.length >= maxTexts || texts.some((other) => other.text === inner)
        if (!known && inner !== '') texts.push({ text: inner, codes: [...codes, code] })
      }
    }
  }
  return texts
}

export function matchOfDigest(digest: Uint8Array, reading: Reading): 'complete' | 'prefix' | null {
  const { byteLength } = reading.digest
  if (byteLength > digest.byteLength) return null
  if (Buffer.compare(reading.digest, digest.subarray(0, byteLength)) !== 0) return null
  return byteLength === digest.byteLength ? 'complete' : 'prefix'
}
