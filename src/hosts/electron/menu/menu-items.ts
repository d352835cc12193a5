import type { MenuItemConstructorOptions } from 'electron'
import type { Command } from '#contract/command.ts'

/** What each page can do, wherever it begins: where there is none, one is opened for it. */
const opening: readonly string[] = ['Tabscope', 'Go to']
const alsoOpening: readonly string[] = ['logs-import']

/** Whether the command can be done now, by a page that has `bound` these; null: there is none yet. */
export function canDo([name, { group }]: NamedCommand, bound: ReadonlySet<string> | null): boolean {
  return bound === null ? opening.includes(group) || alsoOpening.includes(name) : bound.has(name)
}

/** Keys of the registry by the name that Electron's accelerators have for them. A character stands for itself. */
const acceleratorNames: Readonly<Record<string, string>> = {
  ArrowDown: 'Down',
  ArrowUp: 'Up',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Escape: 'Esc',
  '+': 'Plus',
  ' ': 'Space',
}

const signs: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Enter: '↩',
  ' ': 'Space',
}

/** A key of the registry in parts: `Mod+Shift+Enter`, `G`, `+`. */
function parts(written: string): { modifiers: string[]; key: string } {
  const modifiers: string[] = []
  let key = written
  for (const modifier of ['Mod', 'Alt', 'Shift']) {
    if (key.length > modifier.length + 1 && key.startsWith(`${modifier}+`)) {
      modifiers.push(modifier)
      key = key.slice(modifier.length + 1)
    }
  }
  // A capital letter is one that is typed with Shift.
  if (/^[A-Z]$/.test(key) && !modifiers.includes('Shift')) modifiers.push('Shift')
  return { modifiers, key }
}

/** Whether the key is pressed together with Ctrl or Command, and is no character of a text. */
export function hasModifier(written: string): boolean {
  return parts(written).modifiers.includes('Mod')
}

/** A key of the registry as an accelerator of Electron: `CommandOrControl+K`, `Shift+G`, `Down`. */
export function acceleratorOf(written: string): string {
  const { modifiers, key } = parts(written)
  const named = modifiers.map((modifier) => (modifier === 'Mod' ? 'CommandOrControl' : modifier))
  return [...named, acceleratorNames[key] ?? (key.length === 1 ? key.toUpperCase() : key)].join('+')
}

