import { isUtf8 } from 'node:buffer'

/** What placeholders are filled in with. */
export interface Filling {
  readonly now: Date
  readonly uuid: () => string
  readonly counter: number
}

/** Those that there are, as they are told. */
export const placeholderNames =
  '{{uuid}}, {{uuid:NAME}}, {{now}}, {{now:seconds}}, {{now:milliseconds}} and {{counter}}'

const pattern = /\{\{([^{}\r\n]{1,80})\}\}/g
/** A byte order mark stays: the body goes out as it is written. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Its bytes have a buffer of their own. Those of `Buffer.from` lie in a pool, all of which would be copied to a page with them. */
const encoder = new TextEncoder()

/** Fills in one request: within it a named UUID is the same wherever it stands. */
export class Placeholders {
  readonly #filling: Filling
  readonly #named = new Map<string, string>()

  constructor(filling: Filling) {
    this.#filling = filling
  }

  /** Those that are not known stay as they are, and are named in `unknown`, each once. */
  fill(text: string): { readonly text: string; readonly unknown: readonly string[] } {
    if (!text.includes('{{')) return { text, unknown: [] }
    const unknown = new Set<string>()
    const filled = text.replaceAll(pattern, (whole, name: string) => {
      const value = this.#valueOf(name)
      if (value === null) unknown.add(whole)
      return value ?? whole
    })
    return { text: filled, unknown: [...unknown] }
  }

  /** The very same bytes where there is nothing to fill in. What is not UTF-8 is left alone (`isText` false). */
  fillBytes(bytes: Uint8Array): {
    readonly bytes: Uint8Array
    readonly unknown: readonly string[]
    readonly isText: boolean
  } {
    if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('{{')) {
      return { bytes, unknown: [], isText: true }
    }
    if (!isUtf8(bytes)) return { bytes, unknown: [], isText: false }
    const before = decoder.decode(bytes)
    const { text, unknown } = this.fill(before)
    return { bytes: text === before ? bytes : encoder.encode(text), unknown, isText: true }
  }

  #valueOf(name: string): string | null {
    const { now, uuid, counter } = this.#filling
    switch (name) {
      case 'uuid':
        return uuid()
      case 'now':
        return now.toISOString()
      case 'now:seconds':
        return String(Math.floor(now.getTime() / 1000))
      case 'now:milliseconds':
        return String(now.getTime())
      case 'counter':
        return String(counter)
      default:
        return name.startsWith('uuid:') && name.length > 5 ? this.#uuidNamed(name.slice(5)) : null
    }
  }

  #uuidNamed(name: string): string {
    const found = this.#named.get(name) ?? this.#filling.uuid()
    this.#named.set(name, found)
    return found
  }
}

/** Whether a text counts, so that a number has to be taken for it. */
export function counts(text: string | Uint8Array): boolean {
  if (typeof text === 'string') return text.includes('{{counter}}')
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength).includes('{{counter}}')
}
