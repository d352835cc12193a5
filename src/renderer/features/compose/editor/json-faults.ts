import { formatJson } from '#shared/json/format.ts'
import { jsonFault } from '#shared/json/tokenizer.ts'
import type { Place } from './json-place.ts'

/** A placeholder as the engine fills it in. */
const placeholder = /\{\{(?:uuid(?::[^{}]{1,100})?|now(?::seconds|:milliseconds)?|counter)\}\}/g

/** Whether there is anything that would be filled in. */
export function hasPlaceholder(text: string): boolean {
  return text.search(placeholder) >= 0
}

/** The text with a number in the place of each placeholder, as long as it: one may stand where JSON wants a value. */
function withNumbers(text: string): string {
  return text.replace(placeholder, (found) => '1'.repeat(found.length))
}

/** Where the text stops being JSON, and what is wrong there; null: it is JSON. `filled`: placeholders are filled in before it goes out. */
export function describeFault(
  text: string,
  filled: boolean,
): (Place & { readonly message: string }) | null {
  const read = filled ? withNumbers(text) : text
  const fault = jsonFault(read)
  if (fault === null) return null
  const at = Math.min(fault, text.length)
  if (at >= text.length) return { ...lastOf(text), message: atEnd(text) }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return { from: at, to: at + character.length, message: inside(text, at, character) }
}

function lastOf(text: string): Place {
  const end = text.trimEnd().length
  return { from: Math.max(0, end - 1), to: end }
}

function atEnd(text: string): string {
  return text.trim() === ''
    ? 'There is no JSON here yet.'
    : 'The JSON ends too early: a value, a quote or a closing bracket is missing.'
}

function inside(text: string, at: number, character: string): string {
  const before = text.slice(0, at).trimEnd().at(-1)
  if ((character === '}' || character === ']') && before === ',') {
    return 'JSON has no comma before a closing bracket.'
  }
  if (character === "'") return 'JSON writes text in double quotes.'
  if (character === '"' && before !== undefined && /["\d}\]el]/.test(before)) {
    return 'A comma is missing before this.'
  }
  if (character === '"') return 'This text has no end, or a character in it that must be escaped.'
  if (character === '/') return 'JSON has no comments.'
  return `Unexpected “${character}”.`
}

/** `formatJson`, but for a line end at its end, which stays. */
export function formatted(text: string): string | null {
  const json = formatJson(text)
  return json === null ? null : json + (text.endsWith('\n') ? '\n' : '')
}
