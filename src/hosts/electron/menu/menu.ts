import type { MenuItemConstructorOptions } from 'electron'
import type { Command } from '#contract/command.ts'

/** Any page can run these. Without a window, one is opened for them. */
const pageIndependentGroups: readonly string[] = ['Tabscope', 'Go to']
const pageIndependentCommands: readonly string[] = ['logs-import']

/** `bound`: the commands of the current page; null without a page. */
export function canDo([name, { group }]: NamedCommand, bound: ReadonlySet<string> | null): boolean {
  return bound === null
    ? pageIndependentGroups.includes(group) || pageIndependentCommands.includes(name)
    : bound.has(name)
}

const acceleratorNames: Readonly<Record<string, string>> = {
  ArrowDown: 'Down',
  ArrowUp: 'Up',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Escape: 'Esc',
  '+': 'Plus',
  ' ': 'Space',
}

const keySymbols: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Enter: '↩',
  ' ': 'Space',
}

function parseKey(shortcut: string): { modifiers: string[]; key: string } {
  const modifiers: string[] = []
  let key = shortcut
  for (const modifier of ['Mod', 'Alt', 'Shift']) {
    if (key.length > modifier.length + 1 && key.startsWith(`${modifier}+`)) {
      modifiers.push(modifier)
      key = key.slice(modifier.length + 1)
    }
  }
  // A capital letter is typed with Shift.
  if (/^[A-Z]$/.test(key) && !modifiers.includes('Shift')) modifiers.push('Shift')
  return { modifiers, key }
}

/** A key with Ctrl or Command cannot be part of typed text. */
function hasModifier(shortcut: string): boolean {
  return parseKey(shortcut).modifiers.includes('Mod')
}

/** `CommandOrControl+K`, `Shift+G`, `Down`. */
export function acceleratorOf(shortcut: string): string {
  const { modifiers, key } = parseKey(shortcut)
  const modifierNames = modifiers.map((modifier) =>
    modifier === 'Mod' ? 'CommandOrControl' : modifier,
  )
  return [
    ...modifierNames,
    acceleratorNames[key] ?? (key.length === 1 ? key.toUpperCase() : key),
  ].join('+')
}

/** In the style of the system: `⌘K`, `Shift+G`, `↓`. */
export function keyText(shortcut: string, platform: NodeJS.Platform): string {
  const { modifiers, key } = parseKey(shortcut)
  const isMac = platform === 'darwin'
  const modifierSymbols: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' }
  const modifierNames = modifiers.map((modifier) =>
    isMac ? (modifierSymbols[modifier] ?? modifier) : modifier === 'Mod' ? 'Ctrl' : modifier,
  )
  const symbol = keySymbols[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  return [...modifierNames, symbol].join(isMac ? '' : '+')
}

/** How long a command waits for a page that can run it. Later it would surprise the user. */
const RUN_WITHIN_MS = 20_000

export function createCommandDispatch(send: (name: string) => void, now: () => number) {
  let bound: ReadonlySet<string> | null = null
  let pending: { readonly name: string; readonly until: number } | null = null

  return {
    /** Commands that the page can run; null without a page. */
    get bound() {
      return bound
    },
    bind(names: readonly string[] | null): void {
      bound = names === null ? null : new Set(names)
      if (pending === null || bound?.has(pending.name) !== true) return
      const { name, until } = pending
      pending = null
      if (now() < until) send(name)
    },
    /** In the current page or in the one that is being opened. */
    run(name: string): void {
      pending = bound === null ? { name, until: now() + RUN_WITHIN_MS } : null
      // A command that the current page cannot run is dropped, since the user would not expect it later.
      if (bound?.has(name) === true) send(name)
    },
  }
}

export type NamedCommand = readonly [name: string, command: Command]

/** macOS assigns a key to the first item that has it. */
const systemKeys = Array.from('acvxzqwmh0-=+')

export function idOf(name: string): string {
  return `command:${name}`
}

/**
 * The page handles keys itself, since it knows its text fields; Linux and Windows only display them (`registerAccelerator`). macOS cannot display a key
 * without handling it: a key with Command is the accelerator, which applies if the page did not handle it. Other keys are part of the label.
 */
function commandItem(
  [name, { label, keys }]: NamedCommand,
  platform: NodeJS.Platform,
  enabled: boolean,
  click: () => void,
): MenuItemConstructorOptions {
  const common = { id: idOf(name), enabled, click }
  const accelerator = platform === 'darwin' ? keys.find(isForMac) : keys[0]
  const others = keys.filter((key) => key !== accelerator).map((key) => keyText(key, platform))
  return {
    ...common,
    label: others.length === 0 ? label : `${label} (${others.join(', ')})`,
    ...(accelerator === undefined ? {} : { accelerator: acceleratorOf(accelerator) }),
    ...(platform === 'darwin' ? {} : { registerAccelerator: false }),
  }
}

function isForMac(key: string): boolean {
  return hasModifier(key) && !systemKeys.some((reserved) => key === `Mod+${reserved}`)
}

interface MenuPlacement {
  names(...commandNames: readonly string[]): MenuItemConstructorOptions[]
  groups(...groupNames: readonly string[]): MenuItemConstructorOptions[]
  rest(): MenuItemConstructorOptions[]
}

export interface MenuActions {
  command(name: string): void
  show(): void
}

function appMenu(placement: MenuPlacement): MenuItemConstructorOptions {
  const submenu = separated(
    placement.names('about', 'updates-check'),
    placement.names('go-settings'),
    [{ role: 'services' }],
    [{ role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }],
    [{ role: 'quit' }],
  )
  return { label: 'Tabscope', submenu }
}

/** Text fields support the system's usual actions by roles. */
function editMenu(): MenuItemConstructorOptions {
  const submenu = separated(
    [{ role: 'undo' }, { role: 'redo' }],
    [
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'pasteAndMatchStyle' },
      { role: 'delete' },
    ],
    [{ role: 'selectAll' }],
  )
  return { label: 'Edit', submenu }
}

