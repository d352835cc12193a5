import { Check } from 'lucide-react'
import { useMemo } from 'react'
import type { TypeConformance } from '#contract/deliveries.ts'
import { count, counted } from '../../components/text/numbers.ts'
import { shortDate } from '../../components/text/time.ts'
import { ChangeList } from './ChangeList.tsx'
import { changesSince } from './changes.ts'
import type { Summary } from './summary.ts'
import { summaryOf } from './summary.ts'
import { TypesTable } from './TypesTable.tsx'

interface ReportProps {
  readonly types: readonly TypeConformance[]
  /** Milliseconds since the epoch; null: no day is chosen. */
  readonly since: number | null
}

/** What changed, and all types with what was found. */
export function Report({ types, since }: ReportProps) {
  const summary = useMemo(() => summaryOf(types), [types])
  const changes = useMemo(
    () => (since === null ? null : changesSince(types, since)),
    [types, since],
  )
  // Where nothing is kept from before, everything would be new.
  const marked = changes?.comparable === true ? since : null
  return (
    <>
      <section className="plain-card conformance-card" aria-labelledby="changes">
        <h2 id="changes">What changed</h2>
        <ChangeList key={since} changes={changes} since={since} />
      </section>
      <Totals summary={summary} />
      {summary.known.length > 0 && (
        <section className="conformance-part" aria-labelledby="known-types">
          <h2 id="known-types">Types of the document</h2>
          <TypesTable name="Types of the document" types={summary.known} since={marked} />
        </section>
      )}
      {summary.unknown.length > 0 && (
        <section className="conformance-part" aria-labelledby="unknown-types">
          <h2 id="unknown-types">Not in the document</h2>
          <TypesTable name="Not in the document" types={summary.unknown} since={marked} />
        </section>
      )}
      {summary.unseen.length > 0 && (
        <section className="conformance-part" aria-labelledby="unseen-types">
          <h2 id="unseen-types">Not seen</h2>
          <ul className="conformance-unseen">
            {summary.unseen.map((type) => (
              <li key={type} className="tag mono">
                {type}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Totals({ summary }: { readonly summary: Summary }) {
  const { deliveries, known, unseen, unknown, kinds, oldestAt } = summary
  const found = [
    kinds.error > 0 && counted(kinds.error, 'error', 'errors'),
    kinds.warning > 0 && counted(kinds.warning, 'warning', 'warnings'),
    kinds.info > 0 && `${count(kinds.info)} worth knowing`,
  ].filter((part) => part !== false)
  return (
    <>
      {found.length === 0 && (
        <p className="conformance-agrees">
          <Check aria-hidden strokeWidth={2.6} /> All that came agrees with the document.
        </p>
      )}
      <p className="conformance-totals">
        {counted(deliveries, 'delivery', 'deliveries')} kept
        {oldestAt !== null && `, the oldest from ${shortDate(oldestAt)}`} · {known.length} of{' '}
        {known.length + unseen.length} types seen
        {unknown.length > 0 && `, ${count(unknown.length)} not in the document`} ·{' '}
        {found.length === 0 ? 'no findings' : `kinds of findings: ${found.join(', ')}`}
      </p>
    </>
  )
}
