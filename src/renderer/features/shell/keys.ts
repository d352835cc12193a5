import { useEffect, useLayoutEffect, useRef } from 'react'

interface KeyAction {
  /** As `written` has them. */
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

/** Every key of the interface: the listener and the `?` dialog both read this. */
export const keyActions = {
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
  help: { keys: ['?'], label: 'Show all keys', group: 'Everywhere' },
} as const satisfies Record<string, KeyAction>

export type KeyActionName = keyof typeof keyActions

/** What has no key in an exported page, which only shows. */
const editingKeys: ReadonlySet<string> = new Set<KeyActionName>([
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
export function isForReading(name: KeyActionName): boolean {
  return readingGroups.includes(keyActions[name].group) && !editingKeys.has(name)
}

/** The actions of a key: at most one in a group, and of them only those that the page of now has bound are done. */
export function actionsOf(key: string): KeyActionName[] {
  return entries()
    .filter(([, action]) => action.keys.some((candidate) => candidate === key))
    .map(([name]) => name)
}

/** All actions in order. */
export function entries(): (readonly [KeyActionName, KeyAction])[] {
  const names: KeyActionName[] = []
  for (const name in keyActions) if (isAction(name)) names.push(name)
  return names.map((name) => [name, keyActions[name]] as const)
}

function isAction(name: string): name is KeyActionName {
  return Object.hasOwn(keyActions, name)
}

const typing =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable]'
const takesMovement = '[role="tablist"], [role="separator"], [role="slider"], [data-scrolls]'
/** Where Mod+A means the text. */
const selectsText = '[role="tabpanel"]'
const takesEnter = 'button, a[href], summary, [role="tab"], [role="treeitem"]'
const movement: readonly string[] = ['ArrowDown', 'ArrowUp', 'Home', 'End']

/** What the key for commands is called on this machine. */
export const modKey = /mac/i.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl'

/** The key as the registry writes it. Shift is named where it makes no other character of it. */
export function written(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): string {
  if (event.ctrlKey || event.metaKey) return `Mod+${event.key}`
  return event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key
}

/** Whether a key belongs to what has the focus rather than to the page. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey) return true
  // What was typed in within a shadow root: to the outside it is the root's host.
  const [inner] = event.composedPath()
  if (inner instanceof Element && inner !== event.target && inner.closest(typing)) {
    return (!event.ctrlKey && !event.metaKey) || event.key === 'a'
  }
  const { target } = event
  if (!(target instanceof Element)) return false
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true
  if (event.ctrlKey || event.metaKey) {
    // Mod+Enter sends while one types as well; Mod+A is the text's own.
    return event.key === 'a' && target.closest(`${typing}, ${selectsText}`) !== null
  }
  if (target.closest(typing)) return true
  if (movement.includes(event.key) && target.closest(takesMovement)) return true
  return event.key === 'Enter' && target.closest(takesEnter) !== null
}

/** Binds actions to their keys while the component is mounted. */
export function useKeys(bindings: Partial<Record<KeyActionName, () => void>>): void {
  const latest = useRef(bindings)
  useEffect(() => {
    latest.current = bindings
  })
  // Before the screen is drawn: what one can see must take its keys.
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isTaken(event)) return
      const name = actionsOf(written(event)).find((action) => latest.current[action])
      const run = name && latest.current[name]
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
