import { findingStep } from '#shared/json/path.ts'
import type { SyntaxNode, Tree } from '@lezer/common'

/** A stretch of a text, in characters. */
export interface Place {
  readonly from: number
  readonly to: number
}

type Step = string | number

/** Text between two places. */
export type Slice = (from: number, to: number) => string

/** The steps of a place as findings write it, without its `body`: `body.data.tags[2]`. Null: it is not in the body. */
function stepsOf(place: string): string | null {
  return place === 'body' || place.startsWith('body.') || place.startsWith('body[')
    ? place.slice('body'.length)
    : null
}

/**
 * Where in the text the thing stands that a finding is about. What is not there is shown at the innermost that is: a missing field at the
 * opening bracket of its object. Null: the place is not one of the body.
 */
export function placeInTree(tree: Tree, slice: Slice, place: string): Place | null {
  const wanted = stepsOf(place)
  if (wanted === null) return null
  let value = tree.topNode.firstChild
  if (!value) return { from: 0, to: 0 }
  if (wanted === '') return opening(value)
  let walked = ''
  for (;;) {
    const next: Child | undefined = childrenOf(value, slice).findLast(({ step }) => {
      const path = walked + findingStep(step)
      return wanted === path || wanted.startsWith(`${path}.`) || wanted.startsWith(`${path}[`)
    })
    if (!next) return opening(value)
    walked += findingStep(next.step)
    if (walked === wanted) return { from: next.at.from, to: next.at.to }
    if (!next.value) return { from: next.at.from, to: next.at.to }
    value = next.value
  }
}

interface Child {
  readonly step: Step
  /** The key with its value; of an array's part the part. */
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

/** The value of a property; null while there is none. */
export function valueOf(property: SyntaxNode): SyntaxNode | null {
  const last = property.lastChild
  return last && isValue(last) ? last : null
}

export function isValue({ name }: SyntaxNode): boolean {
  return ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'].includes(name)
}

/** A key or a string without its quotes and escapes. */
export function keyText(raw: string): string {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'string' ? value : raw
  } catch {
    return raw.replace(/^"|"$/g, '')
  }
}

/** Its first character: an object or an array underlined from end to end would be the whole text. */
function opening(node: SyntaxNode): Place {
  const nested = node.name === 'Object' || node.name === 'Array'
  return { from: node.from, to: nested ? Math.min(node.to, node.from + 1) : node.to }
}

/** The keys that lead to a node, outermost first. Arrays count as nothing: what is in them has no key of its own. */
export function keysAround(node: SyntaxNode, slice: Slice): string[] {
  const keys: string[] = []
  for (let around = node.parent; around; around = around.parent) {
    if (around.name !== 'Property') continue
    const key = around.getChild('PropertyName')
    if (key) keys.unshift(keyText(slice(key.from, key.to)))
  }
  return keys
}
