import { formatCount, plural } from '#shared/text/format.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { Stack } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { SeverityIcon, severityTone } from '../../ui/Mark.tsx'
import { Note } from '../../ui/Note.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { dayDate } from '../../ui/text/time.ts'
import { cut } from '../../ui/text/visible.ts'
import { useState } from 'react'
import type { Change, Changes } from './changes.ts'
import { DeliveryMoment, FilterLink } from './links.tsx'
import { findingTitle, locationLabel } from './summary.ts'

const initialRows = 12

interface Props {
  /** Null if no day is selected. */
  readonly changes: Changes | null
  /** Milliseconds since the epoch; null if no day is selected. */
  readonly since: number | null
}

/** The changes since the selected day, one sentence each. */
export function ChangeList({ changes, since }: Props) {
  const [all, setAll] = useState(false)
  if (!changes || since === null) {
    return <p className="dim">Select a day above to see what is new since then.</p>
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
      <Stack as="ul" lined className="changes">
        {visibleChanges.map((change) => (
          <li key={keyOf(change)}>
            <span className="tag" data-tone={change.kind === 'gone' ? 'unsigned' : 'info'}>
              {change.kind === 'gone' ? 'Gone' : 'New'}
            </span>
            <Sentence change={change} />
          </li>
        ))}
      </Stack>
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
  switch (change.kind) {
    case 'type':
      return (
        <p>
          <TypeName type={of.type} />, {typeLabel(of.type)}, first in{' '}
          <DeliveryMoment id={of.firstId} at={of.firstAt} word="on " />,{' '}
          <FilterLink type={of.type} of={of.count} /> since
          {of.findings.length > 0 &&
            `, with ${plural(of.findings.length, 'kind of finding', 'kinds of findings')}`}
        </p>
      )
    case 'finding': {
      const { finding } = change
      return (
        <p>
          <Disc change={change} />
          <code className="mono">
            <Shown text={cut(locationLabel(finding.place), 80)} />
          </code>
          : {lowerFirst(findingTitle(finding.code))}, first in{' '}
          <DeliveryMoment id={finding.firstId} at={finding.firstAt} word="on " />, in{' '}
          <FilterLink type={of.type} code={finding.code} of={finding.count} />{' '}
          <TypeName type={of.type} /> since
        </p>
      )
    }
    case 'gone': {
      const { finding } = change
      return (
        <p>
          <Disc change={change} />
          <code className="mono">
            <Shown text={cut(locationLabel(finding.place), 80)} />
          </code>
          : {lowerFirst(findingTitle(finding.code))}, last in{' '}
          <DeliveryMoment id={finding.lastId} at={finding.lastAt} word="on " />, but not in later{' '}
          <TypeName type={of.type} />
        </p>
      )
    }
  }
}

function Disc({ change }: { readonly change: Exclude<Change, { kind: 'type' }> }) {
  const { severity } = change.finding
  return (
    <span className="disc" data-tone={severityTone(severity)} title={severity}>
      <SeverityIcon severity={severity} />
      <span className="visually-hidden">{severity}: </span>
    </span>
  )
}

function TypeName({ type }: { readonly type: string | null }) {
  if (type === null) return <>deliveries without a type</>
  return (
    <b className="mono">
      <Shown text={cut(type, 80)} />
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
    : `${kind} ${of.type} ${change.finding.code} ${change.finding.place}`
}
