import { addressOfLink, isLinkLike } from './links.ts'
import type { Log } from '#engine/platform/ports.ts'
import { APP_URL, LOGS_URL } from '../app-url.ts'
import type { EngineHost } from '../engine/host.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import { z } from 'zod'
import { logFilesOf } from '../../data-dir.ts'

/** What the system or another start hands over. */
export interface LaunchRequest {
  /** Event logs: absolute paths. */
  readonly files: readonly string[]
  /** As it was written, whatever that is; null: none. */
  readonly link: string | null
}

/** Keeps what is handed over until there is an app to take it. */
export interface LaunchRequests {
  /** Files that are no event logs are left out. */
  take(handed: LaunchRequest): void
  /** As another start handed it over; what cannot be read is an empty hand: somebody wants to see the app. */
  takeUnknown(handed: unknown): void
  /** Somebody wants to see the app, with nothing in their hand. */
  wanted(): void
  /** From now on all goes there, with what came before, if anything did. */
  to(receiver: (handed: LaunchRequest) => void): void
  /** The app is about to end: from now on all goes there, whoever else would take it. What came before has come to its end. */
  endWith(receiver: (handed: LaunchRequest) => void): void
}

/** Longer than any link of ours, and short enough to be kept. */
const longestLink = 300

const Unknown = z.object({
  files: z.array(z.string()).catch([]),
  link: z.string().nullable().catch(null),
})

export function createLaunchRequests(): LaunchRequests {
  const waiting: string[] = []
  let waitingLink: string | null = null
  let receive: ((handed: LaunchRequest) => void) | null = null
  let isWanted = false
  let over = false

  const take = ({ files, link }: LaunchRequest): void => {
    // Absolute as they are, they belong to no folder.
    waiting.push(...logFilesOf(files, '/'))
    // Only one place can be shown: the last one asked for.
    waitingLink = link?.slice(0, longestLink) ?? waitingLink
    pass()
  }
  const pass = (): void => {
    if (receive === null) return
    const handed = { files: waiting.splice(0), link: waitingLink }
    waitingLink = null
    isWanted = false
    receive(handed)
  }
  const wanted = (handed: LaunchRequest): void => {
    // One that was started without a window gets one, also where there is nobody yet to open it.
    isWanted = true
    take(handed)
  }

  return {
    take,
    takeUnknown(handed) {
      const { success, data } = Unknown.safeParse(handed)
      wanted(success ? data : { files: [], link: null })
    },
    wanted: () => wanted({ files: [], link: null }),
    to(receiver) {
      if (over) return
      receive = receiver
      if (waiting.length > 0 || waitingLink !== null || isWanted) pass()
    },
    endWith(receiver) {
      over = true
      waiting.length = 0
      waitingLink = null
      receive = receiver
    },
  }
}

/** Tabscope as it is about to end: who wants it then has come to the wrong one, and gets the next. */
export interface PendingRelaunch {
  /** To be called from the moment at which no window is opened any more. */
  want(handed: LaunchRequest): void
  /** Just before the end: has the system start it again, if anybody wanted it. */
  start(): void
}

/** `words`: what this Tabscope was started with, without its program. `relaunch` starts it with others when this one has ended. */
export function createPendingRelaunch(
  words: readonly string[],
  relaunch: (words: string[]) => void,
): PendingRelaunch {
  let wanted: LaunchRequest | null = null
  return {
    want({ files, link }) {
      wanted = {
        files: [...(wanted?.files ?? []), ...files],
        link: link ?? wanted?.link ?? null,
      }
    },
    start() {
      if (wanted !== null) relaunch(againWith(words, wanted))
      wanted = null
    },
  }
}

/** The same words, but with a window, and with what was handed over behind them. A log that it was started with is known already. */
function againWith(words: readonly string[], { files, link }: LaunchRequest): string[] {
  const linkAt = words.findIndex(isLinkLike)
  const own = words.slice(0, linkAt === -1 ? undefined : linkAt)
  // A file is an absolute path, so neither can be read as a switch.
  const followed = link !== null && isLinkLike(link) ? [link] : []
  return [...own.filter((word) => word !== '--' && word !== '--hidden'), ...files, ...followed]
}

/** So much of a link that is refused stands in the log. */
const shownOfRefused = 120

/** Brings the window forward with what was handed over: event logs are imported and listed, a link is followed. */
export function createLaunchHandler(
  engine: Pick<EngineHost, 'importLogs'>,
  window: Pick<InterfaceWindow, 'show'>,
  log: Log,
): (handed: LaunchRequest) => void {
  return ({ files, link }) => {
    const address = link === null ? null : addressOfLink(link)
    if (link !== null && address === null) {
      log.warn(`A link that is none of Tabscope's was refused: ${link.slice(0, shownOfRefused)}`)
    }
    if (files.length > 0) engine.importLogs(files)
    window
      .show(address === null ? (files.length > 0 ? LOGS_URL : undefined) : APP_URL + address)
      .catch((error: unknown) => log.error('What was handed over was not shown', error))
  }
}
