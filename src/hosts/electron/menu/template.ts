import { type MenuPlacement, type MenuActions, commandItem, type NamedCommand, canDo, appMenu, editMenu, windowMenu, zoomItems, dropEmpty, separated } from './menu-items.ts'
import type { MenuItemConstructorOptions } from 'electron'

export interface MenuInput {
  readonly platform: NodeJS.Platform
  /** Developer tools are for those who run the sources. */
  readonly packaged: boolean
  readonly commands: readonly NamedCommand[]
  /** What the page can do just now; null: there is no page. */
  readonly bound: ReadonlySet<string> | null
  readonly actions: MenuActions
}

/**
 * The application menu: every command of the registry once, with its keys, among the items that are the system's own. What has no place of
 * its own here stands under More, by its group: so a new command is in the menu unasked.
 */
export function menuTemplate(input: MenuInput): MenuItemConstructorOptions[] {
  const { platform, packaged, actions } = input
  const mac = platform === 'darwin'
  const place = placing(input)
  const app = mac ? [appMenu(place)] : []
  const file = separated(
    place.groups('Event logs'),
    mac ? [] : place.names('go-settings'),
    [{ role: 'close', label: 'Close window' }],
    mac ? [] : [{ role: 'quit', label: 'Quit Tabscope' }],
  )
  const help = separated(
    [...place.names('user-guide', 'guide', 'help'), ...place.groups('Help')],
    place.names('updates-check', 'logs-folder', 'licences'),
    mac ? [] : place.names('about'),
  )
  const view = separated(
    place.names('palette'),
    place.groups('Go to'),
    [{ label: 'Theme', submenu: place.names('theme-light', 'theme-dark', 'theme-system') }],
    zoomItems(actions),
    [{ role: 'togglefullscreen', label: 'Full screen' }],
    packaged ? [] : [{ role: 'reload' }, { role: 'toggleDevTools' }],
  )
  return dropEmpty([
    ...app,
    { label: 'File', submenu: file },
    editMenu(platform),
    { label: 'View', submenu: view },
    { label: 'Deliveries', submenu: place.groups('Deliveries') },
    { label: 'Delivery', submenu: place.groups('One delivery') },
    { label: 'Compose', submenu: place.groups('Compose') },
    { label: 'Authorization', submenu: place.groups('Authorization') },
    { label: 'Tunnel', submenu: separated(place.groups('Tunnel'), place.groups('Listener')) },
    { label: 'More', submenu: place.rest() },
    windowMenu(platform, actions),
    { role: 'help', label: 'Help', submenu: help },
  ])
}

function placing({ platform, commands, bound, actions }: MenuInput): MenuPlacement {
  const left = new Map(commands)
  const item = (named: NamedCommand): MenuItemConstructorOptions => {
    left.delete(named[0])
    return commandItem(named, platform, canDo(named, bound), () => actions.command(named[0]))
  }
  const groups = (...wanted: readonly string[]): MenuItemConstructorOptions[] =>
    [...left].filter(([, { group }]) => wanted.includes(group)).map(item)
  return {
    names: (...wanted) =>
      wanted.flatMap((name) => {
        const command = left.get(name)
        return command === undefined ? [] : [item([name, command])]
      }),
    groups,
    rest: () =>
      [...new Set([...left.values()].map(({ group }) => group))].map((group) => ({
        label: group,
        submenu: groups(group),
      })),
  }
}
