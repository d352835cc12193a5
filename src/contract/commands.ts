import { commandGroups, type Command } from './command.ts'
import { appCommands } from './commands-of-app.ts'
import { deliveryCommands } from './commands-of-deliveries.ts'
import { pageCommands } from './commands-of-pages.ts'

/**
 * All commands of the interface and their keys, used by the key listener, the `?` dialog, the palette and the menu of the desktop app.
 * A command is available while a visible part of the current page has bound it.
 */
export const commands = {
  ...appCommands,
  ...deliveryCommands,
  ...pageCommands,
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof commands

/** Commands that are not available in an exported page, which is read-only. */
const editingKeys: ReadonlySet<string> = new Set<CommandName>([
  'pause',
  'export',
  'choose',
  'choose-down',
  'choose-up',
  'choose-all',
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
  'deliveries-clear',
])
const readingGroups: readonly string[] = ['Deliveries', 'One delivery']

/** Returns whether a command is available in a read-only page. */
export function isForReading(name: CommandName): boolean {
  return name === 'help' || (readingGroups.includes(commands[name].group) && !editingKeys.has(name))
}

/** Returns the commands of a key, at most one per group. Only commands that the current page has bound are run. */
export function actionsOf(key: string): CommandName[] {
  return entries()
    .filter(([, { keys }]) => keys.some((candidate) => candidate === key))
    .map(([name]) => name)
}

/** Returns all commands, sorted by group. */
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
