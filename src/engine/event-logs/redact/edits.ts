import type { removalKinds } from '#contract/redaction.ts'

export type RemovalKind = (typeof removalKinds)[number]

/** Their original values are never shown, not even in the preview. */
export const hiddenKinds: ReadonlySet<RemovalKind> = new Set([
  'secret',
  'token',
  'code',
  'credential',
  'cookie',
  'signature',
  'digest',
  'custom_header',
  'unreadable',
])

/** The same contact gets the same pseudonym, whichever of these kinds it was found as. */
export const contactKinds: ReadonlySet<RemovalKind> = new Set(['handle', 'email', 'phone'])

export interface Edit {
  readonly from: number
  /** Index after the last character. */
  readonly to: number
  readonly text: string
}

export const noEdits: readonly Edit[] = []

/** The edits must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text
  const pieces: string[] = []
  let at = 0
  for (const { from, to, text: piece } of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(at, from), piece)
    at = to
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

/** Not part of any word, number or address. */
const blank = '\uE000'

/** Later passes do not see what an earlier one replaced. */
export class Scan {
  readonly text: string
  /** With placeholders for what was replaced or hidden. It has the same length. */
  rest: string
  readonly edits: Edit[] = []

  constructor(text: string) {
    this.text = text
    this.rest = text
  }

  replace(from: number, to: number, text: string): void {
    this.edits.push({ from, to, text })
    this.hide(from, to)
  }

  hide(from: number, to: number): void {
    this.rest = this.rest.slice(0, from) + blank.repeat(to - from) + this.rest.slice(to)
  }

  addEdits(edits: readonly Edit[]): void {
    // Not `push(...edits)`: there may be more edits than a call can have arguments.
    for (const edit of edits) this.edits.push(edit)
    this.hideSpans(edits)
  }

  hideSpans(spans: readonly Pick<Edit, 'from' | 'to'>[]): void {
    if (spans.length === 0) return
    const pieces: string[] = []
    let at = 0
    for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
      pieces.push(this.rest.slice(at, from), blank.repeat(to - from))
      at = to
    }
    pieces.push(this.rest.slice(at))
    this.rest = pieces.join('')
  }

  hideAll(pattern: RegExp): void {
    this.rest = this.rest.replace(pattern, (found) => blank.repeat(found.length))
  }
}
