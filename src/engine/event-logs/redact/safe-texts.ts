const cacheSize = 20_000
const maxLength = 100

/** Nothing in these texts is redacted, except a repeated value of the delivery. Most of them occur again in the next delivery. */
export class SafeTexts {
  readonly #texts = new Set<string>()
  /** From places with ids, where fewer checks apply. */
  readonly #ids = new Set<string>()

  has(text: string, id: boolean): boolean {
    return text.length <= maxLength && (this.#texts.has(text) || (id && this.#ids.has(text)))
  }

  add(text: string, id: boolean): void {
    if (text.length > maxLength) return
    const set = id ? this.#ids : this.#texts
    if (set.size >= cacheSize) set.clear()
    set.add(text)
  }
}

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

export function isSafeForm(text: string): boolean {
  if (text.length === 36) return isUuid(text)
  const mayBeTime = text.length >= 20 && text.length <= 35 && text.charCodeAt(10) === 0x54
  return mayBeTime && time.test(text)
}

function isUuid(text: string): boolean {
  for (let at = 0; at < 36; at += 1) {
    const code = text.charCodeAt(at)
    const hyphen = at === 8 || at === 13 || at === 18 || at === 23
    if (hyphen ? code !== 0x2d : !isHex(code)) return false
  }
  return true
}

function isHex(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x66) ||
    (code >= 0x41 && code <= 0x46)
  )
}
