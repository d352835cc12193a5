import { useEffect } from 'react'
import type { DeliveryGroup } from '#contract/deliveries.ts'
import { withTerm } from '#contract/filter/edit.ts'
import { formatCount } from '#shared/text/format.ts'
import { queryOf, setFilterText, useDeliveries } from '#client/state/deliveries.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { filterFault } from '#client/state/filter.ts'
import { scoped, useEditable, useLog } from '#client/state/scope.ts'
import { useGroups } from '#client/state/use-counts.ts'
import { Icons } from '#kit/icons.tsx'
import { type Notice, Strip } from '#kit/Strip.tsx'
import { clockMinutes, shortDate } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { useNow } from '#kit/Time.tsx'
import { FixButton } from '#parts/FixButton.tsx'
import { useAlertNotices } from '#parts/alerts.tsx'
import { useHoldNotices } from '#parts/hold/hold-notices.tsx'

const useClosed = scoped<{ readonly keys: readonly string[] }>(() => ({ keys: [] }))

/** What needs attention above the list, the most urgent first. What the user closes stays closed until its cause changes. */
export function Notices() {
  const log = useLog()
  const editable = useEditable()
  const held = useHoldNotices()
  const filter = useDeliveries(queryOf)
  const { result } = useGroups({ filter, by: 'problem' })
  const problems = useProblemNotices(result?.groups ?? [])
  const alerts = useAlertNotices(result?.groups ?? [])
  const closed = useClosed(({ keys }) => keys)
  const notices = [...(editable ? [...held, ...alerts] : []), ...problems]
  const known = closed.filter((key) => notices.some((notice) => notice.key === key))
  // What ends and begins again is shown again. A filter only hides it.
  const forget = result !== null && filter === '' && known.length < closed.length
  useEffect(() => {
    if (forget) useClosed.of(log).setState({ keys: known })
  })
  const shown = notices.filter(({ key }) => !closed.includes(key))
  if (shown.length === 0) return null
  const close = (key: string) => (): void => useClosed.of(log).setState({ keys: [...closed, key] })
  return <Strip notices={shown.map((notice) => ({ ...notice, onClose: close(notice.key) }))} />
}

const day = 24 * 3_600_000

function useProblemNotices(groups: readonly DeliveryGroup[]): Notice[] {
  const live = useLog() === null
  const editable = useEditable()
  const text = useDeliveries(({ text, filter }) => (filterFault(text) === null ? text : filter))
  const endpoints = useEndpoints((state) => state.endpoints)
  const now = useNow()
  return groups.map(({ key, label, term, count, firstAt, last }) => {
    const cause = last.causes?.find(({ code }) => term.includes(`cause:${code}`))
    const endpoint = endpoints.find(({ id }) => id === last.endpointId)
    const since = now - firstAt < day ? clockMinutes(firstAt) : shortDate(firstAt)
    const where = live && endpoints.length > 1 && endpoint ? `, endpoint ${endpoint.name}` : ''
    return {
      key: `problem ${key}`,
      kind: 'problem',
      tone: 'invalid',
      icon: Icons.CircleAlert,
      sentence: (
        <>
          <b>{formatCount(count)}</b> {shortText(label, 160)}{' '}
          <span className="text-mid">{shortText(`since ${since}${where}`, 120)}</span>
        </>
      ),
      title: `Show these deliveries: ${label}`,
      onOpen: () => setFilterText(withTerm(text, term)),
      actions: editable && cause && (
        <FixButton small cause={cause} endpointId={last.endpointId} deliveryId={last.id} />
      ),
    }
  })
}
