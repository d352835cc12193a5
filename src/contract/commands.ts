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
