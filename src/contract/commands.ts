import { commandGroups, type Command } from './command.ts'
import { appCommands } from './commands-of-app.ts'
import { deliveryCommands } from './commands-of-deliveries.ts'
import { pageCommands } from './commands-of-pages.ts'

/** For the key listener, the `?` dialog, the palette and the menu. A command is available while a visible part of the current page has bound it. */
export const commands = {
  ...appCommands,
  ...deliveryCommands,
  ...pageCommands,
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof commands

/** Not available in an exported page, which is read-only. */
const editingKeys: ReadonlySet<string> = new Set<CommandName>([
  'pause',
  'export',
  'select',
  'select-down',
  'select-up',
  'select-all',
  'resend',
  'resend-to',
  'pin',
  'tag',
  'delete',
  'note',
  'edit-and-send',
  'rehearse-handler',
  'copy-chat',
  'copy-link',
  'open-window',
  'deliveries-clear',
])
const readingGroups: readonly string[] = ['Deliveries', 'One delivery']

export function isForReading(name: CommandName): boolean {
  if (name === 'help') return true
  const edits = editingKeys.has(name) || name.startsWith('hold')
  return readingGroups.includes(commands[name].group) && !edits
}

/** At most one per group. Only commands that the current page has bound are run. */
export function actionsOf(key: string): CommandName[] {
  return entries()
    .filter(([, { keys }]) => keys.some((candidate) => candidate === key))
    .map(([name]) => name)
}

/** Sorted by group. */
export function entries(): (readonly [CommandName, Command])[] {
  const names: CommandName[] = []
  for (const name in commands) if (isCommand(name)) names.push(name)
  return commandGroups.flatMap((group) =>
    names
      .filter((name) => commands[name].group === group)
      .map((name) => [name, commands[name]] as const),
  )
}

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name)
}
