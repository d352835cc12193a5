import { userAgentPrefix } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import { nothingToRepeat } from '#catalogue/findings.ts'
import type { FindingCollector, Values } from './finding-collector.ts'
import {
  allValues,
  headerEquals,
  type CustomHeader,
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

/** Headers that do not depend on the body (API documentation, "Delivery" and "Delivery headers"). */
export function checkSender(
  { plan, applicationId, userAgent }: HeaderRules,
  received: ReceivedHeaders,
  findings: FindingCollector,
): void {
  const { documented } = plan
  checkApplication(documented['application-id'], applicationId, received, findings)
  const agent = documented['user-agent']
  if (!every(received, agent, (value) => value.startsWith(userAgent))) {
    findings.add('header.user_agent', placeOf(agent), values(agent, `${userAgent}…`, received))
  }
  const type = documented['content-type']
  if (!every(received, type, isJson)) {
    findings.add('header.content_type', placeOf(type), values(type, 'application/json', received))
  }
  if (received.repeated) checkRepeated(plan, received, findings)
}

/** Headers that repeat fields of the body (API documentation, "Delivery headers"). */
export function checkEventHeaders(
  { plan: { documented } }: HeaderRules,
  payload: Payload,
  received: ReceivedHeaders,
  findings: FindingCollector,
): void {
  checkEcho('type', documented['event-type'], payload.type, received, findings)
  checkEcho('target_uuid', documented['target-uuid'], payload.targetUuid, received, findings)
  checkEcho('target_id', documented['target-id'], payload.targetId, received, findings)
}

function checkEcho(
  name: 'type' | 'target_uuid' | 'target_id',
  slot: Slot,
  value: unknown,
  received: ReceivedHeaders,
  findings: FindingCollector,
): void {
  const actual = received.first[slot.index]
  if (actual === value && !received.repeated) return
  const expected = echoed(value)
  // A value that is neither text nor number cannot be repeated in a header; its type is a finding of its own.
  if (expected === undefined) return
  if (actual === undefined) {
    if (expected === '') return
    findings.add(`header.${name}_missing`, placeOf(slot), { expected })
  } else if (!allValues(received, slot).every((text) => headerEquals(text, expected))) {
    findings.add(
      `header.${name}_mismatch`,
      placeOf(slot),
      values(slot, expected === '' ? nothingToRepeat : expected, received),
    )
  }
}

/** A body field as its header repeats it; empty: there is nothing to repeat; undefined: the header cannot repeat it. */
export function echoed(value: unknown): string | undefined {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : undefined
}

function checkApplication(
  slot: Slot,
  applicationId: string,
  received: ReceivedHeaders,
  findings: FindingCollector,
): void {
  const actual = received.first[slot.index]
  if (actual === undefined || (actual === '' && applicationId === '')) {
    findings.add(
      'header.application_id_missing',
      placeOf(slot),
      applicationId === '' ? {} : { expected: applicationId },
    )
  } else if (
    applicationId !== '' &&
    !allValues(received, slot).every((text) => headerEquals(text, applicationId))
  ) {
    findings.add(
      'header.application_id_mismatch',
      placeOf(slot),
      values(slot, applicationId, received),
    )
  }
}

function checkRepeated(
  { documented }: HeaderPlan,
  received: ReceivedHeaders,
  findings: FindingCollector,
): void {
  for (const slot of Object.values(documented)) {
    // The signature has its own code for this, because every value is checked.
    if (slot === documented.signature) continue
    const times = allValues(received, slot).length
    if (times < 2) continue
    findings.add('header.repeated', placeOf(slot), { expected: '1', actual: String(times) })
  }
}

function every(received: ReceivedHeaders, slot: Slot, fits: (value: string) => boolean): boolean {
  const first = received.first[slot.index]
  if (first === undefined) return false
  return received.repeated ? allValues(received, slot).every(fits) : fits(first)
}

/** Parameters such as `charset=utf-8` are allowed (RFC 9110, section 8.3.1). */
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
  const actual = allValues(received, slot)
  return actual.length === 0 ? { expected } : { expected, actual: actual.join(', ') }
}

/** Shown in findings in place of a configured value, which may be a credential. */
export const configuredValue = 'the value configured on the endpoint'

/** Custom headers must be sent with every delivery (API documentation, "Delivery"). Findings contain neither the configured nor the received value. */
export function checkCustomHeaders(
  custom: readonly CustomHeader[],
  received: ReceivedHeaders,
  findings: FindingCollector,
): void {
  for (const { slot, values } of custom) {
    const location = `header.${slot.lowerName}`
    const actual = allValues(received, slot)
    if (actual.length === 0) {
      findings.add('header.custom_missing', location, { expected: configuredValue })
    } else if (
      !actual.every((text) => values.some((value) => headerEquals(text, value))) ||
      !values.every((value) => actual.some((text) => headerEquals(text, value)))
    ) {
      findings.add('header.custom_different', location, {
        expected: configuredValue,
        actual: 'another value',
      })
    }
  }
}
