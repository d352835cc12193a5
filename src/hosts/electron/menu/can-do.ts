import type { NamedCommand } from './command-item.ts'

/** Groups whose commands each page has bound: where there is no page, one is opened for them. */
const everywhere: readonly string[] = ['Tabscope', 'Go to', 'Everywhere']

/** Pages on which a command is found that is asked for from elsewhere. */
const homes: Readonly<Record<string, string>> = {
  'logs-import': '#/logs',
  'logs-export': '#/logs',
}

/** The fragment of the address under which the command is there; null: it is where it is, or nowhere. */
export function homeOf(name: string): string | null {
  return homes[name] ?? null
}

/** Whether the command can be done now, by a page that has `bound` these; null: there is none. */
export function canDo([name, { group }]: NamedCommand, bound: ReadonlySet<string> | null): boolean {
  return bound?.has(name) === true || everywhere.includes(group) || homeOf(name) !== null
}
