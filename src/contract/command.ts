/** In display order. */
export const commandGroups = [
  'Tabscope',
  'Go to',
  'Deliveries',
  'One delivery',
  'Send',
  'Drafts',
  'Rehearsals',
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

/** Their commands and keys are available on every page. */
export const groupsEverywhere: readonly CommandGroup[] = ['Tabscope', 'Go to']

export interface Command {
  /** `Mod` is Ctrl, or Command on a Mac. Empty: no key. */
  readonly keys: readonly string[]
  readonly label: string
  readonly group: CommandGroup
  /** One or two words for the footer. Adjacent commands with the same hint share it. */
  readonly hint?: string
  readonly words?: string
}

type UngroupedCommand = Omit<Command, 'group'>

export function inGroup<Name extends string>(
  group: CommandGroup,
  commands: Readonly<Record<Name, UngroupedCommand>>,
): Readonly<Record<Name, Command>> {
  const grouped = Object.entries<UngroupedCommand>(commands).map(([name, command]) => [
    name,
    { ...command, group },
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same names; TypeScript cannot follow them through Object.fromEntries
  return Object.fromEntries(grouped) as Record<Name, Command>
}
