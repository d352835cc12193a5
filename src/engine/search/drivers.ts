import type { Filter } from '#contract/filter/ast.ts'
import { textArm, driverOrder, type Candidate, type Driver, termCandidate } from './candidate.ts'
import type { Binder } from './sql.ts'
import type { FilterContext, Term, Text } from './matching.ts'

/** Chooses the best index for a filter. Returns null if the filter must scan all IDs. */
export function driverOf(filter: Filter, binder: Binder, context: FilterContext): Driver | null {
  const best = candidateOf(filter, context)
  return best && { kind: best.kind, covers: best.covers, arms: best.arms(binder) }
}

function candidateOf(filter: Filter, context: FilterContext): Candidate | null {
  switch (filter.kind) {
    case 'all':
    case 'not':
      return null
    case 'text':
      return textCandidate([filter], context)
    case 'field':
      return canUseIndex(filter) ? termCandidate(filter, null, context) : null
    case 'and':
      return bestOf(filter.parts, context)
    case 'or':
      return alternatives(filter.parts, context)
  }
}

/** Whether an index can be used for the term. The index of `attempt` is read in ID order, so that it also supports `>=`. */
function canUseIndex({ field, comparison }: Term): boolean {
  return comparison === '=' || (field === 'attempt' && comparison !== '!=')
}

function bestOf(parts: readonly Filter[], context: FilterContext): Candidate | null {
  const equalTerm = (field: string): Term | null =>
    parts.find(
      (part): part is Term =>
        part.kind === 'field' && part.field === field && part.comparison === '=',
    ) ?? null
  const type = equalTerm('type')
  const verdict = equalTerm('verdict')
  const texts = parts.filter((part) => part.kind === 'text')
  return [
    type && verdict ? termCandidate(type, verdict, context) : null,
    texts.length > 1 ? textCandidate(texts, context) : null,
    ...parts.map((part) => candidateOf(part, context)),
  ]
    .filter((candidate) => candidate !== null)
    .reduce<Candidate | null>((best, next) => (best && !isBefore(next, best) ? best : next), null)
}

function textCandidate(terms: readonly Text[], context: FilterContext): Candidate {
  return {
    kind: 'text',
    covers: terms,
    count: 1,
    arms: (binder) => [{ ids: textArm(terms, binder, context), indexed: true }],
  }
}

/** More arms than this cost more than they save. */
const maxArms = 40

/** Every alternative must have an index. The worst one determines the rank of the combination. */
function alternatives(parts: readonly Filter[], context: FilterContext): Candidate | null {
  const candidates: Candidate[] = []
  for (const part of parts) {
    const candidate = candidateOf(part, context)
    if (!candidate) return null
    candidates.push(candidate)
  }
  const worst = candidates.reduce((a, b) => (isBefore(a, b) ? b : a))
  const count = candidates.reduce((sum, candidate) => sum + candidate.count, 0)
  if (count > maxArms) return null
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
