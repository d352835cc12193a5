import type { removalKinds } from '#contract/redaction.ts'

/** Why a value is taken out. */
export type RemovalKind = (typeof removalKinds)[number]

/** Of these nobody is shown what they were. */
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

/** Those that tell of a guest: the same contact in whatever place is one and the same. */
export const contactKinds: ReadonlySet<RemovalKind> = new Set(['handle', 'email', 'phone'])

/** A piece of a text that gives way to another. */
export interface Edit {
  readonly from: number
  /** Behind the last character. */
  readonly to: number
  readonly text: string
}

export const noEdits: readonly Edit[] = []

/** The text with its edits made. They do not overlap. */
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

/** Stands where something was taken out or must not be looked at: belongs to no word, no number, no address. */
const blank = '\uE000'

/** A text that is looked through several times: what was taken once is not seen again. */
export class Scan {
  readonly text: string
  /** As long as the text, without what was taken. */
  rest: string
  readonly edits: Edit[] = []

  constructor(text: string) {
    this.text = text
    this.rest = text
  }

  take(from: number, to: number, text: string): void {
    this.edits.push({ from, to, text })
    this.hide(from, to)
  }

  /** Not seen any more, but not taken. */
  hide(from: number, to: number): void {
    this.rest = this.rest.slice(0, from) + blank.repeat(to - from) + this.rest.slice(to)
  }

  /** Many at once, in order. */
  takeAll(edits: readonly Edit[]): void {
    // One by one: a body may hold more than a call takes arguments.
    for (const edit of edits) this.edits.push(edit)
    this.hideSpans(edits)
  }

  /** As `hide`, many at once. */
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
