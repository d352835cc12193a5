import type { NamedCommand } from './command-item.ts'

/** What each page can do, wherever it begins: where there is none, one is opened for it. */
const opening: readonly string[] = ['Tabscope', 'Go to']
const alsoOpening: readonly string[] = ['logs-import']

/** Whether the command can be done now, by a page that has `bound` these; null: there is none yet. */
export function canDo([name, { group }]: NamedCommand, bound: ReadonlySet<string> | null): boolean {
  return bound === null ? opening.includes(group) || alsoOpening.includes(name) : bound.has(name)
}
