import { app, Menu, type MenuItem, type WebContents } from 'electron'
import type { DesktopHost } from './desktop-host.ts'
import type { DesktopMemory } from './desktop-memory.ts'
import { createNotifier, type Notifier } from './notifications/notifier.ts'
import { backgroundNotification } from './notifications/messages.ts'
import { startNotifications } from './notifications/start-notifications.ts'
import { type EngineMirror, mirrorEngine } from './engine-mirror.ts'
import { startWatch, type Watch } from './watch.ts'
import { entries } from '#contract/commands.ts'
import { commandsBound, commandWanted } from '#contract/host-messages.ts'
import { CommandsBound, type CommandWanted } from '#contract/host.ts'
import { canDo, createCommandDispatch, idOf, menuTemplate } from './menu/menu.ts'
import { iconOf, startTray } from './tray/tray.ts'

/** The page's commands change with each step in a list. */
const UPDATE_MS = 100

function startMenu(host: DesktopHost): void {
  const { window, ipc, log } = host
  const commands = entries()
  const show = (): void => {
    window.show().catch((error: unknown) => log.error('The window was not shown', error))
  }
  const dispatch = createCommandDispatch((name) => {
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
          dispatch.run(name)
          show()
        },
        show,
      },
    }),
  )
  Menu.setApplicationMenu(menu)

  const items = commands.map(
    (command) => [command, menu.getMenuItemById(idOf(command[0]))] as const,
  )
  const update = throttled(() => {
    for (const [command, item] of items) enable(item, canDo(command, dispatch.bound))
  })
  const bound = new Map<WebContents, readonly string[]>()
  /** The menu is that of the current window. */
  const bind = (): void => {
    const contents = window.current?.webContents
    dispatch.bind((contents && bound.get(contents)) ?? null)
    update()
  }
  ipc.on(commandsBound, CommandsBound, ({ names }, _frame, sender) => {
    bound.set(sender, names)
    bind()
  })
  window.onOpened((opened) => {
    const { webContents } = opened
    const unbind = (): void => {
      bound.delete(webContents)
      bind()
    }
    opened.on('focus', bind)
    opened.on('closed', unbind)
    // The reloaded page binds its commands again.
    webContents.on('render-process-gone', unbind)
  })
}

/** Changes the item in place: a new menu would close the one that the user has open. */
function enable(item: MenuItem | null, enabled: boolean): void {
  if (item !== null && item.enabled !== enabled) item.enabled = enabled
}

function throttled(work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      work()
    }, UPDATE_MS)
  }
}

export function startDesktopIntegration(
  host: DesktopHost,
  memory: DesktopMemory,
): { hasTray: boolean } {
  const { view, window, log } = host
  const mirror = mirrorEngine(view)
  const watch = startWatch(host, mirror)
  const notifier = createNotifier(window, log)
  startMenu(host)
  const hasTray = startTray(host, mirror, watch)
  startBadge(host, watch)
  startNotifications({ view, mirror, watch, notifier })
  startBackground({ host, mirror, memory, notifier })
  mirror.onChange(({ settings: { hardwareAcceleration } }) => {
    if (hardwareAcceleration !== memory.current.hardwareAcceleration)
      memory.remember({ hardwareAcceleration })
  })
  return { hasTray }
}

function startBadge({ window }: DesktopHost, watch: Watch): void {
  const show = (): void => {
    const { count } = watch.unseen
    if (process.platform !== 'win32') app.setBadgeCount(count)
    else {
      const icon = count === 0 ? null : iconOf('attention')
      for (const each of window.all)
        each.setOverlayIcon(icon, count === 0 ? '' : `Failed verdicts: ${count}`)
    }
  }
  watch.onCount(show)
}

interface Parts {
  readonly host: DesktopHost
  readonly mirror: EngineMirror
  readonly memory: DesktopMemory
  readonly notifier: Notifier
}

/**
 * Tabscope runs without a window if the settings say so, and on macOS always, as is usual there. A closed window destroys its page, since a hidden one would
 * process all new deliveries for nothing. The engine stores drafts and runs, so a new window shows the same state.
 */
function startBackground({ host, mirror, memory, notifier }: Parts): void {
  const { window, log } = host
  const shouldRun = (): boolean => mirror.current?.settings.background === true
  let wasEnabled: boolean | undefined

  app.on('window-all-closed', () => {
    // Before an update, macOS closes the windows itself and then quits.
    if (host.quitting.hasBegun) return
    if (!shouldRun()) {
      if (process.platform !== 'darwin') app.quit()
      return
    }
    log.info('The window is closed. Tabscope keeps capturing in the background.')
    if (memory.current.backgroundNoticeShown) return
    notifier.show(backgroundNotification, () => memory.remember({ backgroundNoticeShown: true }))
  })

  mirror.onChange(({ settings }) => {
    // Background mode was turned off from the tray: show the window, so that the user sees what is still running.
    const ended = wasEnabled === true && !settings.background && window.current === undefined
    wasEnabled = settings.background
    if (!ended || process.platform === 'darwin') return
    window.show().catch((error: unknown) => log.error('The window was not shown', error))
  })
}
