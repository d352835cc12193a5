/** Texts that are remembered, of each sort, and their length in characters. */
const remembered = 20_000
const longest = 100

/** Texts in which nothing was found: most come again in the next delivery. */
export class PlainTexts {
  readonly #texts = new Set<string>()
  /** Those that stood where ids stand, of which less is asked. */
  readonly #ids = new Set<string>()

  has(text: string, id: boolean): boolean {
    return text.length <= longest && (this.#texts.has(text) || (id && this.#ids.has(text)))
  }

  add(text: string, id: boolean): void {
    if (text.length > longest) return
    const set = id ? this.#ids : this.#texts
    if (set.size >= remembered) set.clear()
    set.add(text)
  }
}

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** A UUID or a time: it says by its form that it is nobody's. */
export function isPlainForm(text: string): boolean {
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

/** The first digit of scripts in which numbers are written as well. Full-width forms are another matter: there are letters and signs, too. */
const zeros = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
  0x0e50,
]

/** Stands for an ASCII character: a full-width form, or a digit of another script. */
export function isWide(code: number): boolean {
  if (code >= 0xff01) return code <= 0xff5e
  if (code === 0x3000) return true
  return code >= 0x0660 && code <= 0x0e59 && zeros.some((zero) => code >= zero && code <= zero + 9)
}

/** The same text with such characters in ASCII, each in its place. */
export function foldWide(text: string): string {
  return text.replaceAll(/[\u0660-\u0e59\u3000\uff01-\uff5e]/g, (character) => {
    const code = character.charCodeAt(0)
    if (code === 0x3000) return ' '
    if (code >= 0xff01) return String.fromCharCode(code - 0xfee0)
    const zero = zeros.find((one) => code >= one && code <= one + 9)
    return zero === undefined ? character : String(code - zero)
  })
}
