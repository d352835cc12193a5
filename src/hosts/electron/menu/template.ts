import {
  type MenuPlacement,
  type MenuActions,
  commandItem,
  type NamedCommand,
  canDo,
  appMenu,
  editMenu,
  windowMenu,
  zoomItems,
  dropEmpty,
  separated,
} from './menu-items.ts'
import type { MenuItemConstructorOptions } from 'electron'

export interface MenuInput {
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
    [...placement.names('user-guide', 'guide', 'help'), ...placement.groups('Help')],
    placement.names('command-line-install', 'command-line-remove'),
    placement.names('updates-check', 'logs-folder', 'licences'),
    isMac ? [] : placement.names('about'),
  )
  const view = separated(
    placement.names('palette'),
    placement.groups('Go to'),
    [{ label: 'Theme', submenu: placement.names('theme-light', 'theme-dark', 'theme-system') }],
    zoomItems(actions),
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
