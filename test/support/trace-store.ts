import { inspect } from '#engine/payload/inspect.ts'
import { delivery, type GroupItem } from './groups.ts'

/** Start time of the events in these tests, in milliseconds since the epoch. */
export const evening = Date.parse('2026-03-14T20:41:00.000Z')

/** The common properties of a payload, `seconds` after the start time. */
export function event(
  type: string,
  seconds: number,
  rest: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    type,
    locationUuid: 'loc-9',
    locationName: 'Pier 9',
    createdAt: new Date(evening + seconds * 1000).toISOString(),
    data: {},
    ...rest,
  }
}

/** A stored payload that was received this number of seconds after the start time; default: half a second after it was created. */
export function arrived(
  id: number,
  payload: unknown,
  arrivedSeconds?: number,
  spacing?: number,
): GroupItem {
  const body = Buffer.from(JSON.stringify(payload, null, spacing))
  const inspected = inspect({ method: 'POST', rawHeaders: [], body, arrival: 'complete' }, null, '')
  const at =
    arrivedSeconds === undefined
      ? (inspected.createdAt ?? evening) + 500
      : evening + arrivedSeconds * 1000
  return delivery(id, {
    body,
    type: inspected.type,
    target: inspected.target,
    locationName: inspected.locationName,
    createdAt: inspected.createdAt,
    receivedUs: Math.round(at * 1000),
  })
}
