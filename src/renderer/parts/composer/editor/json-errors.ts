import { formatJson } from '#shared/json/format.ts'
import { jsonFault } from '#shared/json/tokenizer.ts'
import type { Place } from './json-place.ts'

/** A placeholder that the engine fills in. */
const placeholder = /\{\{(?:uuid(?::[^{}]{1,100})?|now(?::seconds|:milliseconds)?|counter)\}\}/g

/** Whether the text contains a placeholder. */
export function hasPlaceholder(text: string): boolean {
  return text.search(placeholder) >= 0
}

/** Replaces each placeholder by a number of the same length, since a placeholder may stand in place of a JSON value. */
function withNumbers(text: string): string {
  return text.replace(placeholder, (found) => '1'.repeat(found.length))
}

/** Returns the position and description of the first JSON error; null if the text is valid. `filled`: placeholders are filled in before sending. */
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
    ? 'The JSON is empty.'
    : 'Unexpected end of JSON: a value, quote or closing bracket is missing.'
}

function inside(text: string, at: number, character: string): string {
  const before = text.slice(0, at).trimEnd().at(-1)
  if ((character === '}' || character === ']') && before === ',') {
    return 'Trailing commas are not allowed in JSON.'
  }
  if (character === "'") return 'Use double quotes for strings.'
  if (character === '"' && before !== undefined && /["\d}\]el]/.test(before)) {
    return 'Missing comma.'
  }
  if (character === '"') return 'Unterminated string, or a character that must be escaped.'
  if (character === '/') return 'Comments are not allowed in JSON.'
  return `Unexpected “${character}”.`
}

/** Formats JSON and keeps a trailing line break. Returns null for invalid JSON. */
export function formatText(text: string): string | null {
  const json = formatJson(text)
  return json === null ? null : json + (text.endsWith('\n') ? '\n' : '')
}
