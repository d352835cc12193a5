import { healthGroupings } from '#contract/constants.ts'
import type { HealthGrouping, HealthOverview, HealthScope } from '#contract/health.ts'
import { formatCount } from '#shared/text/format.ts'
import { filterAddress } from '../../routes/deliveries.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { useGroups } from '../../state/use-counts.ts'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { ago } from '../../ui/text/time.ts'
import { Time, useNow } from '../../ui/Time.tsx'
import { endpointName } from './alert-notices.tsx'
import { listDeliveries } from './Charts.tsx'
import { formatShare, rangeFilter } from './specs.ts'

type Group = HealthOverview['groups'][number]

const groupingLabels = { endpoint: 'Endpoint', location: 'Location', type: 'Type' } as const

interface Props {
  readonly overview: HealthOverview
  readonly by: HealthGrouping
  readonly scope: HealthScope
  readonly onBy: (by: HealthGrouping) => void
  /** Narrows everything to a group. */
  readonly onScope: (scope: HealthScope) => void
}

export function Groups({ overview, by, scope, onBy, onScope }: Props) {
  const now = useNow()
  const nameOf = useScopeNames()
  const all = overview.total.received
  const most = Math.max(1, ...overview.groups.map(({ total }) => total))
  return (
    <Stack as="section" gap={4} className="health-groups framed" aria-label="Groups">
      <Segments
        label="Group by"
        value={by}
        options={healthGroupings.map((value) => ({ value, label: groupingLabels[value] }))}
        onChange={onBy}
      />
      {overview.groups.length === 0 ? (
        <Text as="p" tone="dim">
          No deliveries in this time.
        </Text>
      ) : (
        <table className="table" aria-label={`By ${by}`}>
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
                      className="health-group"
                      title={`Only ${nameOf(by, group.key)}`}
                      onClick={() => onScope({ ...scope, ...scopeOf(by, group.key) })}
                    >
                      <Shown text={nameOf(by, group.key)} max={60} />
                    </button>
                  )}
                  <span
                    className="health-share"
                    style={{ width: `${(group.total / most) * 100}%` }}
                    aria-hidden
                  />
                </th>
                <td className="number">
                  {formatCount(group.total)}
                  <Text tone="dim" size="xs">
                    {' '}
                    {formatShare(all === 0 ? 0 : group.total / all)}
                  </Text>
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
    </Stack>
  )
}

function Failed({ group: { failed } }: { readonly group: Group }) {
  return failed === 0 ? '0' : <b className="tone-invalid">{formatCount(failed)}</b>
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
  readonly overview: HealthOverview
  readonly scope: HealthScope
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
  readonly title: string
  readonly by: 'cause' | 'finding'
}

function CodeList({ title, by, overview, scope }: CodeListProps) {
  const { result } = useGroups({ filter: rangeFilter(overview, scope, ''), by })
  const groups = result?.groups ?? []
  if (groups.length === 0) return null
  const rest = groups.length - maxCodes
  return (
    <Stack as="section" gap={3} className="health-codes framed" aria-label={title}>
      <h2 className="size-m">{title}</h2>
      <Stack as="ul" gap={2}>
        {groups.slice(0, maxCodes).map(({ label, term, count }) => (
          <Row as="li" key={term} gap={4} align="baseline" justify="between">
            <Text shrink anywhere>
              <Shown text={label} />
            </Text>
            <a
              href={filterAddress(rangeFilter(overview, scope, term), null)}
              onClick={() => listDeliveries()}
            >
              {formatCount(count)}
            </a>
          </Row>
        ))}
      </Stack>
      {rest > 0 && (
        <Text as="p" tone="dim" size="s">
          and {rest} more
        </Text>
      )}
    </Stack>
  )
}
