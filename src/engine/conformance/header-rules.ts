import { userAgentPrefix } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { KnownCode } from '#catalogue/finding-codes.ts'
import type { Departures, Values } from './departures.ts'
import {
  allOf,
  saysSame,
  type Documented,
  type HeaderPlan,
  type ReceivedHeaders,
  type Slot,
} from './received-headers.ts'

export interface HeaderRules {
  readonly plan: HeaderPlan
  /** Empty: any. */
  readonly applicationId: string
  readonly userAgent: string
}

export function headerRules(plan: HeaderPlan, brand: string, applicationId: string): HeaderRules {
  return { plan, applicationId: applicationId.trim(), userAgent: userAgentPrefix(brand) }
}

/** The headers that say the same whatever the body holds (API documentation, "Delivery" and "Delivery headers"). */
export function checkSender(
  { plan, applicationId, userAgent }: HeaderRules,
  received: ReceivedHeaders,
  departures: Departures,
): void {
  const { documented } = plan
  checkApplication(documented['application-id'], applicationId, received, departures)
  const agent = documented['user-agent']
  if (!every(received, agent, (value) => value.startsWith(userAgent))) {
    departures.add(
      'header.user_agent',
      placeOf(agent),
      'The user agent of every delivery starts with the brand and -WebhookAgent (API documentation, "Delivery").',
      values(agent, `${userAgent}…`, received),
    )
  }
  const type = documented['content-type']
  if (!every(received, type, isJson)) {
    departures.add(
      'header.content_type',
      placeOf(type),
      'Every delivery is sent as application/json (API documentation, "Delivery").',
      values(type, 'application/json', received),
    )
  }
  if (received.repeated) checkRepeated(plan, received, departures)
}

/** The headers that repeat what the body says (API documentation, "Delivery headers"). */
export function checkEventHeaders(
  { plan: { documented } }: HeaderRules,
  payload: Payload,
  received: ReceivedHeaders,
  departures: Departures,
): void {
  checkRepeatedly(echoes.type, documented, payload.type, received, departures)
  checkRepeatedly(echoes.uuid, documented, payload.targetUuid, received, departures)
  checkRepeatedly(echoes.id, documented, payload.targetId, received, departures)
}

interface Echo {
  readonly header: Documented
  readonly field: 'type' | 'targetUuid' | 'targetId'
  readonly missing: KnownCode
  readonly mismatch: KnownCode
}

const echoes = {
  type: {
    header: 'event-type',
    field: 'type',
    missing: 'header.type_missing',
    mismatch: 'header.type_mismatch',
  },
  uuid: {
    header: 'target-uuid',
    field: 'targetUuid',
    missing: 'header.target_uuid_missing',
    mismatch: 'header.target_uuid_mismatch',
  },
  id: {
    header: 'target-id',
    field: 'targetId',
    missing: 'header.target_id_missing',
    mismatch: 'header.target_id_mismatch',
  },
} as const satisfies Record<string, Echo>

function checkRepeatedly(
  { header, field, missing, mismatch }: Echo,
  documented: HeaderPlan['documented'],
  value: unknown,
  received: ReceivedHeaders,
  departures: Departures,
): void {
  const slot = documented[header]
  const came = received.first[slot.index]
  if (came === value && !received.repeated) return
  const told = echoed(value)
  // What is neither text nor number cannot stand in a header: its type is the finding.
  if (told === undefined) return
  if (came === undefined) {
    if (told === '') return
    departures.add(
      missing,
      placeOf(slot),
      `The body has a ${field}, and ${slot.name} should repeat it.`,
      { expected: told },
    )
  } else if (!allOf(received, slot).every((one) => saysSame(one, told))) {
    departures.add(
      mismatch,
      placeOf(slot),
      told === ''
        ? `${slot.name} has a value, but the body has no ${field}.`
        : `${slot.name} is not the ${field} of the body. Only the body is signed.`,
      values(slot, told === '' ? 'none' : told, received),
    )
  }
}

/** A field of the body as its header would have it; empty: there is nothing to repeat; undefined: it cannot be said. */
export function echoed(value: unknown): string | undefined {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : undefined
}

function checkApplication(
  slot: Slot,
  applicationId: string,
  received: ReceivedHeaders,
  departures: Departures,
): void {
  const came = received.first[slot.index]
  if (came === undefined || (came === '' && applicationId === '')) {
    departures.add(
      'header.application_id_missing',
      placeOf(slot),
      came === undefined
        ? 'Every delivery names the application that it is for (API documentation, "Delivery headers").'
        : 'The header has no value (API documentation, "Delivery headers").',
      applicationId === '' ? {} : { expected: applicationId },
    )
  } else if (
    applicationId !== '' &&
    !allOf(received, slot).every((one) => saysSame(one, applicationId))
  ) {
    departures.add(
      'header.application_id_mismatch',
      placeOf(slot),
      'The delivery names another application than the endpoint. Compare it with the integration’s page on the dashboard.',
      values(slot, applicationId, received),
    )
  }
}

function checkRepeated(
  { documented }: HeaderPlan,
  received: ReceivedHeaders,
  departures: Departures,
): void {
  for (const slot of Object.values(documented)) {
    // For the signature there is a code of its own, since every value is tried.
    if (slot === documented.signature) continue
    const times = allOf(received, slot).length
    if (times < 2) continue
    departures.add(
      'header.repeated',
      placeOf(slot),
      `${slot.name} came ${times} times. Which one a handler sees depends on its framework.`,
      { expected: '1', actual: String(times) },
    )
  }
}

function every(received: ReceivedHeaders, slot: Slot, fits: (value: string) => boolean): boolean {
  const first = received.first[slot.index]
  if (first === undefined) return false
  return received.repeated ? allOf(received, slot).every(fits) : fits(first)
}

/** Parameters such as `charset=utf-8` are fine (RFC 9110, 8.3.1). */
function isJson(value: string): boolean {
  if (value === 'application/json') return true
  const [media = ''] = value.split(';', 1)
  return media.trim().toLowerCase() === 'application/json'
}

function placeOf({ lowerName }: Slot): string {
  return `header.${lowerName}`
}

function values(slot: Slot, expected: string, received: ReceivedHeaders): Values {
  if (slot.isCustom) return {}
  const came = allOf(received, slot)
  return came.length === 0 ? { expected } : { expected, actual: came.join(', ') }
}
