import { commandGroups, type Command } from './command.ts'
import { appCommands } from './commands-of-app.ts'
import { deliveryCommands } from './commands-of-deliveries.ts'
import { pageCommands } from './commands-of-pages.ts'

/**
 * Every command of the interface and its keys. The key listener, the `?` dialog, the palette and the menu of the desktop app read this. It is
 * there for the user while what it belongs to is shown: what the page of now can do is what it has bound.
 */
export const commands = {
  ...appCommands,
  ...deliveryCommands,
  ...pageCommands,
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof commands

/** What is not there in an exported page, which only shows. */
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
  'copy-chat',
  'copy-link',
  'deliveries-clear',
])
const readingGroups: readonly string[] = ['Deliveries', 'One delivery']

/** Whether an action is there where deliveries are only shown. */
export function isForReading(name: CommandName): boolean {
  return name === 'help' || (readingGroups.includes(commands[name].group) && !editingKeys.has(name))
}

/** The commands of a key: at most one in a group, and of them only those that the page of now has bound are done. */
export function actionsOf(key: string): CommandName[] {
  return entries()
    .filter(([, { keys }]) => keys.some((candidate) => candidate === key))
    .map(([name]) => name)
}

/** All commands, group by group. */
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
