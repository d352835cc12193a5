import type { Observer as ObserverOptions } from '#contract/rehearsal.ts'
import { steadyClock, type Clock } from '../platform/clock.ts'
import type { WireOptions } from '../sending/wire/exchange.ts'
import type { WireRequest } from '../sending/wire/request-bytes.ts'
import type { Wire } from '../sending/wire/wire.ts'
import type { ObservedUrl } from './messages.ts'

export interface Observer {
  /** Throws an error with a sentence. */
  read(): Promise<number>
}

const readTimeoutMs = 5000
const maxBytes = 4096
/** From the end of one read of a URL to the start of the next. */
const urlFloorMs = 200
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
  {
    command,
    sandbox,
    url,
  }: { readonly command: Read; readonly sandbox: Read; readonly url: Observer | null },
): Observer | null {
  switch (options.kind) {
    case 'none':
      return null
    case 'command':
      return { read: command }
    case 'url':
      return url
    case 'sandbox':
      return { read: sandbox }
  }
}

/** Reads the number at a URL like a target: not outside the network without a permission, without following redirects, and not too often. */
export function createUrlObserver(
  { url: href, ...limits }: ObservedUrl,
  wire: Pick<Wire, 'exchange'>,
  signal?: AbortSignal,
  clock: Clock = steadyClock,
): Observer {
  const url = new URL(href)
  const request: WireRequest = {
    method: 'GET',
    url,
    headers: [
      ['Host', url.host],
      ['Accept', 'text/plain, application/json'],
      ['Accept-Encoding', 'identity'],
    ],
    body: new Uint8Array(),
    trailers: [],
  }
  const options: WireOptions = {
    ...limits,
    signal,
    timeout: readTimeoutMs,
    maxResponseBytes: maxBytes,
    keepAlive: false,
    own: 'send',
  }
  let next = Number.NEGATIVE_INFINITY
  return {
    read: async () => {
      const early = next - clock.now()
      if (early > 0) await wait(clock, Math.ceil(early))
      const { response, error } = await wire.exchange(request, options)
      next = clock.now() + urlFloorMs
      if (error) throw new Error(`The observer could not be read from its URL: ${error.message}`)
      if (!response || response.status < 200 || response.status > 299) {
        throw new Error(`The URL of the observer responded with ${response?.status ?? 'nothing'}.`)
      }
      return parseCount(Buffer.from(response.body).toString())
    },
  }
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
