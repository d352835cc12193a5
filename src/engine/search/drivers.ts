import type { Filter } from '#contract/filter/ast.ts'
import { textArm, driverOrder, type Candidate, type Driver, termCandidate } from './candidate.ts'
import type { Binder } from './sql.ts'
import type { FilterContext, Term, Text } from './matching.ts'

/** The best way into the rows of a filter; null: along the ids, past all that do not match. */
export function driverOf(filter: Filter, binder: Binder, world: FilterContext): Driver | null {
  const best = candidateOf(filter, world)
  return best && { kind: best.kind, covers: best.covers, arms: best.arms(binder) }
}

function candidateOf(filter: Filter, world: FilterContext): Candidate | null {
  switch (filter.kind) {
    case 'all':
    case 'not':
      return null
    case 'text':
      return textCandidate([filter], world)
    case 'field':
      return drives(filter) ? termCandidate(filter, null, world) : null
    case 'and':
      return together(filter.parts, world)
    case 'or':
      return alternatives(filter.parts, world)
  }
}

/** Its index is read in order of id, so that it is as good for `>=`. */
function drives({ field, comparison }: Term): boolean {
  return comparison === '=' || (field === 'attempt' && comparison !== '!=')
}

function together(parts: readonly Filter[], world: FilterContext): Candidate | null {
  const equal = (field: string): Term | null =>
    parts.find(
      (part): part is Term =>
        part.kind === 'field' && part.field === field && part.comparison === '=',
    ) ?? null
  const type = equal('type')
  const verdict = equal('verdict')
  const texts = parts.filter((part) => part.kind === 'text')
  return [
    type && verdict ? termCandidate(type, verdict, world) : null,
    texts.length > 1 ? textCandidate(texts, world) : null,
    ...parts.map((part) => candidateOf(part, world)),
  ]
    .filter((candidate) => candidate !== null)
    .reduce<Candidate | null>((best, next) => (best && !isBefore(next, best) ? best : next), null)
}

function textCandidate(terms: readonly Text[], world: FilterContext): Candidate {
  return {
    kind: 'text',
    covers: terms,
    count: 1,
    arms: (binder) => [{ ids: textArm(terms, binder, world), indexed: true }],
  }
}

/** More arms than this cost more than they spare. */
const mostArms = 40

/** Each of them must have a way in, and the worst one tells how good they are together. */
function alternatives(parts: readonly Filter[], world: FilterContext): Candidate | null {
  const candidates: Candidate[] = []
  for (const part of parts) {
    const candidate = candidateOf(part, world)
    if (!candidate) return null
    candidates.push(candidate)
  }
  const worst = candidates.reduce((a, b) => (isBefore(a, b) ? b : a))
  const count = candidates.reduce((sum, candidate) => sum + candidate.count, 0)
  if (count > mostArms) return null
  return {
    kind: worst.kind,
    covers: [],
    count,
    arms: (binder) => candidates.flatMap((candidate) => candidate.arms(binder)),
  }
}

function isBefore(a: Candidate, b: Candidate): boolean {
  return driverOrder.indexOf(a.kind) < driverOrder.indexOf(b.kind)
}
