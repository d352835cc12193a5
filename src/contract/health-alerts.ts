import { formatDuration, plural } from '#shared/text/format.ts'
import { likeHoursNeeded } from './constants.ts'
import type { Alert, HealthAlerts } from './health.ts'

/** How one sentence names what an alert is about. `time`: formats a time in milliseconds since the epoch. */
export interface AlertNames {
  readonly endpoint: string
  readonly time: (at: number) => string
  /** Of a cause, by its code. */
  readonly cause: (code: string) => string
}

/** "No delivery at Pier 9 since 20:14; usually 38 in this hour." */
export function describeAlert(alert: Alert, { endpoint, time, cause }: AlertNames): string {
  const { usual, observed } = alert
  switch (alert.kind) {
    case 'silence':
      return `No delivery ${alert.location === null ? `to ${endpoint}` : `at ${alert.location}`} since ${time(alert.since)}; usually ${Math.round(usual)} in this hour.`
    case 'signatures':
      return `${percent(observed)} of the deliveries to ${endpoint} in the last hour had an invalid or missing signature${usually(usual)}.`
    case 'handler':
      return `The handler of ${endpoint} failed for ${percent(observed)} of the forwarded deliveries in the last hour${usually(usual)}.`
    case 'delay':
      return `Half of the deliveries to ${endpoint} in the last hour arrived more than ${formatDuration(observed)} after they were created; usually ${formatDuration(usual)}.`
    case 'cause':
      return `A new cause at ${endpoint}, in ${plural(observed, 'delivery', 'deliveries')}: ${cause(alert.code ?? '')}`
  }
}

/** From when silence and delay are known; null: now. */
export function describeLearning(learned: HealthAlerts['learned']): string | null {
  const missing = likeHoursNeeded - Math.min(...learned.map(({ hours }) => hours))
  const left = ['one week', 'two weeks', 'three weeks'][missing - 1]
  return left === undefined
    ? null
    : `Learning what is usual: about ${left} left, until silence and delay alert. Failures and new causes alert now.`
}

/** Of a share that may not be known yet. */
function usually(usual: number): string {
  return usual === 0 ? '' : `; usually ${percent(usual)}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
