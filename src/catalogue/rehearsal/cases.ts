import type { CaseGroup, RehearsalCase } from './define.ts'

const modules = import.meta.glob<readonly RehearsalCase[]>('../rehearsal-cases/*.ts', {
  eager: true,
  import: 'default',
})

/** In the order in which the groups run. */
export const caseGroups: readonly { id: CaseGroup; label: string }[] = [
  { id: 'precheck', label: 'Configuration' },
  { id: 'events', label: 'Events' },
  { id: 'signature', label: 'Signature' },
  { id: 'body', label: 'Body' },
  { id: 'effects', label: 'Effects' },
  { id: 'transport', label: 'Transport' },
]

const numberOf = ({ id }: RehearsalCase): number => Number(id.replace(/^\D+/, ''))
const groupOf = ({ group }: RehearsalCase): number => caseGroups.findIndex(({ id }) => id === group)

/** In the order in which they run: by group, then by number; those that judge all responses last. */
export const rehearsalCases: readonly RehearsalCase[] = Object.values(modules)
  .flat()
  .toSorted(
    (a, b) =>
      Number(!a.variants) - Number(!b.variants) ||
      groupOf(a) - groupOf(b) ||
      numberOf(a) - numberOf(b),
  )

export function rehearsalCaseOf(id: string): RehearsalCase | undefined {
  return rehearsalCases.find((each) => each.id === id)
}

/** `pattern`: an ID such as `S4`, or a prefix with an asterisk such as `B*`. Ignores case. */
export function matchesCase(id: string, pattern: string): boolean {
  const wanted = pattern.toUpperCase()
  return wanted.endsWith('*') ? id.startsWith(wanted.slice(0, -1)) : id === wanted
}

/** An empty `only` selects all. The patterns are those of `matchesCase`. */
export function selectFrom<T extends { readonly id: string }>(
  cases: readonly T[],
  { only, skip }: { only: readonly string[]; skip: readonly string[] },
): T[] {
  const matches = (patterns: readonly string[], { id }: T): boolean =>
    patterns.some((pattern) => matchesCase(id, pattern))
  return cases.filter((each) => (only.length === 0 || matches(only, each)) && !matches(skip, each))
}
