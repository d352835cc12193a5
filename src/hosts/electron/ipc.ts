import { ipcMain, type IpcMainEvent, type WebContents, type WebFrameMain } from 'electron'
import type { z } from 'zod'
import type { Log } from '#engine/ports.ts'
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

/** `own` answers whether a page is that of the interface's window. */
export function openIpc(own: (contents: WebContents) => boolean, log: Log): Ipc {
  return {
    on(channel, payload, take) {
      ipcMain.on(channel, (event: IpcMainEvent, ...args: unknown[]) => {
        const frame = event.senderFrame
        if (frame === null || frame.parent !== null || !isAppUrl(frame.url) || !own(event.sender)) {
          log.warn(
            `A message on ${channel} came from a page that may not send it, and was dropped.`,
          )
          return
        }
        const parsed = payload.safeParse(args[0])
        if (parsed.success) take(parsed.data, frame)
        else log.warn(`A message on ${channel} was not understood, and was dropped.`)
      })
    },
  }
}
