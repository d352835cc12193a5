/** One thing that a user can ask the interface to do. */
export interface Command {
  /** As `written` in the renderer has them: `Mod` is Ctrl, or Command on a Mac. Empty: it has no key. */
  readonly keys: readonly string[]
  readonly label: string
  readonly group:
    | 'Deliveries'
    | 'One delivery'
    | 'Jobs'
    | 'Compose'
    | 'Conformance'
    | 'Authorization'
    | 'API console'
    | 'Tunnel'
    | 'Event logs'
    | 'Everywhere'
}

/**
 * Every command of the interface and its keys. The key listener, the `?` dialog, the palette and the menu of the desktop app read this. It is
 * there for the user while what it belongs to is shown: what the page of now can do is what it has bound.
 */
export const commands = {
  'move-down': { keys: ['j', 'ArrowDown'], label: 'Next delivery', group: 'Deliveries' },
  'move-up': { keys: ['k', 'ArrowUp'], label: 'Previous delivery', group: 'Deliveries' },
  top: { keys: ['g', 'Home'], label: 'Newest delivery', group: 'Deliveries' },
  bottom: { keys: ['G', 'End'], label: 'Oldest delivery', group: 'Deliveries' },
  open: { keys: ['Enter'], label: 'Open the selected delivery', group: 'Deliveries' },
  filter: { keys: ['/'], label: 'Write a filter', group: 'Deliveries' },
  'filter-help': { keys: ['f'], label: 'Show the filter language', group: 'Deliveries' },
  charts: { keys: ['v'], label: 'Unfold or fold the charts', group: 'Deliveries' },
  pause: { keys: ['p'], label: 'Pause or go on', group: 'Deliveries' },
  export: { keys: ['s'], label: 'Export what the list shows', group: 'Deliveries' },
  choose: { keys: ['x'], label: 'Choose it, to re-send or export many', group: 'Deliveries' },
  'choose-down': { keys: ['Shift+ArrowDown'], label: 'Choose on downwards', group: 'Deliveries' },
  'choose-up': { keys: ['Shift+ArrowUp'], label: 'Choose on upwards', group: 'Deliveries' },
  'choose-all': { keys: ['Mod+a'], label: 'Choose all of this filter', group: 'Deliveries' },
  resend: { keys: ['r'], label: 'Send again, as it went last', group: 'One delivery' },
  'resend-to': { keys: ['R'], label: 'Send again to another place', group: 'One delivery' },
  pin: { keys: ['b'], label: 'Pin or unpin', group: 'One delivery' },
  tag: { keys: ['l'], label: 'Add a tag', group: 'One delivery' },
  note: { keys: ['n'], label: 'Write a note', group: 'One delivery' },
  'tab-1': { keys: ['1'], label: 'Overview', group: 'One delivery' },
  'tab-2': { keys: ['2'], label: 'Headers', group: 'One delivery' },
  'tab-3': { keys: ['3'], label: 'Body', group: 'One delivery' },
  'tab-4': { keys: ['4'], label: 'Signature', group: 'One delivery' },
  'tab-5': { keys: ['5'], label: 'Trace', group: 'One delivery' },
  'tab-6': { keys: ['6'], label: 'Diff', group: 'One delivery' },
  'tab-7': { keys: ['7'], label: 'Attempts', group: 'One delivery' },
  'attempt-newer': { keys: ['['], label: 'Newer attempt', group: 'One delivery' },
  'attempt-older': { keys: [']'], label: 'Older attempt', group: 'One delivery' },
  'edit-and-send': { keys: ['e'], label: 'Edit and send', group: 'One delivery' },
  compare: { keys: ['c'], label: 'Compare: choose the base, then another', group: 'One delivery' },
  'copy-chat': { keys: ['y'], label: 'Copy for a chat, redacted', group: 'One delivery' },
  'trace-older': { keys: [','], label: 'Earlier in the trace', group: 'One delivery' },
  'trace-newer': { keys: ['.'], label: 'Later in the trace', group: 'One delivery' },
  close: { keys: ['Escape'], label: 'Close the delivery, or choose none', group: 'One delivery' },
  'job-pause': { keys: ['p'], label: 'Pause the job, or go on', group: 'Jobs' },
  'job-newer': { keys: ['['], label: 'Newer job', group: 'Jobs' },
  'job-older': { keys: [']'], label: 'Older job', group: 'Jobs' },
  'compose-send': { keys: ['Mod+Enter'], label: 'Send the draft', group: 'Compose' },
  'compose-address': { keys: ['e'], label: 'Edit the address', group: 'Compose' },
  'compose-body': { keys: ['b'], label: 'Go to the body', group: 'Compose' },
  'compose-headers': { keys: ['h'], label: 'Go to the headers', group: 'Compose' },
  'compose-new': { keys: ['n'], label: 'Start another', group: 'Compose' },
  'compose-drafts': { keys: ['d'], label: 'Go to the drafts', group: 'Compose' },
  recompute: { keys: ['u'], label: 'Compute again', group: 'Conformance' },
  since: { keys: ['w'], label: 'Choose since when things are new', group: 'Conformance' },
  authorize: { keys: ['a'], label: 'Authorize', group: 'Authorization' },
  'run-older': { keys: [']'], label: 'Older run', group: 'Authorization' },
  'run-newer': { keys: ['['], label: 'Newer run', group: 'Authorization' },
  runs: { keys: ['r'], label: 'Show the runs', group: 'Authorization' },
  tokens: { keys: ['t'], label: 'Show the tokens', group: 'Authorization' },
  setup: { keys: ['s'], label: 'Show the setup', group: 'Authorization' },
  send: { keys: ['Mod+Enter'], label: 'Send the request', group: 'API console' },
  path: { keys: ['e'], label: 'Edit the path', group: 'API console' },
  history: { keys: ['h'], label: 'Go to earlier requests', group: 'API console' },
  'tunnel-open': { keys: ['o'], label: 'Open the tunnel', group: 'Tunnel' },
  'tunnel-check': { keys: ['c'], label: 'Check or try now', group: 'Tunnel' },
  'tunnel-copy': { keys: ['y'], label: 'Copy the public webhook URL', group: 'Tunnel' },
  'logs-import': { keys: ['i'], label: 'Import an event log', group: 'Event logs' },
  'logs-export': { keys: ['s'], label: 'Export deliveries', group: 'Event logs' },
  logs: { keys: ['L'], label: 'Show the event logs', group: 'Everywhere' },
  tunnel: { keys: ['T'], label: 'Show the tunnel', group: 'Everywhere' },
  palette: { keys: ['Mod+k'], label: 'Find a command or a delivery', group: 'Everywhere' },
  help: { keys: ['?'], label: 'Show all keys', group: 'Everywhere' },
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof commands

/** What has no key in an exported page, which only shows. */
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
  'note',
  'edit-and-send',
  'copy-chat',
  'logs',
  'tunnel',
])
const readingGroups: readonly string[] = ['Deliveries', 'One delivery', 'Everywhere']

/** Whether an action is there where deliveries are only shown. */
export function isForReading(name: CommandName): boolean {
  return readingGroups.includes(commands[name].group) && !editingKeys.has(name)
}

/** The actions of a key: at most one in a group, and of them only those that the page of now has bound are done. */
export function actionsOf(key: string): CommandName[] {
  return entries()
    .filter(([, action]) => action.keys.some((candidate) => candidate === key))
    .map(([name]) => name)
}

/** All actions in order. */
export function entries(): (readonly [CommandName, Command])[] {
  const names: CommandName[] = []
  for (const name in commands) if (isAction(name)) names.push(name)
  return names.map((name) => [name, commands[name]] as const)
}

function isAction(name: string): name is CommandName {
  return Object.hasOwn(commands, name)
}
