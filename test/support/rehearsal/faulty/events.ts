import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { correctSteps, knownTypes, type Event } from '../handler.ts'
import { fault, type FaultyHandler } from './define.ts'

const requiring = (name: string, noticedBy: string, accepted: (event: Event) => boolean) =>
  fault(name, noticedBy, { validate: accepted })

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
  requiring(
    'does not know LOCATION_UPDATED, and responds with 400',
    'G1',
    ({ type }) => type !== 'LOCATION_UPDATED',
  ),
  requiring('requires targetUuid', 'G1 G3', ({ targetUuid }) => Boolean(targetUuid)),
  requiring(
    'has a schema in which targetUuid of CATEGORY_UPDATED is null, and not optional',
    'G3',
    ({ type, targetUuid }) => type !== 'CATEGORY_UPDATED' || targetUuid === null,
  ),
  requiring('requires locationUuid', 'G2', ({ locationUuid }) => typeof locationUuid === 'string'),
  requiring(
    'reads the total of every tab that is opened',
    'G4',
    ({ type, data }) => type !== 'OPEN_TAB' || data.total.toFixed(2) !== '',
  ),
  requiring('rejects unknown fields', 'G5', (event) =>
    Object.keys(event).every((key) => commonFields.has(key)),
  ),
  requiring('responds with 400 to unknown event types', 'G6', ({ type }) => knownTypes.has(type)),
  fault('compares header names with their case', 'G7', {
    signatureOf({ rawHeaders }) {
      return rawHeaders[rawHeaders.indexOf('X-Service-Signature') + 1] ?? ''
    },
  }),
  fault('accepts signed bodies that are not events', 'B7', {
    parse(body) {
      return correctSteps.parse.call(this, body) ?? { type: 'unknown', data: {} }
    },
  }),
  fault('ends when the body is nested too deeply', 'B7', {
    parse(body) {
      if (body.toString().startsWith('[[[[')) this.crash()
      return correctSteps.parse.call(this, body)
    },
  }),
  fault('looks up keys of the body in an object literal', 'B8', {
    parse(body) {
      const event = correctSteps.parse.call(this, body)
      const labels: Record<string, string> = { type: 'Type', data: 'Data' }
      for (const key of Object.keys({ ...event, ...event?.data })) labels[key]?.trim()
      return event
    },
  }),
]

/** How long a database takes, in milliseconds. Long enough for two requests that follow each other to overlap on a slow computer. */
const laterMs = 300

export const effectFaults: readonly FaultyHandler[] = [
  fault('does not deduplicate', 'I1 I2 I3? I6', { isNew: () => true }),
  {
    ...fault('deduplicates in two steps, with a race between them', 'I2 I6', {
      async isNew(key) {
        const known = this.seen.has(key)
        // The second copy must arrive before this ends, also on a slow computer.
        await delay(1000)
        this.seen.add(key)
        return !known
      },
    }),
    options: { only: ['I1', 'I2', 'I6'] },
  },
  {
    ...fault('fails with a deadlock when more than 4 copies wait for the same row', 'I2', {
      async isNew(key) {
        const waiting = Number(this.memory.get(key) ?? 0) + 1
        this.memory.set(key, waiting)
        await delay(laterMs)
        const isNew = correctSteps.isNew.call(this, key)
        if (waiting > 4) throw new Error('deadlock detected')
        return isNew
      },
    }),
    options: { only: ['I1', 'I2', 'I6'] },
  },
  fault('compares an event with the last one only', 'I1', {
    isNew(key) {
      const isNew = this.memory.get('last') !== key
      this.memory.set('last', key)
      return isNew
    },
  }),
  fault('deduplicates by a hash of the body', 'I3?', {
    keyOf: (_event, body) => body.toString('base64'),
  }),
  fault('deduplicates by type and target only', 'I4', {
    keyOf: ({ type, targetUuid, targetId }) => `${type} ${targetUuid ?? targetId}`,
  }),
  fault('deduplicates before it verifies', 'I5', {
    isAuthentic(body, given) {
      const event = this.parse(body)
      const key = event ? `before ${this.keyOf(event, body)}` : ''
      const again = key !== '' && this.memory.has(key)
      this.memory.set(key, true)
      const authentic = correctSteps.isAuthentic.call(this, body, given)
      if (again && event) this.seen.add(this.keyOf(event, body))
      return authentic
    },
  }),
  fault('processes events before it verifies them', 'P1 S3 S4', {
    isAuthentic(body, given) {
      const event = this.parse(body)
      const key = event ? this.keyOf(event, body) : ''
      if (event && !this.seen.has(key)) {
        this.seen.add(key)
        this.process(event.type, event)
      }
      return correctSteps.isAuthentic.call(this, body, given)
    },
  }),
  {
    ...fault('remembers an event, and does not process it if the client has gone', 'I6', {
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
    }),
    options: { only: ['I1', 'I2', 'I6'] },
  },
  fault('ignores the removal of an item that it does not know', 'I7', {
    process(type, event) {
      const { targetUuid } = event
      if (type === 'ITEM_ADDED') this.memory.set(targetUuid, true)
      if (type === 'ITEM_REMOVED' && !this.memory.has(targetUuid)) return
      correctSteps.process.call(this, type, event)
    },
  }),
  fault('responds with 500 to events of more than a day ago', 'I8?', {
    validate({ createdAt }) {
      if (Date.now() - Date.parse(createdAt) < 24 * 3600 * 1000) return true
      throw new RangeError('The partition of this day is closed.')
    },
  }),
]
