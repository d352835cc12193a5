import type { Departures } from './departures.ts'
import { allOf, saysSame, type CustomHeader, type ReceivedHeaders } from './received-headers.ts'

/** What is said instead of a value, which may be a credential. */
export const configuredValue = 'the value configured on the endpoint'

/**
 * The custom headers configured on the dashboard come with every delivery (API documentation, "Delivery"). Neither what is configured nor what came is
 * ever put into a finding.
 */
export function checkCustomHeaders(
  custom: readonly CustomHeader[],
  received: ReceivedHeaders,
  departures: Departures,
): void {
  for (const { slot, values } of custom) {
    const place = `header.${slot.lowerName}`
    const came = allOf(received, slot)
    if (came.length === 0) {
      departures.add(
        'header.custom_missing',
        place,
        'This header is configured on the endpoint, and did not come.',
        { expected: configuredValue },
      )
    } else if (
      !came.every((one) => values.some((value) => saysSame(one, value))) ||
      !values.every((value) => came.some((one) => saysSame(one, value)))
    ) {
      departures.add(
        'header.custom_different',
        place,
        'The value of this header differs from the one configured on the endpoint.',
        { expected: configuredValue, actual: 'another value' },
      )
    }
  }
}
