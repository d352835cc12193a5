import type { FilterError } from '#contract/filter/ast.ts'
import { piecesOf } from './pieces.ts'
import type { Piece } from './pieces.ts'

/** A stretch of one colour. */
export interface Stroke {
  readonly from: number
  readonly text: string
  readonly kind: Piece['kind']
  /** It is here that the filter cannot be read. */
  readonly wrong: boolean
}

/** The text in colours, with the place of the error cut out. One at the very end is marked on a space behind it. */
export function strokesOf(text: string, fault: FilterError | null): Stroke[] {
  const from = fault ? Math.min(fault.from, text.length) : 0
  const to = fault ? Math.min(Math.max(fault.to, from + 1), text.length) : 0
  const strokes: Stroke[] = []
  for (const piece of piecesOf(text)) {
    const cuts = [piece.from, from, to, piece.to]
      .filter((at) => at >= piece.from && at <= piece.to)
      .sort((a, b) => a - b)
    for (const [index, start] of cuts.entries()) {
      const end = cuts[index + 1] ?? start
      if (end === start) continue
      const wrong = fault !== null && start >= from && end <= to
      strokes.push({ from: start, text: text.slice(start, end), kind: piece.kind, wrong })
    }
  }
  if (fault && from === text.length) {
    strokes.push({ from: text.length, text: ' ', kind: 'space', wrong: true })
  }
  return strokes
}

/**
 * Whether the painted copy takes the same place as the text in the field: not where characters are hidden, reordered or joined, which a
 * cut between colours would change.
 */
export function paintable(text: string): boolean {
  return !/[\p{C}\p{M}\p{Bidi_C}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u.test(text)
}
