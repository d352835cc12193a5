import { causeTitle } from '#catalogue/cause-titles.ts'
import type { DeliveryGroup } from '#contract/deliveries.ts'
import type { Alert } from '#contract/health.ts'
import { describeAlert } from '#contract/health-alerts.ts'
import { toast, toastError } from '#kit/toasts.ts'
import type { Client } from '#client/client.ts'
import { useClient } from '#client/use-client.ts'
import { useEndpoints, useHealth } from '#client/state/live-values.ts'
import { Button } from '#kit/Button.tsx'
import { Icons } from '#kit/icons.tsx'
import type { Notice } from '#kit/Strip.tsx'
import { clockMinutes, dayTime } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { useNow } from '#kit/Time.tsx'

export const hourMs = 3_600_000

/** What is wrong now, without a new cause that `problems` name, which have a fix. */
export function useAlertNotices(problems: readonly DeliveryGroup[]): Notice[] {
  const client = useClient()
  const alerts = useHealth((state) => state.alerts)
  const describe = useAlertText()
  const isListed = ({ code, endpointId }: Alert): boolean =>
    problems.some(
      ({ last }) =>
        last.endpointId === endpointId && last.causes?.some((cause) => cause.code === code),
    )
  const others = alerts.filter((alert) => !isListed(alert))
  return others.map((alert) => ({
    key: `alert ${alert.id}`,
    kind: 'alert',
    tone: 'invalid',
    icon: Icons.TriangleAlert,
    sentence: describe(alert),
    title: describe(alert),
    actions: (
      <>
        <a className="button" data-kind="plain" data-small href="#/health/alerts">
          Show
        </a>
        <Button small onClick={() => snooze(client, alert.endpointId, Date.now() + hourMs)}>
          Snooze 1 h
        </Button>
      </>
    ),
  }))
}

/** The sentence of an alert, with the names of endpoints and times as the page shows them. */
export function useAlertText(): (alert: Alert) => string {
  const endpoints = useEndpoints((state) => state.endpoints)
  const now = useNow()
  return (alert) =>
    describeAlert(
      { ...alert, location: alert.location && shortText(alert.location, 60) },
      {
        endpoint: endpointName(endpoints, alert.endpointId),
        time: (at) =>
          new Date(at).toDateString() === new Date(now).toDateString()
            ? clockMinutes(at)
            : dayTime(at, now),
        cause: causeTitle,
      },
    )
}

export function endpointName(
  endpoints: readonly { readonly id: number; readonly name: string }[],
  id: number,
): string {
  const name = endpoints.find((endpoint) => endpoint.id === id)?.name
  return name === undefined ? `endpoint ${id}` : shortText(name, 60)
}

/** Hides the alerts of an endpoint until then; null: shows them again. */
export function snooze(client: Client, endpointId: number, until: number | null): void {
  client.call('health.setRule', { endpointId, snoozedUntil: until }).then(() => {
    if (until === null) return
    const name = endpointName(useEndpoints.getState().endpoints, endpointId)
    toast('valid', `Alerts of ${name} are snoozed until ${dayTime(until, Date.now())}.`, {
      action: { label: 'Undo', run: () => snooze(client, endpointId, null) },
    })
  }, toastError)
}
