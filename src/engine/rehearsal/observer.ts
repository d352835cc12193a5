import type { Observer as ObserverOptions } from '#contract/rehearsal.ts'
import { steadyClock, type Clock } from '../platform/clock.ts'

export interface Observer {
  /** Throws an error with a sentence. */
  read(): Promise<number>
}

const readTimeoutMs = 5000
const maxCharacters = 4096
const pollMs = 25
/** The number must not change for this long before it is judged. Longer for a handler that processes events later. */
const settledMs = 200
const longestSettledMs = 2000
const settleLimitMs = 5000

/** Parses one number, perhaps in white space. Throws an error with a sentence. */
export function parseCount(text: string): number {
  const count = Number(text.trim())
  if (text.trim() === '' || !Number.isFinite(count)) {
    const shown = text.trim().slice(0, 40)
    throw new Error(`The observer must print one number, not ${JSON.stringify(shown)}.`)
  }
  return count
}

/** The number that the command prints, or the number of requests to the API of the sandbox. */
type Read = () => Promise<number>

export function createObserver(
  options: ObserverOptions,
  read: { readonly command: Read; readonly sandbox: Read },
): Observer | null {
  switch (options.kind) {
    case 'none':
      return null
    case 'command':
      return { read: read.command }
    case 'url':
      return { read: () => readUrl(options.url) }
    case 'sandbox':
      return { read: read.sandbox }
  }
}

async function readUrl(url: string): Promise<number> {
  let response: Response
  try {
    response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(readTimeoutMs),
      headers: { accept: 'text/plain, application/json' },
    })
  } catch (error) {
    const reason =
      error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no response'
    throw new Error(`The observer could not be read from its URL: ${reason}.`, { cause: error })
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`The URL of the observer responded with ${response.status}.`)
  }
  return parseCount(await readStart(response))
}

async function readStart(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > maxCharacters) break
  }
  return text.slice(0, maxCharacters)
}

/** How long the number must not change if one effect was seen `ms` after the response. */
export function quietTime(ms: number): number {
  return Math.min(Math.max(settledMs, 3 * ms), longestSettledMs)
}

export function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve))
}

/**
 * Reads until the number has not changed for `quietMs`, and at least `awaited` has been reached or the time is over. Returns the number, and for how
 * long it had changed, in milliseconds.
 */
export async function settled(
  observer: Observer,
  awaited: number,
  quietMs = settledMs,
  clock: Clock = steadyClock,
): Promise<{ count: number; changedMs: number }> {
  const began = clock.now()
  let readAt = began
  let count = await observer.read()
  let since = clock.now()
  for (;;) {
    const isQuiet = clock.now() - since >= quietMs && count >= awaited
    // The last number must be one that was read after the time was over: this process may have been stopped.
    if (isQuiet || readAt - began >= settleLimitMs) return { count, changedMs: since - began }
    await wait(clock, pollMs)
    readAt = clock.now()
    const next = await observer.read()
    if (next !== count) since = clock.now()
    count = next
  }
}
