import type { Payload } from '#catalogue/payload.ts'
import type { HeaderCheck } from '#contract/deliveries.ts'
import type { Verdict } from '#contract/models.ts'
import { configuredValue } from './custom-headers.ts'
import { echoed } from './header-rules.ts'
import type { Slot } from './received-headers.ts'
import type { EndpointRules } from './rules.ts'

/** What the breakdown says of one header beside what it is. */
export type Told = Pick<HeaderCheck, 'expected' | 'agrees' | 'note'>

/** What should come under a name, in words or as a value; null: nobody can say. Never what is configured for a custom header. */
export function expectation(
  slot: Slot,
  { headers: { plan, applicationId, userAgent } }: EndpointRules,
  payload: Payload | null,
): string | null {
  const { documented } = plan
  // What is configured for a header of the document may be a credential like every other.
  if (slot.isCustom) return configuredValue
  switch (slot) {
    case documented['event-type']:
      return repeatedField(payload, payload?.type)
    case documented['target-uuid']:
      return repeatedField(payload, payload?.targetUuid)
    case documented['target-id']:
      return repeatedField(payload, payload?.targetId)
    case documented['application-id']:
      return applicationId === '' ? null : applicationId
    case documented['user-agent']:
      return `starts with ${userAgent}`
    case documented['content-type']:
      return 'application/json'
    default:
      return null
  }
}

function repeatedField(payload: Payload | null, value: unknown): string | null {
  if (payload === null) return null
  const told = echoed(value)
  return told === '' ? 'none' : told === undefined ? null : told.slice(0, 2000).toWellFormed()
}

/** For a header about which nothing was found: it agrees, or there is nothing to compare it with. */
export function whyNotTold(
  slot: Slot,
  { headers: { plan, applicationId } }: EndpointRules,
  payload: Payload | null,
): Pick<HeaderCheck, 'agrees' | 'note'> {
  const { documented } = plan
  const fields: Partial<Record<string, unknown>> = {
    [documented['event-type'].lowerName]: payload?.type,
    [documented['target-uuid'].lowerName]: payload?.targetUuid,
    [documented['target-id'].lowerName]: payload?.targetId,
  }
  if (Object.hasOwn(fields, slot.lowerName)) {
    if (payload === null) {
      return {
        agrees: null,
        note: 'The body is no JSON object, so there is nothing to compare with.',
      }
    }
    if (echoed(fields[slot.lowerName]) === undefined) {
      return { agrees: null, note: 'The field of the body is no text, so it cannot be compared.' }
    }
  }
  if (slot === documented['application-id'] && applicationId === '' && !slot.isCustom) {
    return { agrees: null, note: 'Set the application ID on the endpoint to have it compared.' }
  }
  return { agrees: true, note: null }
}

/** The signature has a verdict, and no finding. */
export function signatureTold(verdict: Verdict): Told {
  const expected = 'hex HMAC-SHA256 of the body'
  switch (verdict) {
    case 'valid':
      return { expected, agrees: true, note: null }
    case 'invalid':
      return {
        expected,
        agrees: false,
        note: 'It is not the signature of this body under a secret of the endpoint.',
      }
    case 'missing':
      return { expected, agrees: false, note: 'The endpoint has a secret, but no signature came.' }
    case 'unsigned':
    case 'unchecked':
      return {
        expected,
        agrees: null,
        note: 'There was no secret to check it with.',
      }
  }
}
