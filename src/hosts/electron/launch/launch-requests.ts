import * as z from 'zod'
import type { Log } from '#engine/platform/ports.ts'
import { logFilesOf } from '../../data-dir.ts'
import { APP_URL, LOGS_URL } from '../app-url.ts'
import type { EngineHost } from '../engine/host.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import { addressOfLink } from './links.ts'

export interface LaunchRequest {
  /** Event logs: absolute paths. */
  readonly files: readonly string[]
  /** Unchanged and not validated. */
  readonly link: string | null
}

const maxLinkLength = 300

const ForeignRequest = z.object({
  files: z.array(z.string()).catch([]),
  link: z.string().nullable().catch(null),
})

export function createLaunchRequests() {
  const pendingFiles: string[] = []
  let pendingLink: string | null = null
  let receive: ((request: LaunchRequest) => void) | null = null
  let isRequested = false

  const add = ({ files, link }: LaunchRequest): void => {
    // The paths are absolute, so the working directory does not matter.
    pendingFiles.push(...logFilesOf(files, '/'))
    // Only one page can be shown: that of the last link.
    pendingLink = link?.slice(0, maxLinkLength) ?? pendingLink
    deliver()
  }
  const deliver = (): void => {
    if (receive === null) return
    const request = { files: pendingFiles.splice(0), link: pendingLink }
    pendingLink = null
    isRequested = false
    receive(request)
  }
  const addAndShow = (request: LaunchRequest): void => {
    // Shows a window even if the app was started without one, and even before there is a receiver.
    isRequested = true
    add(request)
  }

  return {
    /** Ignores files that are not event logs. */
    add,
    /** From another start. Invalid data counts as an empty request, which shows the window. */
    addForeign(request: unknown): void {
      const { success, data } = ForeignRequest.safeParse(request)
      addAndShow(success ? data : { files: [], link: null })
    },
    addEmpty: () => addAndShow({ files: [], link: null }),
    /** Also passes the queued requests. */
    deliverTo(receiver: (request: LaunchRequest) => void): void {
      receive ??= receiver
      if (pendingFiles.length > 0 || pendingLink !== null || isRequested) deliver()
    },
    /** The app is quitting: no window is opened any more. */
    end(): void {
      receive = () => undefined
    },
  }
}

const loggedLinkLength = 120

/** Shows the window, imports event logs and lists them, and follows a link. */
export function createLaunchHandler(
  engine: Pick<EngineHost, 'importLogs'>,
  window: Pick<InterfaceWindow, 'show'>,
  log: Log,
): (request: LaunchRequest) => void {
  return ({ files, link }) => {
    const address = link === null ? null : addressOfLink(link)
    if (link !== null && address === null) {
      log.warn(`Rejected an invalid link: ${link.slice(0, loggedLinkLength)}`)
    }
    if (files.length > 0) engine.importLogs(files)
    window
      .show(address === null ? (files.length > 0 ? LOGS_URL : undefined) : APP_URL + address)
      .catch((error: unknown) => log.error('The window was not shown', error))
  }
}
