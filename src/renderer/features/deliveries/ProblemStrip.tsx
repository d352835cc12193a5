import { useState } from 'react'
import type { DeliveryGroup } from '#contract/deliveries.ts'
import { withTerm } from '#contract/filter/edit.ts'
import { formatCount } from '#shared/text/format.ts'
import { queryOf, setFilterText, useDeliveries } from '../../state/deliveries.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { filterFault } from '../../state/filter.ts'
import { useEditable, useLog } from '../../state/scope.ts'
import { clockMinutes, shortDate } from '../../ui/text/time.ts'
import { escapeControls, truncate } from '../../ui/text/visible.ts'
import { FixButton } from '../fixes/index.ts'
import { useNow } from '../../ui/use-now.ts'
import { useGroups } from '../../state/use-counts.ts'
import './ProblemStrip.css'

const maxShown = 3
const day = 24 * 3_600_000

/** What is wrong with the listed deliveries, by cause and outcome. Each line filters the list, and has a button that helps. */
export function ProblemStrip() {
  const filter = useDeliveries(queryOf)
  const { result } = useGroups({ filter, by: 'problem' })
  const [all, setAll] = useState(false)
  const groups = result?.groups ?? []
  if (groups.length === 0) return null
  const more = groups.length - maxShown
  return (
    <ul className="problems" aria-label="Problems">
      {(all ? groups : groups.slice(0, maxShown)).map((group) => (
        <Problem key={group.key} group={group} />
      ))}
      {more > 0 && (
        <li>
          <span />
          <button type="button" className="problem" onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `${more} more`}
          </button>
        </li>
      )}
    </ul>
  )
}

function Problem({
  group: { label, term, count, firstAt, last },
}: {
  readonly group: DeliveryGroup
}) {
  const log = useLog()
  const now = useNow()
  const editable = useEditable()
  const text = useDeliveries(({ text, filter }) => (filterFault(text) === null ? text : filter))
  const several = useEndpoints(({ endpoints }) => endpoints.length > 1)
  const endpoint = useEndpoints(({ endpoints }) =>
    endpoints.find(({ id }) => id === last.endpointId),
  )
  const cause = last.causes?.find(({ code }) => term.includes(`cause:${code}`))
  const since = now - firstAt < day ? clockMinutes(firstAt) : shortDate(firstAt)
  const details = [
    `since ${since}`,
    ...(log === null && several && endpoint ? [`endpoint ${endpoint.name}`] : []),
  ]
  return (
    <li>
      <b>{formatCount(count)}</b>
      <button
        type="button"
        className="problem cut"
        title={`Show these deliveries: ${label}`}
        onClick={() => setFilterText(withTerm(text, term))}
      >
        {escapeControls(truncate(label, 160))}{' '}
        <span className="dim">{escapeControls(truncate(details.join(', '), 120))}</span>
      </button>
      {editable && cause && (
        <FixButton small cause={cause} endpointId={last.endpointId} deliveryId={last.id} />
      )}
    </li>
  )
}