/** The same for people, by the habit of the system: `⌘K`, `Shift+G`, `↓`. */
export function keyText(written: string, platform: NodeJS.Platform): string {
  const { modifiers, key } = parts(written)
  const mac = platform === 'darwin'
  const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' }
  const named = modifiers.map((modifier) =>
    mac ? (macSigns[modifier] ?? modifier) : modifier === 'Mod' ? 'Ctrl' : modifier,
  )
  const sign = signs[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  return [...named, sign].join(mac ? '' : '+')
}

/** How long (ms) a command waits for the page that can do it. Later nobody would know why it happens. */
const PATIENCE_MS = 20_000

/** The commands that a page can do, and the one that was asked for before there was a page that can. */
export interface CommandDispatch {
  /** Null: there is no page. */
  readonly bound: ReadonlySet<string> | null
  /** The page can do these from now on; null: it is gone. */
  bind(names: readonly string[] | null): void
  /** Has it done: at once by the page that can, or by the one that is on its way. */
  want(name: string): void
}

/** `send` tells the page to do it; `now` in milliseconds. */
export function createCommandDispatch(send: (name: string) => void, now: () => number): CommandDispatch {
  let bound: ReadonlySet<string> | null = null
  let waiting: { readonly name: string; readonly until: number } | null = null

  return {
    get bound() {
      return bound
    },
    bind(names) {
      bound = names === null ? null : new Set(names)
      if (waiting === null || bound?.has(waiting.name) !== true) return
      const { name, until } = waiting
      waiting = null
      if (now() < until) send(name)
    },
    want(name) {
      waiting = bound === null ? { name, until: now() + PATIENCE_MS } : null
      // What a page that is there cannot do is not done later, when nobody thinks of it any more.
      if (bound?.has(name) === true) send(name)
    },
  }
}

export type NamedCommand = readonly [name: string, command: Command]

/** What the system's own items have: macOS would give the key to whichever stands first. */
const systemKeys: readonly string[] = [
  'a',
  'c',
  'v',
  'x',
  'z',
  'q',
  'w',
  'm',
  'h',
  '0',
  '-',
  '=',
  '+',
]

/** By this a menu that is set finds the item of a command. */
export function idOf(name: string): string {
  return `command:${name}`
}

/**
 * One command with its keys. The page listens to them itself, and has its text fields in view: so Linux and Windows only show them
 * (`registerAccelerator`). macOS knows no key that is only shown: there one with Command is the item's, which it does only where the page has
 * not taken it, and any other stands in the label, since it would be taken from all that is typed.
 */
export function commandItem(
  [name, { label, keys }]: NamedCommand,
  platform: NodeJS.Platform,
  enabled: boolean,
  click: () => void,
): MenuItemConstructorOptions {
  const common = { id: idOf(name), enabled, click }
  const shown = platform === 'darwin' ? keys.find(isForMac) : keys[0]
  const others = keys.filter((key) => key !== shown).map((key) => keyText(key, platform))
  return {
    ...common,
    label: others.length === 0 ? label : `${label} (${others.join(', ')})`,
    ...(shown === undefined ? {} : { accelerator: acceleratorOf(shown) }),
    ...(platform === 'darwin' ? {} : { registerAccelerator: false }),
  }
}

function isForMac(key: string): boolean {
  return hasModifier(key) && !systemKeys.some((own) => key === `Mod+${own}`)
}

/** Takes out of the registry what stands somewhere, so that each command stands in one place. */
export interface MenuPlacement {
  names(...wanted: readonly string[]): MenuItemConstructorOptions[]
  groups(...wanted: readonly string[]): MenuItemConstructorOptions[]
  /** What stands nowhere yet, each group as a menu of its own. */
  rest(): MenuItemConstructorOptions[]
}

export interface MenuActions {
  command(name: string): void
  zoom(step: 'in' | 'out' | 'reset'): void
  /** Brings the window back. */
  show(): void
}

/** The first menu of macOS. */
export function appMenu(place: MenuPlacement): MenuItemConstructorOptions {
  const submenu = separated(
    place.names('about', 'updates-check'),
    place.names('go-settings'),
    [{ role: 'services' }],
    [{ role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }],
    [{ role: 'quit' }],
  )
  return { label: 'Tabscope', submenu }
}

/** By roles, so that a text field has what text fields have everywhere on this system. */
export function editMenu(platform: NodeJS.Platform): MenuItemConstructorOptions {
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
    platform === 'darwin'
      ? [
          {
            label: 'Substitutions',
            submenu: [
              { role: 'showSubstitutions' },
              { type: 'separator' },
              { role: 'toggleSmartQuotes' },
              { role: 'toggleSmartDashes' },
              { role: 'toggleTextReplacement' },
            ],
          },
          {
            label: 'Speech',
            submenu: [{ role: 'startSpeaking' }, { role: 'stopSpeaking' }],
          },
        ]
      : [],
  )
  return { label: 'Edit', submenu }
}

/** Electron's own items for zoom know no limits that fit, and no key without Shift for larger. */
export function zoomItems(actions: MenuActions): MenuItemConstructorOptions[] {
  const item = (
    step: Parameters<MenuActions['zoom']>[0],
    label: string,
    keys: readonly string[],
  ): MenuItemConstructorOptions[] =>
    // An item has one key: the others are those of items that nobody sees.
    keys.map((key, index) => ({
      label,
      accelerator: `CommandOrControl+${key}`,
      click: () => actions.zoom(step),
      ...(index === 0 ? {} : { visible: false, acceleratorWorksWhenHidden: true }),
    }))
  return [
    ...item('in', 'Larger', ['Plus', '=', 'numadd']),
    ...item('out', 'Smaller', ['-', 'numsub']),
    ...item('reset', 'Actual size', ['0', 'num0']),
  ]
}

export function windowMenu(
  platform: NodeJS.Platform,
  actions: MenuActions,
): MenuItemConstructorOptions {
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

/** The items of each section, with a line between those that have any. */
export function separated(
  ...sections: readonly MenuItemConstructorOptions[][]
): MenuItemConstructorOptions[] {
  return sections
    .map(dropEmpty)
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [{ type: 'separator' }, ...section]))
}

/** Without menus in which there is nothing. */
export function dropEmpty(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.filter(({ submenu }) => !Array.isArray(submenu) || submenu.length > 0)
}
