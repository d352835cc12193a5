import { isUtf8 } from 'node:buffer'

export interface Filling {
  readonly now: Date
  readonly uuid: () => string
  readonly counter: number
}

export const placeholderNames =
  '{{uuid}}, {{uuid:NAME}}, {{now}}, {{now:seconds}}, {{now:milliseconds}} and {{counter}}'

const pattern = /\{\{([^{}\r\n]{1,80})\}\}/g
/** Keeps a byte order mark, so that the body is sent as written. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Allocates a separate buffer. `Buffer.from` uses a pool, which would be copied to a page as a whole. */
const encoder = new TextEncoder()

/** Fills the placeholders of one request. A named UUID has the same value everywhere in it. */
export class Placeholders {
  readonly #filling: Filling
  readonly #named = new Map<string, string>()

  constructor(filling: Filling) {
    this.#filling = filling
  }

  /** Leaves unknown placeholders in the text, and lists them in `unknown`. */
  fill(text: string): { text: string; unknown: readonly string[] } {
    if (!text.includes('{{')) return { text, unknown: [] }
    const unknown = new Set<string>()
    const filled = text.replaceAll(pattern, (whole, name: string) => {
      const value = this.#valueOf(name)
      if (value === null) unknown.add(whole)
      return value ?? whole
    })
    return { text: filled, unknown: [...unknown] }
  }

  /** Returns the same object if there are none. A body that is not UTF-8 stays unchanged (`isText` false). */
  fillBytes(bytes: Uint8Array): {
    bytes: Uint8Array
    unknown: readonly string[]
    isText: boolean
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
