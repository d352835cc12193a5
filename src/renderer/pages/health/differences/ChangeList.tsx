import { formatCount, plural } from '#shared/text/format.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { Button } from '#kit/Button.tsx'
import { SeverityIcon, severityTone } from '#kit/Mark.tsx'
import { Note } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { dayDate } from '#kit/text/time.ts'
import { useState } from 'react'
import { DeliveryMoment, filterFor, FilterLink } from './links.tsx'
import { findingTitle, locationLabel } from './summary.ts'
import type { FindingKind, TypeConformance } from '#contract/deliveries.ts'

const initialRows = 12

interface Props {
  /** Null if no day is selected. */
  readonly changes: Changes | null
  /** Milliseconds since the epoch; null if no day is selected. */
  readonly since: number | null
}

export function ChangeList({ changes, since }: Props) {
  const [all, setAll] = useState(false)
  if (!changes || since === null) {
    return <p className="text-dim">Select a day above to see what is new since then.</p>
  }
  if (!changes.comparable) {
    return (
      <Note tone="info">
        No deliveries from before {dayDate(since)} are stored, so there is nothing to compare with.
      </Note>
    )
  }
  if (changes.list.length === 0) {
    return <p>No new types, fields or findings since {dayDate(since)}.</p>
  }
  const visibleChanges = all ? changes.list : changes.list.slice(0, initialRows)
  return (
    <>
      <ul className="lined changes grid [&_.disc]:mr-3 [&_.disc]:align-[-0.2em] [&_li>.tag]:justify-self-start [&_li>.tag]:font-semibold">
        {visibleChanges.map((change) => (
          <li key={keyOf(change)}>
            <span className="tag" data-tone={change.kind === 'gone' ? 'unsigned' : 'info'}>
              {change.kind === 'gone' ? 'Gone' : 'New'}
            </span>
            <Sentence change={change} />
          </li>
        ))}
      </ul>
      {visibleChanges.length < changes.list.length && (
        <Button onClick={() => setAll(true)}>
          Show {formatCount(changes.list.length - visibleChanges.length)} more
        </Button>
      )}
    </>
  )
}

function Sentence({ change }: { readonly change: Change }) {
  const { of } = change
  if (change.kind === 'type') {
    return (
      <p>
        <TypeName type={of.type} />, {typeLabel(of.type)}, first in{' '}
        <DeliveryMoment id={of.firstId} at={of.firstAt} word="on " />,{' '}
        <FilterLink filter={filterFor(of.type)}>{formatCount(of.count)}</FilterLink> since
        {of.findings.length > 0 &&
          `, with ${plural(of.findings.length, 'kind of finding', 'kinds of findings')}`}
      </p>
    )
  }
  const { severity, code, location, count, firstId, firstAt, lastId, lastAt } = change.finding
  return (
    <p>
      <span className="disc" data-tone={severityTone(severity)} title={severity}>
        <SeverityIcon severity={severity} />
        <span className="visually-hidden">{severity}: </span>
      </span>
      <code className="mono">
        <Shown text={locationLabel(location)} max={80} />
      </code>
      : {lowerFirst(findingTitle(code))},{' '}
      {change.kind === 'gone' ? (
        <>
          last in <DeliveryMoment id={lastId} at={lastAt} word="on " />, but not in later{' '}
          <TypeName type={of.type} />
        </>
      ) : (
        <>
          first in <DeliveryMoment id={firstId} at={firstAt} word="on " />, in{' '}
          <FilterLink filter={filterFor(of.type, code)}>{formatCount(count)}</FilterLink>{' '}
          <TypeName type={of.type} /> since
        </>
      )}
    </p>
  )
}

export function TypeName({ type }: { readonly type: string | null }) {
  if (type === null) return <>deliveries without a type</>
  return (
    <b className="mono">
      <Shown text={type} max={80} />
    </b>
  )
}

function typeLabel(type: string | null): string {
  if (type === null) return 'not received before'
  return eventTypeOf(type)
    ? 'a type not received before'
    : 'a type that is not in the API documentation'
}

/** Lowercases the first letter for use within a sentence. Acronyms stay as they are. */
function lowerFirst(sentence: string): string {
  return sentence.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())
}

function keyOf(change: Change): string {
  const { kind, of } = change
  return kind === 'type'
    ? `type ${of.type}`
    : `${kind} ${of.type} ${change.finding.code} ${change.finding.location}`
}

/** A change since the selected day. */
export type Change =
  | { readonly kind: 'type'; readonly of: TypeConformance }
  | { readonly kind: 'finding'; readonly of: TypeConformance; readonly finding: FindingKind }
  /** Found before, but not in later deliveries of the type. */
  | { readonly kind: 'gone'; readonly of: TypeConformance; readonly finding: FindingKind }

export interface Changes {
  /** False if no earlier deliveries are stored to compare with. */
  readonly comparable: boolean
  /** Newest first, with removed findings last. */
  readonly list: readonly Change[]
}

/** Returns the changes since `since` (milliseconds since the epoch): types and findings first seen since then, and findings not seen again. */
export function changesSince(types: readonly TypeConformance[], since: number): Changes {
  if (!types.some(({ firstAt }) => firstAt < since)) return { comparable: false, list: [] }
  const fresh: Change[] = []
  const gone: Change[] = []
  for (const of of types) {
    if (isNew(of, since)) {
      // The findings of a new type are all new as well.
      fresh.push({ kind: 'type', of })
      continue
    }
    for (const finding of of.findings) {
      if (isNew(finding, since)) fresh.push({ kind: 'finding', of, finding })
      else if (finding.lastAt < since && of.lastAt >= since)
        gone.push({ kind: 'gone', of, finding })
    }
  }
  fresh.sort((first, second) => firstOf(second) - firstOf(first))
  gone.sort((first, second) => lastOf(second) - lastOf(first))
  return { comparable: true, list: [...fresh, ...gone] }
}

/** Whether something was first seen at `since` or later. False if `since` is null. */
export function isNew({ firstAt }: { readonly firstAt: number }, since: number | null): boolean {
  return since !== null && firstAt >= since
}

function firstOf(change: Change): number {
  return change.kind === 'type' ? change.of.firstAt : change.finding.firstAt
}

function lastOf(change: Change): number {
  return change.kind === 'type' ? change.of.lastAt : change.finding.lastAt
}
