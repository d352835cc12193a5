import { formatDuration, plural } from '#shared/text/format.ts'
import type { Alarm } from './health.ts'

/** How one sentence names what an alarm is about. `time`: formats a time in milliseconds since the epoch. */
export interface AlarmNames {
  readonly endpoint: string
  readonly time: (at: number) => string
  /** Of a cause, by its code. */
  readonly cause: (code: string) => string
}

/** "No delivery at Pier 9 since 20:14; usually 38 in this hour." */
export function describeAlarm(alarm: Alarm, { endpoint, time, cause }: AlarmNames): string {
  const { usual, observed } = alarm
  switch (alarm.kind) {
    case 'silence':
      return `No delivery ${alarm.location === null ? `to ${endpoint}` : `at ${alarm.location}`} since ${time(alarm.since)}; usually ${Math.round(usual)} in this hour.`
    case 'signatures':
      return `${percent(observed)} of the deliveries to ${endpoint} in the last hour had an invalid or missing signature; usually ${percent(usual)}.`
    case 'handler':
      return `The handler of ${endpoint} failed for ${percent(observed)} of the forwarded deliveries in the last hour; usually ${percent(usual)}.`
    case 'delay':
      return `Half of the deliveries to ${endpoint} in the last hour arrived more than ${formatDuration(observed)} after they were created; usually ${formatDuration(usual)}.`
    case 'cause':
      return `A new cause at ${endpoint}, in ${plural(observed, 'delivery', 'deliveries')}: ${cause(alarm.code ?? '')}`
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
