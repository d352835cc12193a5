import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** How long (ms) a ticket is good for: a browser that is started first may take its time. */
const validFor = 2 * 60_000

export interface LaunchTickets {
  /** A new ticket of 256 random bits; one that was given before is void from now on. */
  issue(): string
  /** True once for the ticket that was issued last, while it is valid. */
  redeem(given: string): boolean
}

/**
 * Tickets that a browser exchanges for the launch token. They go onto the command line of the program that opens the browser, which
 * everybody on this machine can read: so each works once, and for a short time. `now` gives milliseconds that never go back.
 */
export function createLaunchTickets(now: () => number = () => performance.now()): LaunchTickets {
  let current: { readonly digest: Buffer; readonly until: number } | null = null
  return {
    issue: () => {
      const ticket = randomBytes(32).toString('base64url')
      current = { digest: digest(ticket), until: now() + validFor }
      return ticket
    },
    redeem: (given) => {
      if (!current || now() >= current.until) return false
      // A wrong guess voids nothing: anybody on this machine could send one.
      if (!timingSafeEqual(current.digest, digest(given))) return false
      current = null
      return true
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
