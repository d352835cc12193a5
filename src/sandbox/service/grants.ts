import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { location as pier9 } from '../bar.ts'

export interface Location {
  readonly uuid: string
  readonly id: string
  readonly name: string
}

/** Somebody who can approve an integration. All of it is made up. */
export interface User {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly locations: readonly Location[]
}

const harbourBar = { uuid: '109e0000-91e2-4b00-8a00-00000000000c', id: '12', name: 'Harbour Bar' }
const oldMill = { uuid: '109e0000-91e2-4b00-8a00-00000000000f', id: '15', name: 'Old Mill' }
const rooftop = { uuid: '109e0000-91e2-4b00-8a00-000000000015', id: '21', name: 'Rooftop' }

/** Two who see different locations, since a token acts as the user who approved (SPEC, "Authentication" 2). */
export const users: readonly User[] = [
  { id: 'mara', name: 'Mara', role: 'floor manager', locations: [pier9, harbourBar] },
  { id: 'jonas', name: 'Jonas', role: 'owner', locations: [pier9, oldMill, rooftop] },
]

/** The user of that id; null when there is none. */
export function userOf(id: string | null): User | null {
  return users.find((user) => user.id === id) ?? null
}

/** Milliseconds in which a code must be exchanged; once. The document names no time, RFC 6749 (4.1.2) ten minutes at most. */
export const codeLifetime = 60_000
/** Codes and tokens remembered; what is older is as if it had never been. */
const remembered = 500

/** A token as the dashboard shows it: never the token itself, of which only a digest is kept. */
export interface TokenRow {
  readonly id: number
  readonly user: User
  /** The last four characters. */
  readonly endsWith: string
  /** Seconds since the epoch. */
  readonly issued: number
  /** Seconds since the epoch. */
  readonly expires: number
  readonly state: TokenState
}

export type TokenState = 'alive' | 'expired' | 'revoked'

/** A new pair, in clear text this once. */
export interface Issued {
  readonly token: string
  readonly refreshToken: string
  /** Seconds since the epoch. */
  readonly initiated: number
  /** Seconds since the epoch. */
  readonly expires: number
}

export interface Grants {
  /** A new code for the user. */
  code(user: User): string
  /** The pair for a code, once and in time; else why not. `lifetime` in seconds. */
  exchange(code: string, lifetime: number): Issued | 'unknown' | 'used' | 'expired'
  /** A new pair for a refresh token. `once`: the refresh token does not work again. */
  refresh(
    refreshToken: string,
    lifetime: number,
    options: { once: boolean },
  ): Issued | 'unknown' | 'used' | 'revoked'
  /** Who stands behind an access token. */
  look(token: string): { readonly state: TokenState | 'unknown'; readonly user: User | null }
  /** Newest first. */
  rows(): TokenRow[]
  /** Takes back all that came from the approval which the token came from. False when there is no such token. */
  revoke(id: number): boolean
  revokeAll(): void
  /** Ends all access tokens now; refresh tokens go on. */
  expireAll(): void
}

interface Code {
  readonly user: User
  readonly until: number
  used: boolean
}

interface Entry {
  readonly id: number
  /** All that came from one approval: the exchange, and each refresh after it. */
  readonly approval: number
  readonly user: User
  readonly endsWith: string
  readonly issued: number
  expires: number
  revoked: boolean
  refreshUsed: boolean
}

const digest = (secret: string) => createHash('sha256').update(secret).digest('base64url')

function bounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= remembered) return
    map.delete(oldest)
  }
}

/**
 * Codes and tokens, in memory. After a refresh the older access token stays valid until it expires, and so does the older refresh
 * token, which "does not itself expire" (SPEC, "Authentication" 5). `random` gives so many random bytes.
 */
export function createGrants(clock: Clock, random: (bytes: number) => Uint8Array): Grants {
  const codes = new Map<string, Code>()
  const byToken = new Map<string, Entry>()
  const byRefreshToken = new Map<string, Entry>()
  let lastId = 0

  const fresh = (prefix: string) => `${prefix}${Buffer.from(random(24)).toString('base64url')}`
  const seconds = () => Math.floor(clock.date().getTime() / 1000)
  const stateOf = ({ revoked, expires }: Entry): TokenState => {
    if (revoked) return 'revoked'
    return seconds() >= expires ? 'expired' : 'alive'
  }

  const issue = (user: User, lifetime: number, approval: number | null): Issued => {
    const token = fresh('at_')
    const refreshToken = fresh('rt_')
    const issued = seconds()
    const id = (lastId += 1)
    const entry: Entry = {
      id,
      approval: approval ?? id,
      user,
      endsWith: token.slice(-4),
      issued,
      expires: issued + lifetime,
      revoked: false,
      refreshUsed: false,
    }
    bounded(byToken, digest(token), entry)
    bounded(byRefreshToken, digest(refreshToken), entry)
    return { token, refreshToken, initiated: issued, expires: entry.expires }
  }

  const revokeWhere = (which: (entry: Entry) => boolean) => {
    for (const entry of byToken.values()) if (which(entry)) entry.revoked = true
  }

  return {
    code(user) {
      const code = fresh('ac_')
      bounded(codes, digest(code), {
        user,
        until: clock.date().getTime() + codeLifetime,
        used: false,
      })
      return code
    },

    exchange(code, lifetime) {
      const found = codes.get(digest(code))
      if (!found) return 'unknown'
      if (found.used) return 'used'
      if (clock.date().getTime() >= found.until) return 'expired'
      found.used = true
      return issue(found.user, lifetime, null)
    },

    refresh(refreshToken, lifetime, { once }) {
      const entry = byRefreshToken.get(digest(refreshToken))
      if (!entry) return 'unknown'
      if (entry.revoked) return 'revoked'
      if (once && entry.refreshUsed) return 'used'
      entry.refreshUsed = true
      return issue(entry.user, lifetime, entry.approval)
    },

    look(token) {
      const entry = byToken.get(digest(token))
      return entry ? { state: stateOf(entry), user: entry.user } : { state: 'unknown', user: null }
    },

    rows: () =>
      [...byToken.values()].toReversed().map((entry) => ({
        id: entry.id,
        user: entry.user,
        endsWith: entry.endsWith,
        issued: entry.issued,
        expires: entry.expires,
        state: stateOf(entry),
      })),

    revoke(id) {
      const found = [...byToken.values()].find((entry) => entry.id === id)
      if (!found) return false
      revokeWhere(({ approval }) => approval === found.approval)
      return true
    },

    revokeAll: () => revokeWhere(() => true),

    expireAll() {
      const now = seconds()
      for (const entry of byToken.values()) entry.expires = Math.min(entry.expires, now)
    },
  }
}
