import { causeTitle } from '#catalogue/cause-titles.ts'
import { describeAlarm } from '#contract/health-alarms.ts'
import type { Alarm } from '#contract/health.ts'
import type { Endpoint } from '#contract/models.ts'
import { formatClock, formatTime } from './text.ts'

const dayMs = 86_400_000

/** The sentence of an alarm. A time of another day has its date. */
export function alarmText(
  alarm: Alarm,
  endpoints: readonly Pick<Endpoint, 'id' | 'name'>[],
): string {
  const endpoint = endpoints.find(({ id }) => id === alarm.endpointId)?.name
  return describeAlarm(alarm, {
    endpoint: endpoint ?? `endpoint ${alarm.endpointId}`,
    time: (at) => (Date.now() - at < dayMs / 2 ? formatClock(at) : formatTime(at)),
    cause: causeTitle,
  })
}
