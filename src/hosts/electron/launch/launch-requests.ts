import { z } from 'zod'
import type { Log } from '#engine/platform/ports.ts'
import { logFilesOf } from '../../data-dir.ts'
import { APP_URL, LOGS_URL } from '../app-url.ts'
import type { EngineHost } from '../engine/host.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import { addressOfLink, isLinkLike } from './links.ts'

/** From the system or another start of the app. */
export interface LaunchRequest {
  /** Event logs: absolute paths. */
  readonly files: readonly string[]
  /** Unchanged and not validated. */
  readonly link: string | null
}

/** Queued until the app can handle them. */
export interface LaunchRequests {
  /** Ignores files that are not event logs. */
  add(request: LaunchRequest): void
  /** From another start. Invalid data counts as an empty request, which shows the window. */
  addForeign(request: unknown): void
  addEmpty(): void
  /** Also passes the queued requests. */
  deliverTo(receiver: (request: LaunchRequest) => void): void
  /** The app is quitting: drops queued requests, and passes later ones to `receiver` only. */
  endWith(receiver: (request: LaunchRequest) => void): void
}

const maxLinkLength = 300

const ForeignRequest = z.object({
  files: z.array(z.string()).catch([]),
  link: z.string().nullable().catch(null),
})

export function createLaunchRequests(): LaunchRequests {
  const pendingFiles: string[] = []
  let pendingLink: string | null = null
  let receive: ((request: LaunchRequest) => void) | null = null
  let isRequested = false
  let hasEnded = false

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
    add,
    addForeign(request) {
      const { success, data } = ForeignRequest.safeParse(request)
      addAndShow(success ? data : { files: [], link: null })
    },
    addEmpty: () => addAndShow({ files: [], link: null }),
    deliverTo(receiver) {
      if (hasEnded) return
      receive = receiver
      if (pendingFiles.length > 0 || pendingLink !== null || isRequested) deliver()
    },
    endWith(receiver) {
      hasEnded = true
      pendingFiles.length = 0
      pendingLink = null
      receive = receiver
    },
  }
}

/** Tabscope is started again for requests that arrive while it quits. */
export interface PendingRelaunch {
  /** Once no more windows are opened. */
  add(request: LaunchRequest): void
  /** Call it just before the process ends. */
  start(): void
}

/** `args`: of this process, without its program. `relaunch` starts Tabscope after this process has ended. */
export function createPendingRelaunch(
  args: readonly string[],
  relaunch: (args: string[]) => void,
): PendingRelaunch {
  let pending: LaunchRequest | null = null
  return {
    add({ files, link }) {
      pending = {
        files: [...(pending?.files ?? []), ...files],
        link: link ?? pending?.link ?? null,
      }
    },
    start() {
      if (pending !== null) relaunch(relaunchArguments(args, pending))
      pending = null
    },
  }
}

/** Without `--hidden`, plus the requested files and link. Logs that this process was started with are not imported again. */
function relaunchArguments(args: readonly string[], { files, link }: LaunchRequest): string[] {
  const linkIndex = args.findIndex(isLinkLike)
  const own = args.slice(0, linkIndex === -1 ? undefined : linkIndex)
  // Files are absolute paths, so neither files nor links can be parsed as a switch.
  const links = link !== null && isLinkLike(link) ? [link] : []
  return [...own.filter((word) => word !== '--' && word !== '--hidden'), ...files, ...links]
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
