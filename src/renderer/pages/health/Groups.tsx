import { healthGroupings } from '#contract/constants.ts'
import type { HealthGrouping, HealthOverview, HealthScope } from '#contract/health.ts'
import { formatCount } from '#shared/text/format.ts'
import { filterAddress } from '#client/addresses/deliveries.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { useGroups } from '#client/state/use-counts.ts'
import { Segments } from '#kit/Switch.tsx'
import { Shown } from '#kit/Shown.tsx'
import { ago } from '#kit/text/time.ts'
import { Time, useNow } from '#kit/Time.tsx'
import { endpointName } from '#parts/alerts.tsx'
import { listDeliveries } from './Charts.tsx'
import { formatShare, rangeFilter } from './specs.ts'

type Group = HealthOverview['groups'][number]

const groupingLabels = { endpoint: 'Endpoint', location: 'Location', type: 'Type' } as const

interface Props {
  overview: HealthOverview
  by: HealthGrouping
  scope: HealthScope
  onBy: (by: HealthGrouping) => void
  /** Narrows everything to a group. */
  onScope: (scope: HealthScope) => void
}

export function Groups({ overview, by, scope, onBy, onScope }: Props) {
  const now = useNow()
  const nameOf = useScopeNames()
  const all = overview.total.received
  const most = Math.max(1, ...overview.groups.map(({ total }) => total))
  return (
    <section
      className="framed grid gap-4 px-5 py-4 [&_.number]:text-right [&_.number]:[font-variant-numeric:tabular-nums] [&_.table_td:last-child]:w-auto [&_.table_td:last-child]:whitespace-nowrap [&_.table_th:first-child]:w-full [&_.table_th:first-child]:[font-weight:inherit] [&_.table_th:first-child]:wrap-anywhere [&_.table_th:first-child]:whitespace-normal [&_.table_th:last-child]:w-auto [&_.table_th:last-child]:whitespace-nowrap"
      aria-label="Groups"
    >
      <Segments
        label="Group by"
        value={by}
        options={healthGroupings.map((value) => ({ value, label: groupingLabels[value] }))}
        onChange={onBy}
      />
      {overview.groups.length === 0 ? (
        <p className="text-dim">No deliveries in this time.</p>
      ) : (
        <table className="table w-full" aria-label={`By ${by}`}>
          <thead>
            <tr>
              <th scope="col">{groupingLabels[by]}</th>
              <th scope="col" className="number">
                Deliveries
              </th>
              <th scope="col" className="number">
                Failed
              </th>
              <th scope="col" className="number">
                Last
              </th>
            </tr>
          </thead>
          <tbody>
            {overview.groups.map((group) => (
              <tr key={group.others ? ' others' : group.key}>
                <th scope="row">
                  {group.others ? (
                    'All others'
                  ) : (
                    <button
                      type="button"
                      className="text-left underline decoration-line-strong underline-offset-2 hover:decoration-current"
                      title={`Only ${nameOf(by, group.key)}`}
                      onClick={() => onScope({ ...scope, ...scopeOf(by, group.key) })}
                    >
                      <Shown text={nameOf(by, group.key)} max={60} />
                    </button>
                  )}
                  <span
                    className="mt-1 block h-1 rounded-full bg-(--chart-quiet)"
                    style={{ width: `${(group.total / most) * 100}%` }}
                    aria-hidden
                  />
                </th>
                <td className="number">
                  {formatCount(group.total)}
                  <span className="text-xs text-dim">
                    {' '}
                    {formatShare(all === 0 ? 0 : group.total / all)}
                  </span>
                </td>
                <td className="number">
                  <Failed group={group} />
                </td>
                <td className="number">
                  {group.lastAt === null ? (
                    '–'
                  ) : (
                    <Time at={group.lastAt}>{ago(group.lastAt, now)}</Time>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Failed({ group: { failed } }: { group: Group }) {
  return failed === 0 ? '0' : <b className="text-invalid">{formatCount(failed)}</b>
}

/** The name of a group or of a part of the scope. `*`: what has no group of its own. */
export function useScopeNames(): (by: HealthGrouping, key: string) => string {
  const endpoints = useEndpoints((state) => state.endpoints)
  return (by, key) => {
    if (key === '*') return 'Others'
    if (by !== 'endpoint') return key === '' ? `Without a ${by}` : key
    return key === '' ? 'Without an endpoint' : endpointName(endpoints, Number(key))
  }
}

function scopeOf(by: HealthGrouping, key: string): HealthScope {
  if (by === 'endpoint') return { endpointId: key === '' ? null : Number(key) }
  return { [by]: key }
}

interface CodesProps {
  overview: HealthOverview
  scope: HealthScope
}

/** Causes and findings of the stored deliveries of the range, each with a link to them. */
export function Codes({ overview, scope }: CodesProps) {
  return (
    <>
      <CodeList title="Causes" by="cause" overview={overview} scope={scope} />
      <CodeList title="Findings" by="finding" overview={overview} scope={scope} />
    </>
  )
}

const maxCodes = 12

interface CodeListProps extends CodesProps {
  title: string
  by: 'cause' | 'finding'
}

function CodeList({ title, by, overview, scope }: CodeListProps) {
  const { result } = useGroups({ filter: rangeFilter(overview, scope, ''), by })
  const groups = result?.groups ?? []
  if (groups.length === 0) return null
  const rest = groups.length - maxCodes
  return (
    <section className="framed grid gap-3 px-5 py-4" aria-label={title}>
      <h2 className="text-m">{title}</h2>
      <ul className="grid gap-2">
        {groups.slice(0, maxCodes).map(({ label, term, count }) => (
          <li className="baseline flex justify-between gap-4" key={term}>
            <span className="min-w-0 wrap-anywhere">
              <Shown text={label} />
            </span>
            <a
              href={filterAddress(rangeFilter(overview, scope, term), null)}
              onClick={() => listDeliveries()}
            >
              {formatCount(count)}
            </a>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="text-s text-dim">and {rest} more</p>}
    </section>
  )
}
