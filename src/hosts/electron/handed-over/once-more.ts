import type { Handed } from './handed-over.ts'
import { isLinkLike } from './links.ts'

/** Tabscope as it is about to end: who wants it then has come to the wrong one, and gets the next. */
export interface OnceMore {
  /** To be called from the moment at which no window is opened any more. */
  want(handed: Handed): void
  /** Just before the end: has the system start it again, if anybody wanted it. */
  start(): void
}

/** `words`: what this Tabscope was started with, without its program. `relaunch` starts it with others when this one has ended. */
export function createOnceMore(
  words: readonly string[],
  relaunch: (words: string[]) => void,
): OnceMore {
  let wanted: Handed | null = null
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
function againWith(words: readonly string[], { files, link }: Handed): string[] {
  const linkAt = words.findIndex(isLinkLike)
  const own = words.slice(0, linkAt === -1 ? undefined : linkAt)
  // A file is an absolute path, so neither can be read as a switch.
  const followed = link !== null && isLinkLike(link) ? [link] : []
  return [...own.filter((word) => word !== '--' && word !== '--hidden'), ...files, ...followed]
}
