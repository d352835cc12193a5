import { isCauseCode, causeTitle } from '#catalogue/cause-titles.ts'
import { findingCodes } from '#catalogue/findings.ts'
import { healthGroupings } from '#contract/constants.ts'
import { printExact } from '#contract/filter/print.ts'
import type { HealthGrouping, HealthOverview, HealthScope } from '#contract/health.ts'
import { formatCount } from '#shared/text/format.ts'
import { filterAddress } from '../../routes/deliveries.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { useEditable, useLog } from '../../state/scope.ts'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { ago } from '../../ui/text/time.ts'
import { truncate } from '../../ui/text/visible.ts'
import { Time } from '../../ui/Time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { endpointName } from './AlertStrip.tsx'
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
  const nameOf = useScopeNames(overview.endpoints)
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
                      <Shown text={truncate(nameOf(by, group.key), 60)} />
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

/** The name of a group or of a part of the scope. `*`: what is beyond the maximum number of combinations. */
export function useScopeNames(
  counted: HealthOverview['endpoints'],
): (by: HealthGrouping, key: string) => string {
  const live = useEndpoints((state) => state.endpoints)
  const endpoints = useEditable() ? live : counted
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

const findingTitles: ReadonlyMap<string, string> = new Map(
  findingCodes.map(({ code, title }) => [code, title]),
)

interface CodesProps {
  readonly overview: HealthOverview
  readonly scope: HealthScope
}

/** Causes and findings of the range, each with a link to its deliveries. */
export function Codes({ overview, scope }: CodesProps) {
  return (
    <>
      <CodeList
        title="Causes"
        codes={overview.causes}
        titleOf={(code) => (isCauseCode(code) ? causeTitle(code) : code)}
        filterOf={(code) => rangeFilter(overview, scope, `cause:${printExact(code)}`)}
      />
      <CodeList
        title="Findings"
        codes={overview.findings}
        titleOf={(code) => findingTitles.get(code) ?? code}
        filterOf={(code) => rangeFilter(overview, scope, `finding:${printExact(code)}`)}
      />
    </>
  )
}

const maxCodes = 12

interface CodeListProps {
  readonly title: string
  readonly codes: HealthOverview['causes']
  readonly titleOf: (code: string) => string
  readonly filterOf: (code: string) => string
}

function CodeList({ title, codes, titleOf, filterOf }: CodeListProps) {
  const log = useLog()
  if (codes.length === 0) return null
  const rest = codes.length - maxCodes
  return (
    <Stack as="section" gap={3} className="health-codes framed" aria-label={title}>
      <h2 className="size-m">{title}</h2>
      <Stack as="ul" gap={2}>
        {codes.slice(0, maxCodes).map(({ code, count }) => (
          <Row as="li" key={code} gap={4} align="baseline" justify="between">
            <Text shrink anywhere>
              <Shown text={titleOf(code)} />
            </Text>
            <a
              href={filterAddress(filterOf(code), log)}
              title={`Show deliveries with ${code}`}
              onClick={() => listDeliveries(log)}
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
