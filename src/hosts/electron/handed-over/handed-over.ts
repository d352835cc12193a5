import { z } from 'zod'
import { logFilesOf } from '../../data-dir.ts'

/** What the system or another start hands over. */
export interface Handed {
  /** Event logs: absolute paths. */
  readonly files: readonly string[]
  /** As it was written, whatever that is; null: none. */
  readonly link: string | null
}

/** Keeps what is handed over until there is an app to take it. */
export interface HandedOver {
  /** Files that are no event logs are left out. */
  take(handed: Handed): void
  /** As another start handed it over; what cannot be read is an empty hand: somebody wants to see the app. */
  takeUnknown(handed: unknown): void
  /** Somebody wants to see the app, with nothing in their hand. */
  wanted(): void
  /** From now on all goes there, with what came before, if anything did. */
  to(receiver: (handed: Handed) => void): void
  /** The app is about to end: from now on all goes there, whoever else would take it. What came before has come to its end. */
  endWith(receiver: (handed: Handed) => void): void
}

/** Longer than any link of ours, and short enough to be kept. */
const longestLink = 300

const Unknown = z.object({
  files: z.array(z.string()).catch([]),
  link: z.string().nullable().catch(null),
})

export function openHandedOver(): HandedOver {
  const waiting: string[] = []
  let waitingLink: string | null = null
  let receive: ((handed: Handed) => void) | null = null
  let isWanted = false
  let over = false

  const take = ({ files, link }: Handed): void => {
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
  const wanted = (handed: Handed): void => {
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
