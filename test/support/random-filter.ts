import type { Comparison, Filter, FilterValue } from '#contract/filter/ast.ts'
import { filterFields, type FilterField } from '#contract/filter/fields.ts'

export type Random = () => number

/** A reproducible random generator (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}

const nowhere = { from: 0, to: 0 }
/** Characters with and without a special meaning. */
const alphabet = [...Array.from('abz09 "\\()-:,.*<>=!Żé日😀\n\t'), 'or', 'not ', 'data.', 'none']

export function randomText(random: Random, most = 8): string {
  const length = 1 + Math.floor(random() * most)
  return Array.from({ length }, () => pick(random, alphabet)).join('')
}

/** Returns a random filter that the parser can produce. */
export function randomFilter(random: Random, depth = 3): Filter {
  const kind = depth === 0 ? 'field' : pick(random, ['and', 'or', 'not', 'text', 'field', 'field'])
  switch (kind) {
    case 'and':
    case 'or': {
      const length = 2 + Math.floor(random() * 2)
      const parts = Array.from({ length }, () => randomFilter(random, depth - 1))
      return { kind, parts, ...nowhere }
    }
    case 'not':
      return { kind, part: randomFilter(random, depth - 1), ...nowhere }
    case 'text':
      return { kind, text: `${randomText(random)}x`, quoted: true, ...nowhere }
    default:
      return randomTerm(random)
  }
}

function randomTerm(random: Random): Filter {
  const field = pick(random, filterFields)
  const comparison = pick(random, field.comparisons)
  const term = { kind: 'field', field: field.name, path: [], comparison, ...nowhere } as const
  if (field.kind === 'header') {
    const name = pick(random, ['x-id', 'X-Service-Signature', '!odd*'])
    const values = comparison === '=' && random() < 0.3 ? [] : randomValues(random, field, '=')
    return { ...term, path: [name], values }
  }
  const length = field.kind === 'json' ? 1 + Math.floor(random() * 3) : 0
  const path = Array.from({ length }, () => randomText(random, 3))
  return { ...term, path, values: randomValues(random, field, comparison) }
}

function randomValues(random: Random, field: FilterField, comparison: Comparison): FilterValue[] {
  const several = comparison === '=' || comparison === '!='
  const length = several ? 1 + Math.floor(random() * 3) : 1
  return Array.from({ length }, () => ({ ...randomValue(random, field, several), ...nowhere }))
}

function bare(text: string) {
  return { text, quoted: false }
}

function randomValue(random: Random, field: FilterField, wild: boolean) {
  if (field.none !== null && wild && random() < 0.1) return bare('none')
  switch (field.kind) {
    case 'choice':
      return bare(pick(random, field.choices).value)
    case 'number':
      if (wild && field.choices.length > 0 && random() < 0.5)
        return bare(pick(random, field.choices).value)
      return bare(String(Math.floor(random() * 600)))
    case 'duration':
      return bare(pick(random, ['5s', '1.5h', '-200ms', '0', '3d', '10m']))
    case 'size':
      return bare(pick(random, ['0', '10kb', '1.5MiB', '7b']))
    case 'amount':
      return bare(pick(random, ['0', '42.50', '-3', '1e2']))
    case 'time':
    case 'age':
      return bare(
        pick(random, ['2h', 'today', 'tuesday', '2026-03-14', '2026-03-14T21:00:00.123Z']),
      )
    case 'text':
    case 'name':
    case 'words':
    case 'header':
    case 'json':
      if (random() < 0.4) return { text: randomText(random), quoted: true }
      return bare(
        wild && field.wildcards && random() < 0.4 ? 'a*b' : pick(random, ['A', '-x', 'ö/1']),
      )
  }
}
