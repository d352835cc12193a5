import { createHash } from 'node:crypto'
import { correctSteps, hmac, knownTypes, type Event, type Steps } from '../handler.ts'

/** A random change of one step of the correct handler. */
export interface Mutation {
  readonly name: string
  readonly steps: Partial<Steps>
  /** The groups of cases that can notice it. */
  readonly only: readonly string[]
}

const verifies = (change: (text: string) => string): Partial<Steps> => ({
  isAuthentic(body, given) {
    const changed = Buffer.from(change(body.toString('latin1')), 'latin1')
    return correctSteps.isAuthentic.call(this, changed, given)
  },
})
const requires = (accepted: (event: Event) => boolean): Partial<Steps> => ({
  validate: accepted,
})

/**
 * One mutation of each kind, with random parameters. Not among them is a change that no delivery can show: two effects instead of one for every event, since
 * that is the unit of the observer.
 */
export function mutations(seed: number): Mutation[] {
  const between = (name: string, from: number, to: number): number =>
    from +
    (createHash('sha256').update(`${seed}:${name}`).digest().readUInt32BE() % (to - from + 1))
  const pick = <T>(name: string, from: readonly T[]): T => {
    const found = from[between(name, 0, from.length - 1)]
    if (found === undefined) throw new RangeError('Cannot pick from an empty list')
    return found
  }
  const compared = between('compared', 0, 63)
  const verified = between('verified', 0, 100)
  const removed = pick('removed', [' ', '\n', '\r', '\\', '{', '0'])
  const limit = between('limit', 1, 255)
  const type = pick('type', [...knownTypes])
  const field = pick('field', ['locationUuid', 'locationName', 'locationId'])
  const status = pick('status', [200, 204, 302, 400, 500])
  const method = pick('method', ['GET', 'PUT'])
  const key = pick('key', ['', 'undefined', 'null', 'None'])
  const step = pick('step', ['isAuthentic', 'isNew', 'known types'] as const)
  const last = between('last', 1, 15)
  const precision = between('precision', 0, 16)
  const omitted = pick('omitted', ['type', 'targetUuid', 'createdAt'])
  const dropped: Readonly<Record<typeof step, Partial<Steps>>> = {
    isAuthentic: { isAuthentic: () => true },
    isNew: { isNew: () => true },
    'known types': {
      process() {
        this.effects += 1
      },
    },
  }
  return [
    { name: `without the step ${step}`, only: ['G6', 'I*'], steps: dropped[step] },
    {
      name: `compares the first ${compared} characters`,
      only: ['S*'],
      steps: {
        isAuthentic(body, given) {
          return given.slice(0, compared) === hmac(body, this.secret).slice(0, compared)
        },
      },
    },
    {
      name: `verifies the first ${verified} bytes`,
      only: ['S*'],
      steps: verifies((text) => text.slice(0, verified)),
    },
    {
      name: `removes ${JSON.stringify(removed)} before it verifies`,
      only: ['S*', 'B*'],
      steps: verifies((text) => text.replaceAll(removed, '')),
    },
    {
      name: `accepts up to ${limit} KiB`,
      only: ['G1', 'T3'],
      steps: {
        async readBody(request) {
          const body = await correctSteps.readBody.call(this, request)
          return body && body.length > limit * 1024 ? null : body
        },
      },
    },
    { name: `rejects ${type}`, only: ['G*'], steps: requires((event) => event.type !== type) },
    { name: `requires ${field}`, only: ['G*'], steps: requires((event) => field in event) },
    {
      name: `rejects with ${status === 400 ? 500 : status}`,
      only: ['S*'],
      steps: {
        reject: (response) => void response.writeHead(status === 400 ? 500 : status).end(),
      },
    },
    {
      name: `accepts with ${status < 300 ? 400 : status}`,
      only: ['G*'],
      steps: { accept: (response) => void response.writeHead(status < 300 ? 400 : status).end() },
    },
    {
      name: `acts on ${method}`,
      only: ['T9'],
      steps: {
        async receive(request, response) {
          if (request.method === method) request.method = 'POST'
          await correctSteps.receive.call(this, request, response)
        },
      },
    },
    {
      name: `accepts the key ${JSON.stringify(key)}`,
      only: ['S*'],
      steps: {
        isAuthentic(body, given) {
          return correctSteps.isAuthentic.call(this, body, given) || given === hmac(body, key)
        },
      },
    },
    {
      name: `closes a connection at request ${last + 1}`,
      only: ['T6'],
      steps: {
        async receive(request, response) {
          const socket: object = request.socket
          const requests = 'requests' in socket ? Number(socket.requests) + 1 : 1
          Object.assign(socket, { requests })
          if (requests > last) request.socket.destroy()
          else await correctSteps.receive.call(this, request, response)
        },
      },
    },
    {
      name: `deduplicates without ${omitted}`,
      only: ['I4'],
      steps: {
        keyOf: (event) =>
          JSON.stringify(
            ['type', 'targetUuid', 'createdAt'].map((key) => key !== omitted && event[key]),
          ),
      },
    },
    {
      name: `deduplicates with ${precision} characters of createdAt`,
      only: ['I*'],
      steps: {
        keyOf: ({ type: of, targetUuid, targetId, createdAt }) =>
          `${of} ${targetUuid ?? targetId} ${String(createdAt).slice(0, precision)}`,
      },
    },
  ]
}
