import { ipcMain, type IpcMainEvent, type WebContents, type WebFrameMain } from 'electron'
import type { z } from 'zod'
import type { Log } from '#engine/platform/ports.ts'
import { isAppUrl } from './app-url.ts'

/** The only place where senders are checked (item 17 of Electron's security checklist). */
export interface Ipc {
  /** Only for messages of the main frame of an interface window, with a valid payload. Drops all others. */
  on<T extends z.ZodType>(
    channel: string,
    payload: T,
    handle: (payload: z.output<T>, frame: WebFrameMain, sender: WebContents) => void,
  ): void
}

/** A page that floods main must not fill the log. */
const MAX_REPORTED = 20

export function openIpc(isOwnPage: (contents: WebContents) => boolean, log: Log): Ipc {
  let dropped = 0
  function drop(channel: string, problem: string): void {
    dropped += 1
    if (dropped < MAX_REPORTED) log.warn(`Dropped a message on ${channel}: ${problem}.`)
    else if (dropped === MAX_REPORTED)
      log.warn('Further dropped messages from pages are not logged.')
  }

  return {
    on(channel, payload, handle) {
      ipcMain.on(channel, (event: IpcMainEvent, ...args: unknown[]) => {
        const frame = ownFrame(event, isOwnPage)
        if (frame === null) return drop(channel, 'its sender is not the interface window')
        // Our pages never send ports or a second argument.
        const parsed = payload.safeParse(args[0])
        if (!parsed.success || args.length > 1 || hasPorts(event))
          return drop(channel, 'it is invalid')
        handle(parsed.data, frame, event.sender)
      })
    },
  }
}

/** Only events of `ipcRenderer.postMessage` have `ports`. Those of `send` do not, despite their type. */
function hasPorts({ ports = [] }: Partial<Pick<IpcMainEvent, 'ports'>>): boolean {
  return ports.length > 0
}

/** The main frame of the interface window; null for any other frame, or one that is gone. */
function ownFrame(event: IpcMainEvent, isOwnPage: (contents: WebContents) => boolean) {
  // Checked first, since it works even if the page is gone.
  if (!isOwnPage(event.sender)) return null
  try {
    const { senderFrame } = event
    // Detached: the page sent it while closing, and another page may have replaced it.
    if (senderFrame === null || senderFrame.detached) return null
    return senderFrame.parent === null && isAppUrl(senderFrame.url) ? senderFrame : null
  } catch {
    // A disposed frame throws on every access, and an uncaught exception here would open Electron's error dialog.
    return null
  }
}
