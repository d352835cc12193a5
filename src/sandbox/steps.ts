import { eventTypeOf, eventTypes } from '#catalogue/catalogue.ts'
import type { SampleSource } from '#catalogue/define.ts'
import type { Payload } from '#catalogue/payload.ts'
import { location } from './bar.ts'
import { SandboxError } from './errors.ts'
import { bodyWith } from './request.ts'
import type { Random } from './random.ts'

/** The body of a delivery is built at the time of sending, because `createdAt` is that time. */
export interface Step {
  readonly type: string
  /** Steps of one lane are sent in order, each after the response to the previous one. */
  readonly lane: string
  /** Who caused the event, for the throttle of QR codes. Not part of the body. */
  readonly customer: string | null
  /** Applied to the body, such as `data.total=12`. */
  readonly overrides?: readonly string[]
  payload(now: Date): Payload
}

/** An event at the sandbox's bar. The keys have the order of the table in the API documentation. */
export function envelope(
  type: string,
  event: Pick<Payload, 'targetUuid' | 'targetId' | 'data'>,
  now: Date,
): Payload {
  const { targetUuid, targetId, data } = event
  return {
    type,
    ...(targetUuid === undefined ? {} : { targetUuid }),
    ...(targetId === undefined ? {} : { targetId }),
    locationUuid: location.uuid,
    locationName: location.name,
    locationId: location.id,
    createdAt: now.toISOString(),
    data,
  }
}

export function sampleSource(random: Random, brand: string, now: Date): SampleSource {
  const { uuid, between, pick } = random
  return { now, uuid, between, pick, brand, location }
}

/** A realistic sample. Throws `SandboxError` (`unknown_type`). */
export function samplePayload(type: string, source: SampleSource): Payload {
  const known = eventTypeOf(type)
  if (!known) {
    const all = eventTypes.map((eventType) => eventType.type).join(', ')
    throw new SandboxError('unknown_type', `Unknown event type “${type}”. Use one of: ${all}.`)
  }
  return envelope(type, known.sample(source), source.now)
}

export interface SampleOptions {
  readonly random: Random
  readonly brand: string
  readonly overrides?: readonly string[]
  readonly count?: number
}

/**
 * `count` rounds with one delivery of each given type. A round is a lane; rounds do not wait for each other. Throws `SandboxError` (`unknown_type`,
 * `bad_set`) at the first step, before anything is sent.
 */
export function* sampleSteps(
  types: readonly string[],
  options: SampleOptions,
): Generator<Step, void, void> {
  const { random, brand, overrides = [], count = 1 } = options
  const make = (type: string, now: Date) => samplePayload(type, sampleSource(random, brand, now))
  for (const type of types) bodyWith(make(type, new Date(0)), overrides)
  for (let round = 0; round < count; round += 1)
    for (const type of types)
      yield {
        type,
        lane: `round ${round}`,
        customer: null,
        overrides,
        payload: (now) => make(type, now),
      }
}

export function allTypes(): readonly string[] {
  return eventTypes.map(({ type }) => type)
}
