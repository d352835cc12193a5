import { formatCount as count, plural as counted } from '#shared/text/format.ts'
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
import { DeliveryMoment } from './DeliveryMoment.tsx'
import { FilterLink } from './FilterLink.tsx'
import { findingTitle, locationLabel } from './summary.ts'

const drawnAtFirst = 12

interface Props {
  /** Null: no day is chosen. */
  readonly changes: Changes | null
  /** Milliseconds since the epoch; null: no day is chosen. */
  readonly since: number | null
}

/** What is otherwise than before the chosen day, a sentence each. */
export function ChangeList({ changes, since }: Props) {
  const [all, setAll] = useState(false)
  if (!changes || since === null) {
    return <p className="dim">Choose a day above to see what is new from then on.</p>
  }
  if (!changes.comparable) {
    return (
      <Note tone="info">
        Nothing from before {dayDate(since)} is kept, so there is nothing to compare with.
      </Note>
    )
  }
  if (changes.list.length === 0) {
    return <p>No type, no field and no kind of finding is new since {dayDate(since)}.</p>
  }
  const drawn = all ? changes.list : changes.list.slice(0, drawnAtFirst)
  return (
    <>
      <Stack as="ul" lined className="changes">
        {drawn.map((change) => (
          <li key={keyOf(change)}>
            <span className="tag" data-tone={change.kind === 'gone' ? 'unsigned' : 'info'}>
              {change.kind === 'gone' ? 'Gone' : 'New'}
            </span>
            <Sentence change={change} />
          </li>
        ))}
      </Stack>
      {drawn.length < changes.list.length && (
        <Button onClick={() => setAll(true)}>
          Show {count(changes.list.length - drawn.length)} more
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
          <TypeName type={of.type} />, {typeWords(of.type)}, first in{' '}
          <DeliveryMoment id={of.firstId} at={of.firstAt} word="on " />,{' '}
          <FilterLink type={of.type} of={of.count} /> since
          {of.findings.length > 0 &&
            `, with ${counted(of.findings.length, 'kind of finding', 'kinds of findings')}`}
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
          : {lower(findingTitle(finding.code))}, first in{' '}
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
          : {lower(findingTitle(finding.code))}, last in{' '}
          <DeliveryMoment id={finding.lastId} at={finding.lastAt} word="on " /> and not since,
          though <TypeName type={of.type} /> came again
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

function typeWords(type: string | null): string {
  if (type === null) return 'not seen before'
  return eventTypeOf(type)
    ? 'a type not seen before'
    : 'a type that is not in the API documentation'
}

/** As it stands within a sentence; what is written small on purpose stays so. */
function lower(sentence: string): string {
  return sentence.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())
}

function keyOf(change: Change): string {
  const { kind, of } = change
  return kind === 'type'
    ? `type ${of.type}`
    : `${kind} ${of.type} ${change.finding.code} ${change.finding.place}`
}
