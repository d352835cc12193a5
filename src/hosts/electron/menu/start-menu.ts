import { app, Menu, type MenuItem } from 'electron'
import { entries } from '#contract/commands.ts'
import { commandsBound, commandWanted } from '#contract/handover-names.ts'
import { CommandsBound, type CommandWanted } from '#contract/handover.ts'
import type { DesktopHost } from '../desktop-host.ts'
import { canDo } from './can-do.ts'
import { idOf } from './command-item.ts'
import { menuTemplate } from './template.ts'
import type { MenuActions } from './system-menus.ts'
import { createWanted } from './wanted.ts'

/** What a page binds changes with each step in its list: the menu follows this often (ms) at most. */
const FOLLOW_MS = 100

/** Sets the application menu, and keeps it to what the page can do. */
export function startMenu(host: DesktopHost, zoom: MenuActions['zoom']): void {
  const { window, ipc, log } = host
  const commands = entries()
  const show = (): void => {
    window.show().catch((error: unknown) => log.error('The window was not shown', error))
  }
  const wanted = createWanted((name) => {
    const message: CommandWanted = { kind: commandWanted, name }
    window.current?.webContents.send(commandWanted, message)
  }, Date.now)

  const menu = Menu.buildFromTemplate(
    menuTemplate({
      platform: process.platform,
      packaged: app.isPackaged,
      commands,
      bound: null,
      actions: {
        command(name) {
          wanted.want(name)
          show()
        },
        zoom,
        show,
      },
    }),
  )
  Menu.setApplicationMenu(menu)

  const items = commands.map((named) => [named, menu.getMenuItemById(idOf(named[0]))] as const)
  const follow = soon(() => {
    for (const [named, item] of items) enable(item, canDo(named, wanted.bound))
  })
  const bind = (names: readonly string[] | null): void => {
    wanted.bind(names)
    follow()
  }
  ipc.on(commandsBound, CommandsBound, ({ names }) => bind(names))
  window.onClosed(() => bind(null))
  // What it could do is done by the page that is loaded in its place, once that has said the same.
  window.onOpened(({ webContents }) => void webContents.on('render-process-gone', () => bind(null)))
}

/** The menu stays the same one, since a new one would close what the user has open of it. */
function enable(item: MenuItem | null, enabled: boolean): void {
  if (item !== null && item.enabled !== enabled) item.enabled = enabled
}

/** `work` once for all calls within a moment. */
function soon(work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      work()
    }, FOLLOW_MS)
  }
}
