/** In the order in which they are shown. */
export const commandGroups = [
  'Tabscope',
  'Go to',
  'Deliveries',
  'One delivery',
  'Jobs',
  'Compose',
  'Conformance',
  'Authorization',
  'API console',
  'Listener',
  'Tunnel',
  'Sandbox',
  'Event logs',
  'Help',
  'Settings',
] as const
export type CommandGroup = (typeof commandGroups)[number]

/** Groups whose commands, and keys, are there on every page. */
export const groupsEverywhere: readonly CommandGroup[] = ['Tabscope', 'Go to']

/** One thing that a user can ask the interface to do. */
export interface Command {
  /** As `written` in the renderer has them: `Mod` is Ctrl, or Command on a Mac. Empty: it has no key. */
  readonly keys: readonly string[]
  /** Short, and begins with a verb. */
  readonly label: string
  readonly group: CommandGroup
  /** For the footer, where the key matters most: one or two words. Commands next to each other with the same hint share it. */
  readonly hint?: string
  /** Other words by which people look for it. */
  readonly words?: string
}
