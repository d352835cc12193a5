import { formatCount } from '#shared/text/format.ts'
import { useState } from 'react'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { FindingKind, TypeConformance } from '#contract/deliveries.ts'
import { Icons } from '#kit/icons.tsx'
import { Button } from '#kit/Button.tsx'
import { EventIcon } from '#parts/EventIcon.tsx'
import { SeverityIcon, severityTone } from '#kit/Mark.tsx'
import { Shown } from '#kit/Shown.tsx'
import { DeliveryMoment, filterFor, FilterLink } from './links.tsx'
import { findingTitle, locationLabel } from './summary.ts'

const initialFindings = 12
const initialTypes = 60

export function TypesTable({ name, types }: { name: string; types: readonly TypeConformance[] }) {
  const [all, setAll] = useState(false)
  const visibleRows = all ? types : types.slice(0, initialTypes)
  return (
    <>
      <div className="relative min-w-0 overflow-x-auto">
        <table
          className="conformance-table w-full min-w-[calc(var(--measure-text)_+_var(--measure-label))] table-fixed border-separate rounded-lg border border-line bg-surface normal-nums [&_thead_th:nth-child(2)]:w-[21%] [&_thead_th:nth-child(3)]:w-(--measure-key)"
          aria-label={name}
        >
          <thead>
            <tr>
              <th scope="col">Type and findings</th>
              <th scope="col">Location</th>
              <th scope="col" className="number">
                Deliveries
              </th>
              <th scope="col">First seen</th>
              <th scope="col">Last seen</th>
            </tr>
          </thead>
          {visibleRows.map((type) => (
            <TypeRows key={type.type ?? ' none'} conformance={type} />
          ))}
        </table>
      </div>
      {visibleRows.length < types.length && (
        <Button onClick={() => setAll(true)}>
          Show {formatCount(types.length - visibleRows.length)} more
        </Button>
      )}
    </>
  )
}

function TypeRows({ conformance }: { conformance: TypeConformance }) {
  const [all, setAll] = useState(false)
  const { type, findings } = conformance
  const known = eventTypeOf(type)
  const visibleRows = all ? findings : findings.slice(0, initialFindings)
  return (
    <tbody>
      <tr className="*:border-t *:border-t-line *:py-4 [&_th>svg]:mr-4 [&_th>svg]:align-[-0.2em] [&_th>svg]:text-dim">
        <th scope="rowgroup" colSpan={2}>
          <EventIcon name={known?.view.icon ?? 'circle-question-mark'} />
          <span className="mono">{type === null ? 'no type' : <Shown text={type} max={80} />}</span>
          {known && <span className="conformance-label text-mid">{known.label}</span>}
          {findings.length === 0 && (
            <span className="baseline ml-5 inline-flex gap-2 text-s font-semibold text-valid">
              <Icons.Check strokeWidth={2.6} /> no findings
            </span>
          )}
        </th>
        <Cells of={conformance} type={type} />
      </tr>
      {visibleRows.map((finding) => (
        <KindRow key={`${finding.code} ${finding.location}`} type={type} finding={finding} />
      ))}
      {visibleRows.length < findings.length && (
        <tr>
          <td colSpan={5}>
            <Button onClick={() => setAll(true)}>
              Show {formatCount(findings.length - visibleRows.length)} more
            </Button>
          </td>
        </tr>
      )}
    </tbody>
  )
}

function KindRow({ type, finding }: { type: string | null; finding: FindingKind }) {
  const { severity, code, location } = finding
  return (
    <tr className="conformance-kind *:border-t *:border-t-line-soft [&_.disc]:my-0 [&_.disc]:mr-4 [&_.disc]:-ml-8 [&_.disc]:align-[-0.2em] [&_code]:block [&_code]:text-xs">
      <td>
        <span className="disc" data-tone={severityTone(severity)}>
          <SeverityIcon severity={severity} />
        </span>
        <span>
          <span className="visually-hidden">{severity}: </span>
          {findingTitle(code)}
          <code className="mono text-dim">
            <Shown text={code} max={80} />
          </code>
        </span>
      </td>
      <td className="conformance-place mono text-s">
        <Shown text={locationLabel(location)} max={120} />
      </td>
      <Cells of={finding} type={type} code={code} />
    </tr>
  )
}

interface CellsProps {
  of: Pick<FindingKind, 'count' | 'firstId' | 'firstAt' | 'lastId' | 'lastAt'>
  type: string | null
  code?: string
}

function Cells({ of, type, code }: CellsProps) {
  return (
    <>
      <td className="number">
        <FilterLink filter={filterFor(type, code)}>{formatCount(of.count)}</FilterLink>
      </td>
      <td>
        <DeliveryMoment id={of.firstId} at={of.firstAt} />
      </td>
      <td>
        <DeliveryMoment id={of.lastId} at={of.lastAt} />
      </td>
    </>
  )
}