/** Electron's item for zooming in needs Shift. An item has one key, so hidden items have the others. Chromium remembers the level and limits it. */
function zoomItems(): MenuItemConstructorOptions[] {
  const others = [
    ['zoomIn', '='],
    ['zoomIn', 'numadd'],
    ['zoomOut', 'numsub'],
    ['resetZoom', 'num0'],
  ] as const
  return [
    { role: 'zoomIn', label: 'Larger' },
    { role: 'zoomOut', label: 'Smaller' },
    { role: 'resetZoom', label: 'Actual size' },
    ...others.map(([role, key]) => ({
      role,
      accelerator: `CommandOrControl+${key}`,
      visible: false,
      acceleratorWorksWhenHidden: true,
    })),
  ]
}

function windowMenu(platform: NodeJS.Platform, actions: MenuActions): MenuItemConstructorOptions {
  const show: MenuItemConstructorOptions = { label: 'Show Tabscope', click: () => actions.show() }
  return platform === 'darwin'
    ? {
        role: 'window',
        label: 'Window',
        submenu: [
          { role: 'minimize' },
          { role: 'zoom' },
          { type: 'separator' },
          show,
          { role: 'front' },
        ],
      }
    : { label: 'Window', submenu: [{ role: 'minimize' }, show] }
}

/** Sections that are not empty, with separators between them. */
export function separated(
  ...sections: readonly MenuItemConstructorOptions[][]
): MenuItemConstructorOptions[] {
  return sections
    .map(dropEmpty)
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [{ type: 'separator' }, ...section]))
}

function dropEmpty(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.filter(({ submenu }) => !Array.isArray(submenu) || submenu.length > 0)
}

interface MenuInput {
  readonly platform: NodeJS.Platform
  /** False: the page can be reloaded. */
  readonly packaged: boolean
  readonly commands: readonly NamedCommand[]
  /** Null without a page. */
  readonly bound: ReadonlySet<string> | null
  readonly actions: MenuActions
}

/** Commands of groups without a menu go under More, so that a new command is always in the menu. */
export function menuTemplate(input: MenuInput): MenuItemConstructorOptions[] {
  const { platform, packaged, actions } = input
  const isMac = platform === 'darwin'
  const placement = placing(input)
  const app = isMac ? [appMenu(placement)] : []
  const file = separated(
    [
      ...placement.groups('Event logs'),
      // Elsewhere the system has the list: in the jump list on Windows.
      ...(isMac
        ? [
            {
              role: 'recentDocuments' as const,
              label: 'Open recent',
              submenu: [{ role: 'clearRecentDocuments' as const }],
            },
          ]
        : []),
    ],
    isMac ? [] : placement.names('go-settings'),
    [{ role: 'close', label: 'Close window' }],
    isMac ? [] : [{ role: 'quit', label: 'Quit Tabscope' }],
  )
  const help = separated(
    [...placement.names('user-guide', 'help'), ...placement.groups('Help')],
    placement.names('updates-check', 'logs-folder', 'licences'),
    isMac ? [] : placement.names('about'),
  )
  const view = separated(
    placement.names('palette'),
    placement.groups('Go to'),
    [{ label: 'Theme', submenu: placement.names('theme-light', 'theme-dark', 'theme-system') }],
    zoomItems(),
    [{ role: 'togglefullscreen', label: 'Full screen' }],
    [
      ...(packaged ? [] : [{ role: 'reload' as const }]),
      { role: 'toggleDevTools', label: 'Developer tools' },
    ],
  )
  return dropEmpty([
    ...app,
    { label: 'File', submenu: file },
    editMenu(),
    { label: 'View', submenu: view },
    { label: 'Deliveries', submenu: placement.groups('Deliveries') },
    { label: 'Delivery', submenu: placement.groups('One delivery') },
    { label: 'Compose', submenu: placement.groups('Compose') },
    { label: 'Authorization', submenu: placement.groups('Authorization') },
    {
      label: 'Tunnel',
      submenu: separated(placement.groups('Tunnel'), placement.groups('Listener')),
    },
    { label: 'More', submenu: placement.rest() },
    windowMenu(platform, actions),
    { role: 'help', label: 'Help', submenu: help },
  ])
}

function placing({ platform, commands, bound, actions }: MenuInput): MenuPlacement {
  const remaining = new Map(commands)
  const item = (command: NamedCommand): MenuItemConstructorOptions => {
    remaining.delete(command[0])
    return commandItem(command, platform, canDo(command, bound), () => actions.command(command[0]))
  }
  const groups = (...groupNames: readonly string[]): MenuItemConstructorOptions[] =>
    [...remaining].filter(([, { group }]) => groupNames.includes(group)).map(item)
  return {
    names: (...commandNames) =>
      commandNames.flatMap((name) => {
        const command = remaining.get(name)
        return command === undefined ? [] : [item([name, command])]
      }),
    groups,
    rest: () =>
      [...new Set([...remaining.values()].map(({ group }) => group))].map((group) => ({
        label: group,
        submenu: groups(group),
      })),
  }
}
