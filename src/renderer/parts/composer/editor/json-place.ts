import { parseJson } from '#shared/json/object.ts'
import { findingStep } from '#shared/json/path.ts'
import type { SyntaxNode, Tree } from '@lezer/common'
import { formatJson } from '#shared/json/format.ts'
import { jsonFault } from '#shared/json/tokenizer.ts'

export interface Place {
  readonly from: number
  readonly to: number
}

type Step = string | number

export type Slice = (from: number, to: number) => string

/** Returns the path of a finding in the body, without its `body` prefix (`body.data.tags[2]`); null if it is not in the body. */
function bodyPath(place: string): string | null {
  return place === 'body' || place.startsWith('body.') || place.startsWith('body[')
    ? place.slice('body'.length)
    : null
}

/**
 * Returns the range in the text that a finding refers to. A missing field is shown at the opening bracket of its innermost existing object.
 * Null if the finding is not about the body.
 */
export function placeInTree(tree: Tree, slice: Slice, place: string): Place | null {
  const target = bodyPath(place)
  if (target === null) return null
  let value = tree.topNode.firstChild
  if (!value) return { from: 0, to: 0 }
  if (target === '') return opening(value)
  let path = ''
  for (;;) {
    const next: Child | undefined = childrenOf(value, slice).findLast(({ step }) => {
      const candidate = path + findingStep(step)
      return (
        target === candidate ||
        target.startsWith(`${candidate}.`) ||
        target.startsWith(`${candidate}[`)
      )
    })
    if (!next) return opening(value)
    path += findingStep(next.step)
    if (path === target) return { from: next.at.from, to: next.at.to }
    if (!next.value) return { from: next.at.from, to: next.at.to }
    value = next.value
  }
}

interface Child {
  readonly step: Step
  /** The property node, or the element of an array. */
  readonly at: SyntaxNode
  readonly value: SyntaxNode | null
}

function childrenOf(node: SyntaxNode, slice: Slice): Child[] {
  const children: Child[] = []
  let index = 0
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name === 'Property') {
      const key = child.getChild('PropertyName')
      if (key)
        children.push({ step: keyText(slice(key.from, key.to)), at: child, value: valueOf(child) })
    } else if (node.name === 'Array' && isValue(child)) {
      children.push({ step: index, at: child, value: child })
      index += 1
    }
  }
  return children
}

export function valueOf(property: SyntaxNode): SyntaxNode | null {
  const last = property.lastChild
  return last && isValue(last) ? last : null
}

export function isValue({ name }: SyntaxNode): boolean {
  return ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'].includes(name)
}

/** The unescaped text of a key or string. */
export function keyText(raw: string): string {
  const value = parseJson(raw)
  return typeof value === 'string' ? value : raw.replace(/^"|"$/g, '')
}

/** The range to underline: for an object or array only its first character, since the whole could be the complete text. */
function opening(node: SyntaxNode): Place {
  const nested = node.name === 'Object' || node.name === 'Array'
  return { from: node.from, to: nested ? Math.min(node.to, node.from + 1) : node.to }
}

/** The keys that lead to a node, outermost first. Array positions are skipped. */
export function keysAround(node: SyntaxNode, slice: Slice): string[] {
  const keys: string[] = []
  for (let around = node.parent; around; around = around.parent) {
    if (around.name !== 'Property') continue
    const key = around.getChild('PropertyName')
    if (key) keys.unshift(keyText(slice(key.from, key.to)))
  }
  return keys
}

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
