import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { correctSteps, knownTypes, type Event, type Steps } from '../handler.ts'
import type { FaultyHandler } from './define.ts'

function requires(accepted: (event: Event) => boolean): Partial<Steps> {
  return { validate: accepted }
}

const commonFields = new Set([
  'type',
  'targetUuid',
  'targetId',
  'locationUuid',
  'locationName',
  'locationId',
  'createdAt',
  'data',
])

export const eventFaults: readonly FaultyHandler[] = [
  {
    name: 'does not know LOCATION_UPDATED, and responds with 400',
    noticedBy: ['G1'],
    steps: requires(({ type }) => type !== 'LOCATION_UPDATED'),
  },
  {
    name: 'requires targetUuid',
    noticedBy: ['G1', 'G3'],
    steps: requires(({ targetUuid }) => Boolean(targetUuid)),
  },
  {
    name: 'has a schema in which targetUuid of CATEGORY_UPDATED is null, and not optional',
    noticedBy: ['G3'],
    steps: requires(({ type, targetUuid }) => type !== 'CATEGORY_UPDATED' || targetUuid === null),
  },
  {
    name: 'requires locationUuid',
    noticedBy: ['G2'],
    steps: requires(({ locationUuid }) => typeof locationUuid === 'string'),
  },
  {
    name: 'reads the total of every tab that is opened',
    noticedBy: ['G4'],
    steps: requires(({ type, data }) => type !== 'OPEN_TAB' || data.total.toFixed(2) !== ''),
  },
  {
    name: 'rejects unknown fields',
    noticedBy: ['G5'],
    steps: requires((event) => Object.keys(event).every((key) => commonFields.has(key))),
  },
  {
    name: 'responds with 400 to unknown event types',
    noticedBy: ['G6'],
    steps: requires(({ type }) => knownTypes.has(type)),
  },
  {
    name: 'compares header names with their case',
    noticedBy: ['G7'],
    steps: {
      signatureOf({ rawHeaders }) {
        return rawHeaders[rawHeaders.indexOf('X-Service-Signature') + 1] ?? ''
      },
    },
  },
  {
    name: 'accepts signed bodies that are not events',
    noticedBy: ['B7'],
    steps: {
      parse(body) {
        return correctSteps.parse.call(this, body) ?? { type: 'unknown', data: {} }
      },
    },
  },
  {
    name: 'ends when the body is nested too deeply',
    noticedBy: ['B7'],
    steps: {
      parse(body) {
        if (body.toString().startsWith('[[[[')) this.crash()
        return correctSteps.parse.call(this, body)
      },
    },
  },
  {
    name: 'looks up keys of the body in an object literal',
    noticedBy: ['B8'],
    steps: {
      parse(body) {
        const event = correctSteps.parse.call(this, body)
        const labels: Record<string, string> = { type: 'Type', data: 'Data' }
        for (const key of Object.keys({ ...event, ...event?.data })) labels[key]?.trim()
        return event
      },
    },
  },
]

/** How long a database takes, in milliseconds. Long enough for two requests that follow each other to overlap on a slow computer. */
const laterMs = 300

export const effectFaults: readonly FaultyHandler[] = [
  {
    name: 'does not deduplicate',
    noticedBy: ['I1', 'I2', 'I3?', 'I6'],
    steps: { isNew: () => true },
  },
  {
    name: 'deduplicates in two steps, with a race between them',
    noticedBy: ['I2', 'I6'],
    options: { only: ['I1', 'I2', 'I6'] },
    steps: {
      async isNew(key) {
        const known = this.seen.has(key)
        // The second copy must arrive before this ends, also on a slow computer.
        await delay(1000)
        this.seen.add(key)
        return !known
      },
    },
  },
  {
    name: 'fails with a deadlock when more than 4 copies wait for the same row',
    noticedBy: ['I2'],
    options: { only: ['I1', 'I2', 'I6'] },
    steps: {
      async isNew(key) {
        const waiting = Number(this.memory.get(key) ?? 0) + 1
        this.memory.set(key, waiting)
        await delay(laterMs)
        const isNew = correctSteps.isNew.call(this, key)
        if (waiting > 4) throw new Error('deadlock detected')
        return isNew
      },
    },
  },
  {
    name: 'compares an event with the last one only',
    noticedBy: ['I1'],
    steps: {
      isNew(key) {
        const isNew = this.memory.get('last') !== key
        this.memory.set('last', key)
        return isNew
      },
    },
  },
  {
    name: 'deduplicates by a hash of the body',
    noticedBy: ['I3?'],
    steps: { keyOf: (_event, body) => body.toString('base64') },
  },
  {
    name: 'deduplicates by type and target only',
    noticedBy: ['I4'],
    steps: { keyOf: ({ type, targetUuid, targetId }) => `${type} ${targetUuid ?? targetId}` },
  },
  {
    name: 'deduplicates before it verifies',
    noticedBy: ['I5'],
    steps: {
      isAuthentic(body, given) {
        const event = this.parse(body)
        const key = event ? `before ${this.keyOf(event, body)}` : ''
        const again = key !== '' && this.memory.has(key)
        this.memory.set(key, true)
        const authentic = correctSteps.isAuthentic.call(this, body, given)
        if (again && event) this.seen.add(this.keyOf(event, body))
        return authentic
      },
    },
  },
  {
    name: 'processes events before it verifies them',
    noticedBy: ['P1', 'S3', 'S4'],
    steps: {
      isAuthentic(body, given) {
        const event = this.parse(body)
        const key = event ? this.keyOf(event, body) : ''
        if (event && !this.seen.has(key)) {
          this.seen.add(key)
          this.process(event.type, event)
        }
        return correctSteps.isAuthentic.call(this, body, given)
      },
    },
  },
  {
    name: 'remembers an event, and does not process it if the client has gone',
    noticedBy: ['I6'],
    options: { only: ['I1', 'I2', 'I6'] },
    steps: {
      validate(event, request) {
        const key = this.keyOf(event, Buffer.of())
        if (!this.memory.has(key)) this.memory.set(key, request.socket)
        return true
      },
      async isNew(key) {
        const isNew = correctSteps.isNew.call(this, key)
        // In steps: the event loop reads between them that the client has gone, even if it was blocked for longer.
        for (let waited = 0; waited < laterMs; waited += laterMs / 10) await delay(laterMs / 10)
        const socket = this.memory.get(key)
        return isNew && socket instanceof Socket && !socket.destroyed
      },
    },
  },
  {
    name: 'ignores the removal of an item that it does not know',
    noticedBy: ['I7'],
    steps: {
      process(type, event) {
        const { targetUuid } = event
        if (type === 'ITEM_ADDED') this.memory.set(targetUuid, true)
        if (type === 'ITEM_REMOVED' && !this.memory.has(targetUuid)) return
        correctSteps.process.call(this, type, event)
      },
    },
  },
  {
    name: 'responds with 500 to events of more than a day ago',
    noticedBy: ['I8?'],
    steps: {
      validate({ createdAt }) {
        if (Date.now() - Date.parse(createdAt) < 24 * 3600 * 1000) return true
        throw new RangeError('The partition of this day is closed.')
      },
    },
  },
]
