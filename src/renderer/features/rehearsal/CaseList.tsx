import { FlaskConical } from '../../ui/icons.tsx'
import { caseGroups } from '#catalogue/rehearsal/cases.ts'
import { formatCount } from '#shared/text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { truncate } from '../../ui/text/visible.ts'
import { rehearsalAddress } from '../../routes/rehearse.ts'
import { useLog } from '../../state/scope.ts'
import { resultLooks, ResultMark, shownResult, type CaseRow, type ShownResult } from './labels.tsx'

interface FiltersProps {
  readonly rows: readonly CaseRow[]
  readonly filter: ShownResult | 'all'
  readonly onFilter: (filter: ShownResult | 'all') => void
}

/** Shows all cases, or those with one result. */
export function CaseFilters({ rows, filter, onFilter }: FiltersProps) {
  const counts = Map.groupBy(rows, shownResult)
  return (
    <Row wrap fixed gap={2} pad={[3, 5]} line="bottom" role="group" aria-label="Show">
      <Button small aria-pressed={filter === 'all'} onClick={() => onFilter('all')}>
        All <Text tone="mid">{formatCount(rows.length)}</Text>
      </Button>
      {resultNames.map((name) => {
        const count = counts.get(name)?.length ?? 0
        if (count === 0 && name !== filter) return null
        const { icon: Icon, tone, word } = resultLooks[name]
        return (
          <Button
            key={name}
            small
            aria-pressed={name === filter}
            icon={<Icon className="tone-state" data-tone={tone} aria-hidden />}
            onClick={() => onFilter(name)}
          >
            {word} <Text tone="mid">{formatCount(count)}</Text>
          </Button>
        )
      })}
    </Row>
  )
}

const resultNames = ['fail', 'flaky', 'warn', 'review', 'pass', 'skipped', 'waiting'] as const

interface ListProps {
  readonly id: number
  readonly rows: readonly CaseRow[]
  readonly currentId: string | null
}

/** The cases by group. */
export function CaseList({ id, rows, currentId }: ListProps) {
  const groups = [
    ...caseGroups.map(({ id: group, label }) => ({
      label,
      rows: rows.filter(
        ({ definition }) => definition && 'group' in definition && definition.group === group,
      ),
    })),
    {
      label: 'OAuth client',
      rows: rows.filter(({ definition }) => definition && !('group' in definition)),
    },
    { label: 'Other', rows: rows.filter(({ definition }) => definition === undefined) },
  ].filter((group) => group.rows.length > 0)
  if (groups.length === 0) {
    return (
      <Empty icon={<FlaskConical aria-hidden />} title="No results">
        No case of this run has such a result.
      </Empty>
    )
  }
  return (
    <div className="grow shrink scroll">
      {groups.map((group) => (
        <section key={group.label} aria-label={group.label}>
          <Text as="h3" size="xs" weight="semibold" tone="dim" pad={[3, 5]} className="case-group">
            {group.label}
          </Text>
          <Stack as="ul" lined>
            {group.rows.map((row) => (
              <li key={row.id}>
                <CaseLink run={id} row={row} current={row.id === currentId} />
              </li>
            ))}
          </Stack>
        </section>
      ))}
    </div>
  )
}

function CaseLink(props: {
  readonly run: number
  readonly row: CaseRow
  readonly current: boolean
}) {
  const { run, row, current } = props
  const { reason = null, received = '' } = row.result ?? {}
  const log = useLog()
  return (
    <a
      className="list-row case-row size-s"
      href={rehearsalAddress(run, row.id, log)}
      aria-current={current || undefined}
      data-case={row.id}
      data-testid="case-row"
      data-result={shownResult(row)}
    >
      <ResultMark result={shownResult(row)} />
      <span className="mono rehearse-id">{row.id}</span>
      <span className="cut">
        <Shown text={truncate(row.title, 200)} />
      </span>
      <Text size="xs" tone="dim" cut className="case-received">
        <Shown text={truncate(received, 80)} />
      </Text>
      <Text size="xs" tone="dim">
        {row.level}
      </Text>
      {reason !== null && (
        <Text size="xs" tone="dim" cut className="case-reason">
          <Shown text={truncate(reason, 300)} />
        </Text>
      )}
    </a>
  )
}
