import type { MenuItemConstructorOptions } from 'electron'
import { commandGroups, type Command, type CommandGroup } from '#contract/command.ts'

/** Any page can run these. Without a window, one is opened for them. */
const pageIndependentGroups: readonly string[] = ['Tabscope', 'Go to']
const pageIndependentCommands: readonly string[] = ['logs-import']

/** `bound`: the commands of the current page; null without a page. */
export function canDo([name, { group }]: NamedCommand, bound: ReadonlySet<string> | null): boolean {
  return bound === null
    ? pageIndependentGroups.includes(group) || pageIndependentCommands.includes(name)
    : bound.has(name)
}

/** As an accelerator of Electron, and as shown. */
const keyNames: Readonly<Record<string, readonly [accelerator: string, text: string]>> = {
  ArrowDown: ['Down', '↓'],
  ArrowUp: ['Up', '↑'],
  ArrowLeft: ['Left', '←'],
  ArrowRight: ['Right', '→'],
  Enter: ['Enter', '↩'],
  Escape: ['Esc', 'Esc'],
  '+': ['Plus', '+'],
  ' ': ['Space', 'Space'],
}

/** `Mod+Shift+Enter`, `G`, `+`. */
function parseKey(shortcut: string): { modifiers: string[]; accelerator: string; text: string } {
  const keyAt = shortcut.slice(0, -1).lastIndexOf('+') + 1
  const key = shortcut.slice(keyAt)
  const modifiers = shortcut.slice(0, keyAt).split('+').slice(0, -1)
  // A capital letter is typed with Shift.
  if (/^[A-Z]$/.test(key) && !modifiers.includes('Shift')) modifiers.push('Shift')
  const name = key.length === 1 ? key.toUpperCase() : key
  const [accelerator, text] = keyNames[key] ?? [name, name]
  return { modifiers, accelerator, text }
}

/** `CommandOrControl+K`, `Shift+G`, `Down`. */
export function acceleratorOf(shortcut: string): string {
  const { modifiers, accelerator } = parseKey(shortcut)
  return [...modifiers, accelerator].join('+').replace('Mod', 'CommandOrControl')
}

/** In the style of the system: `⌘K`, `Shift+G`, `↓`. */
export function keyText(shortcut: string, platform: NodeJS.Platform): string {
  const { modifiers, text } = parseKey(shortcut)
  if (platform !== 'darwin') return [...modifiers, text].join('+').replace('Mod', 'Ctrl')
  const symbols: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' }
  return modifiers.map((modifier) => symbols[modifier] ?? modifier).join('') + text
}

/** How long a command waits for a page that can run it. Later it would surprise the user. */
const RUN_WITHIN_MS = 20_000

export function createCommandDispatch(send: (name: string) => void, now: () => number) {
  let bound: ReadonlySet<string> | null = null
  let pending: { name: string; until: number } | null = null

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
  // Without Command, it would be typed text.
  return key.includes('Mod+') && !systemKeys.some((reserved) => key === `Mod+${reserved}`)
}

export interface MenuActions {
  command(name: string): void
  show(): void
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

/** Each command exactly once. Groups without a menu go under More, so that a new command is always in the menu. */
export function menuTemplate(input: MenuInput): MenuItemConstructorOptions[] {
  const { platform, packaged, commands, bound, actions } = input
  const isMac = platform === 'darwin'
  const remaining = new Map(commands)
  const item = (command: NamedCommand): MenuItemConstructorOptions => {
    const [name] = command
    remaining.delete(name)
    return commandItem(command, platform, canDo(command, bound), () => actions.command(name))
  }
  const named = (...names: readonly string[]): MenuItemConstructorOptions[] =>
    commands.filter(([name]) => names.includes(name) && remaining.has(name)).map(item)
  const groups = (...wanted: readonly CommandGroup[]): MenuItemConstructorOptions[] =>
    separated(
      ...wanted.map((each) => [...remaining].filter(([, { group }]) => group === each).map(item)),
    )

  const app = isMac
    ? separated(
        named('about', 'updates-check'),
        named('go-settings'),
        [{ role: 'services' }],
        [{ role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }],
        [{ role: 'quit' }],
      )
    : []
  const file = separated(
    groups('Event logs'),
    isMac ? [recentItem] : named('go-settings'),
    [{ role: 'close', label: 'Close window' }],
    isMac ? [] : [{ role: 'quit', label: 'Quit Tabscope' }],
  )
  const help = separated(
    [...named('user-guide', 'help'), ...groups('Help')],
    named('updates-check', 'logs-folder', 'licences', 'about'),
  )
  const view = separated(
    named('palette'),
    groups('Go to'),
    named('theme-light', 'theme-dark', 'theme-system'),
    zoomItems(),
    [{ role: 'togglefullscreen', label: 'Full screen' }],
    packaged ? [] : [{ role: 'reload' }],
    [{ role: 'toggleDevTools', label: 'Developer tools' }],
  )
  const show: MenuItemConstructorOptions = { label: 'Show Tabscope', click: () => actions.show() }
  const window: MenuItemConstructorOptions = isMac
    ? {
        role: 'window',
        label: 'Window',
        submenu: [{ role: 'minimize' }, { role: 'zoom' }, show, { role: 'front' }],
      }
    : { label: 'Window', submenu: [{ role: 'minimize' }, show] }
  const menus: MenuItemConstructorOptions[] = [
    { label: 'Tabscope', submenu: app },
    { label: 'File', submenu: file },
    { label: 'Edit', submenu: editItems },
    { label: 'View', submenu: view },
    { label: 'Deliveries', submenu: groups('Deliveries') },
    { label: 'Delivery', submenu: groups('One delivery', 'Send', 'Drafts') },
    { label: 'Authorization', submenu: groups('Authorization', 'API console') },
    { label: 'Tunnel', submenu: groups('Tunnel', 'Listener') },
    { label: 'More', submenu: groups(...commandGroups) },
    window,
    { role: 'help', label: 'Help', submenu: help },
  ]
  return menus.filter(({ submenu }) => !Array.isArray(submenu) || submenu.length > 0)
}

/** Elsewhere the system has the list: in the jump list on Windows. */
const recentItem: MenuItemConstructorOptions = {
  role: 'recentDocuments',
  label: 'Open recent',
  submenu: [{ role: 'clearRecentDocuments' }],
}

/** Text fields support the system's usual actions by roles. */
const editItems = separated(
  [{ role: 'undo' }, { role: 'redo' }],
  [{ role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'pasteAndMatchStyle' }],
  [{ role: 'delete' }, { role: 'selectAll' }],
)

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

/** Sections that are not empty, with separators between them. */
export function separated(
  ...sections: readonly MenuItemConstructorOptions[][]
): MenuItemConstructorOptions[] {
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [{ type: 'separator' }, ...section]))
}
