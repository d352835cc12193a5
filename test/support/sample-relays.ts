import type { RelayView } from '#contract/relay.ts'
import { hostile } from './sample-logs.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export function liveRelay(now: number): RelayView {
  return {
    id: 1,
    name: 'pier9',
    user: 'ann',
    servers: ['tls://relay.example.com:4222'],
    endpoints: ['sandbox', 'terrace'],
    enabled: true,
    forward: false,
    state: 'live',
    since: now - 2 * hour,
    reason: null,
    nextTryAt: null,
    position: 12_408,
    behind: 0,
    behindSince: null,
    expiresAt: null,
    deliveries: 1204,
    skipped: 0,
    lastReceivedAt: now - 3 * minute,
  }
}

export function offlineRelay(now: number): RelayView {
  return {
    ...liveRelay(now),
    state: 'offline',
    since: now - 26 * hour,
    reason:
      'The relay at relay.example.com:4222 does not answer. Check that nats-server runs there and that this network reaches it.',
    nextTryAt: now + 42_000,
    behind: 412,
    behindSince: now - 6.5 * day,
    expiresAt: now + 11 * hour,
  }
}

/** Several relays, each in another state, with the longest texts. */
export function manyRelays(now: number): RelayView[] {
  const live = liveRelay(now)
  const many = Array.from({ length: 40 }, (_, index) => `bar-number-${index}`)
  return [
    live,
    { ...offlineRelay(now), id: 2, name: 'harbour group staging '.repeat(4).slice(0, 80) },
    {
      ...live,
      id: 3,
      name: 'catching-up',
      skipped: 3,
      reason: 'Message 12 of bar was skipped: The message ends within a record.',
      behind: 1_234_567,
      behindSince: now - 3 * day,
      expiresAt: now + 4 * day,
      endpoints: ['*'],
      deliveries: 0,
      lastReceivedAt: null,
    },
    {
      ...live,
      id: 4,
      name: 'new-server',
      state: 'replaced',
      reason: 'The stream was created anew on Fri, 27 Nov at 18:02.',
      behind: null,
      endpoints: many,
    },
    {
      ...live,
      id: 5,
      name: 'revoked',
      state: 'refused',
      reason: `The relay refuses the key of ann. Ask for a new invitation. ${hostile}`,
    },
    { ...live, id: 6, name: 'paused', state: 'paused', enabled: false, behind: null },
    { ...live, id: 7, name: 'connecting', state: 'connecting', behind: null },
  ]
}

export const invited = {
  name: 'pier9',
  user: 'ann',
  servers: ['tls://relay.example.com:4222'],
  endpoints: ['sandbox', 'terrace'],
  missing: ['terrace'],
  replaces: null,
  confirm: false,
}
