import { ipcMain, type IpcMainEvent, type WebContents, type WebFrameMain } from 'electron'
import type { z } from 'zod'
import type { Log } from '#engine/platform/ports.ts'
import { isAppUrl } from './app-url.ts'

/** What a page may send to main: the one place where senders are checked (point 17 of Electron's security checklist). */
export interface Ipc {
  /** `take` runs for the main frame of the interface's own window alone, with what `payload` has parsed; anything else is dropped. */
  on<T extends z.ZodType>(
    channel: string,
    payload: T,
    take: (payload: z.output<T>, frame: WebFrameMain) => void,
  ): void
}

/** Messages dropped that are told of: a page that floods main must not fill the log. */
const MAX_TOLD = 20

/** `own` answers whether a page is that of the interface's window. */
export function openIpc(own: (contents: WebContents) => boolean, log: Log): Ipc {
  let told = 0
  function drop(channel: string, why: string): void {
    told += 1
    if (told < MAX_TOLD) log.warn(`A message on ${channel} ${why}, and was dropped.`)
    else if (told === MAX_TOLD) log.warn('More messages from pages are dropped than are reported.')
  }

  return {
    on(channel, payload, take) {
      ipcMain.on(channel, (event: IpcMainEvent, ...args: unknown[]) => {
        const frame = ownFrame(event, own)
        if (frame === null) return drop(channel, 'came from a page that may not send it')
        // Nothing of ours sends ports along, or a second argument.
        const parsed = payload.safeParse(args[0])
        if (!parsed.success || args.length > 1 || hasPorts(event))
          return drop(channel, 'was not understood')
        take(parsed.data, frame)
      })
    },
  }
}

/** Only the events of `ipcRenderer.postMessage` have `ports`. Those of `send` do not, whatever their type says. */
function hasPorts({ ports = [] }: Partial<Pick<IpcMainEvent, 'ports'>>): boolean {
  return ports.length > 0
}

/** The frame that sent it, if it is the main frame of the interface's own window; null: another, or one that is gone. */
function ownFrame(event: IpcMainEvent, own: (contents: WebContents) => boolean) {
  // First, since it asks nothing of a page that may be gone.
  if (!own(event.sender)) return null
  try {
    const { senderFrame } = event
    // Detached: the page says it as it goes, and another is there already.
    if (senderFrame === null || senderFrame.detached) return null
    return senderFrame.parent === null && isAppUrl(senderFrame.url) ? senderFrame : null
  } catch {
    // A frame that was disposed refuses every question, and what is thrown here would be a dialog of Electron's.
    return null
  }
}
