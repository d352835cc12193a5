import type { MenuItemConstructorOptions } from 'electron'
import { separated } from './sections.ts'

/** Takes out of the registry what stands somewhere, so that each command stands in one place. */
export interface Placing {
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
export function appMenu(place: Placing): MenuItemConstructorOptions {
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
