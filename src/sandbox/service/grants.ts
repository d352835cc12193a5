import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { location as pier9 } from '../bar.ts'

export interface Location {
  readonly uuid: string
  readonly id: string
  readonly name: string
}

export interface User {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly locations: readonly Location[]
}

const harbourBar = { uuid: '109e0000-91e2-4b00-8a00-00000000000c', id: '12', name: 'Harbour Bar' }
const oldMill = { uuid: '109e0000-91e2-4b00-8a00-00000000000f', id: '15', name: 'Old Mill' }
const rooftop = { uuid: '109e0000-91e2-4b00-8a00-000000000015', id: '21', name: 'Rooftop' }

/** Their locations differ, because a token acts as the user who approved it (API documentation, "Authentication" 2). */
export const users: readonly User[] = [
  { id: 'mara', name: 'Mara', role: 'floor manager', locations: [pier9, harbourBar] },
  { id: 'jonas', name: 'Jonas', role: 'owner', locations: [pier9, oldMill, rooftop] },
]

export function findUser(id: string | null): User | null {
  return users.find((user) => user.id === id) ?? null
}

/** In milliseconds. The API documentation names no lifetime; RFC 6749 (4.1.2) recommends at most ten minutes. */
export const codeLifetime = 60_000
/** For codes, and for tokens. The oldest are deleted first. */
const maxStored = 500

export type TokenState = 'alive' | 'expired' | 'revoked'

export interface Issued {
  readonly token: string
  readonly refreshToken: string
  /** Seconds since the epoch. */
  readonly initiated: number
  /** Seconds since the epoch. */
  readonly expires: number
}

export type Grants = ReturnType<typeof createGrants>

interface Code {
  readonly user: User
  readonly until: number
  used: boolean
}

interface Entry {
  readonly user: User
  /** Seconds since the epoch. */
  expires: number
  revoked: boolean
  refreshUsed: boolean
}

const digest = (secret: string) => createHash('sha256').update(secret).digest('base64url')

function store<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= maxStored) return
    map.delete(oldest)
  }
}

/**
 * Keeps codes and tokens in memory. After a refresh, the older access token stays valid until it expires, and so does the older refresh token, because it
 * "does not itself expire" (API documentation, "Authentication" 5). `random` returns the given number of random bytes.
 */
export function createGrants(clock: Clock, random: (bytes: number) => Uint8Array) {
  const codes = new Map<string, Code>()
  const byToken = new Map<string, Entry>()
  const byRefreshToken = new Map<string, Entry>()

  const generate = (prefix: string) => `${prefix}${Buffer.from(random(24)).toString('base64url')}`
  const seconds = () => Math.floor(clock.date().getTime() / 1000)
  const stateOf = ({ revoked, expires }: Entry): TokenState => {
    if (revoked) return 'revoked'
    return seconds() >= expires ? 'expired' : 'alive'
  }

  const issue = (user: User, lifetime: number): Issued => {
    const token = generate('at_')
    const refreshToken = generate('rt_')
    const issued = seconds()
    const entry: Entry = {
      user,
      expires: issued + lifetime,
      revoked: false,
      refreshUsed: false,
    }
    store(byToken, digest(token), entry)
    store(byRefreshToken, digest(refreshToken), entry)
    return { token, refreshToken, initiated: issued, expires: entry.expires }
  }

  return {
    code(user: User): string {
      const code = generate('ac_')
      store(codes, digest(code), {
        user,
        until: clock.date().getTime() + codeLifetime,
        used: false,
      })
      return code
    },

    /** Returns the reason if the code is not valid. `lifetime` in seconds. */
    exchange(code: string, lifetime: number): Issued | 'unknown' | 'used' | 'expired' {
      const found = codes.get(digest(code))
      if (!found) return 'unknown'
      if (found.used) return 'used'
      if (clock.date().getTime() >= found.until) return 'expired'
      found.used = true
      return issue(found.user, lifetime)
    },

    /** `once`: each refresh token works only once. */
    refresh(
      refreshToken: string,
      lifetime: number,
      { once }: { once: boolean },
    ): Issued | 'unknown' | 'used' | 'revoked' {
      const entry = byRefreshToken.get(digest(refreshToken))
      if (!entry) return 'unknown'
      if (entry.revoked) return 'revoked'
      if (once && entry.refreshUsed) return 'used'
      entry.refreshUsed = true
      return issue(entry.user, lifetime)
    },

    inspect(token: string): { state: TokenState | 'unknown'; user: User | null } {
      const entry = byToken.get(digest(token))
      return entry ? { state: stateOf(entry), user: entry.user } : { state: 'unknown', user: null }
    },

    /** Access tokens that are neither expired nor revoked. */
    activeCount: () => [...byToken.values()].filter((entry) => stateOf(entry) === 'alive').length,

    revokeAll(): void {
      for (const entry of byToken.values()) entry.revoked = true
    },

    /** Expires access tokens. Refresh tokens remain valid. */
    expireAll(): void {
      const now = seconds()
      for (const entry of byToken.values()) entry.expires = Math.min(entry.expires, now)
    },
  }
}
