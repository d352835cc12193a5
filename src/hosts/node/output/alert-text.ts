import { causeTitle } from '#catalogue/cause-titles.ts'
import { describeAlert } from '#contract/health-alerts.ts'
import type { Alert } from '#contract/health.ts'
import type { Endpoint } from '#contract/models.ts'
import { formatClock, formatTime } from './text.ts'

const dayMs = 86_400_000

export function alertText(
  alert: Alert,
  endpoints: readonly Pick<Endpoint, 'id' | 'name'>[],
): string {
  const endpoint = endpoints.find(({ id }) => id === alert.endpointId)?.name
  return describeAlert(alert, {
    endpoint: endpoint ?? `endpoint ${alert.endpointId}`,
    time: (at) => (Date.now() - at < dayMs / 2 ? formatClock(at) : formatTime(at)),
    cause: causeTitle,
  })
}
