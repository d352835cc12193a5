import { jsonTokens } from '#contract/json-text.ts'
import { finish } from '../../body/in-slices.ts'
import type { JsonIndex } from '../../body/json-index.ts'
import { jsonIndex } from '../../body/json-index.ts'
import { formatJson } from '../../console/format-json.ts'
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
export function jsonFault(
  text: string,
  filled: boolean,
): (Place & { readonly message: string }) | null {
  const read = filled ? withNumbers(text) : text
  const { fault } = finish(jsonIndex(read))
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
  return `The JSON cannot go on with “${character}”.`
}

/** JSON laid out anew, two spaces a level, each value as it was written; null: it is none. A line end at its end stays. */
export function formatted(text: string): string | null {
  const json = finish(jsonIndex(text))
  return isWhole(json) ? formatJson(json) + (text.endsWith('\n') ? '\n' : '') : null
}

/** JSON without any space between its parts; null: it is none. */
export function minified(text: string): string | null {
  if (!isWhole(finish(jsonIndex(text)))) return null
  return [...jsonTokens(text)].join('')
}

function isWhole({ fault, complete }: JsonIndex): boolean {
  return fault === null && complete
}
