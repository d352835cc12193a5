import { plural } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import type { Delivery } from '#contract/models.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, Note } from '#kit/Note.tsx'
import { type Reading, formatOf, guessFormat } from './field-format.ts'
import { Ticket } from './Ticket.tsx'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { commonFields, field, type Payload } from '#catalogue/payload.ts'
import { fits } from '#catalogue/field-type.ts'
import { FieldRow, commonFieldState, extraFieldState } from './FieldRow.tsx'
import { useDeliveries } from '#client/state/deliveries.ts'
import { openFromTrace, subjectTitle, useTrace } from './trace/trace-navigation.ts'

const maxExtras = 50

/** The documented properties of every payload in their documented order, then undocumented ones. */
export function CommonFields({ payload }: { readonly payload: Payload }) {
  const target = eventTypeOf(payload.type)?.target
  const extras = Object.keys(payload).filter(
    (key) => !commonFields.some((known) => known.key === key),
  )
  return (
    <section className="mt-2 grid gap-5" aria-labelledby="common-fields">
      <h3 className="section-title" id="common-fields">
        Common fields
      </h3>
      <div className="plain-card">
        <dl className="fields @container/fields px-6 pt-2 pb-4">
          {commonFields.map((common) => (
            <FieldRow
              key={common.key}
              documented={common}
              name={common.key}
              value={field(payload, common.key)}
              format={formatOf(common.key)}
              state={commonFieldState(common, field(payload, common.key), target)}
              instead={common.key === 'data' ? fieldsOf(payload.data) : undefined}
            />
          ))}
          {extras.slice(0, maxExtras).map((key) => (
            <FieldRow
              key={key}
              documented={null}
              name={key}
              value={field(payload, key)}
              format={guessFormat(field(payload, key), key)}
              state={extraFieldState(true)}
            />
          ))}
        </dl>
      </div>
    </section>
  )
}

/** The number of data fields shown in the card above; undefined if `data` is not an object. */
function fieldsOf(data: unknown): string | undefined {
  return fits('object', data)
    ? `${plural(Object.keys(Object(data)).length, 'field', 'fields')}, see above`
    : undefined
}

interface Props {
  readonly delivery: Delivery
  readonly reading: Reading
  readonly onBody: () => void
}

export function OverviewTab({ delivery, reading, onBody }: Props) {
  if (reading.kind === 'waiting')
    return (
      <div
        className="ticket h-(--measure-aside) coming rounded-lg border border-line bg-raised shadow-m [&_h3]:leading-[1.2]"
        role="status"
        aria-label="Loading the body"
      />
    )
  if (reading.kind !== 'payload') return <Unreadable reading={reading} onBody={onBody} />
  return (
    <>
      <Ticket payload={reading.payload} brand={delivery.brand} />
      <RelatedEvents delivery={delivery} />
      <CommonFields payload={reading.payload} />
      {reading.cut && (
        <Note tone="info">
          Long values are truncated here. The Request tab shows the complete body.
        </Note>
      )}
    </>
  )
}

type UnreadableBody = Exclude<Reading, { readonly kind: 'waiting' | 'payload' }>

interface UnreadableProps {
  readonly reading: UnreadableBody
  readonly onBody: () => void
}

function Unreadable({ reading, onBody }: UnreadableProps) {
  const [title, text] = describeUnreadable(reading)
  const empty = reading.kind === 'empty'
  return (
    <Empty
      icon={empty ? Icons.FileQuestion : Icons.Braces}
      title={title}
      actions={!empty && <Button onClick={onBody}>Show the body</Button>}
    >
      {text}
    </Empty>
  )
}

function describeUnreadable(reading: UnreadableBody): readonly [title: string, text: string] {
  switch (reading.kind) {
    case 'failed':
      return ['Could not load the body', reading.message]
    case 'empty':
      return ['No body', 'The service always sends a JSON object.']
    case 'too-long':
      return ['The body is too large', 'Bodies over 25 MiB are only shown as text or bytes.']
    case 'not-text':
      return [
        'The body is not text',
        'It is not valid UTF-8, so it cannot be a JSON object. The Request tab shows its bytes.',
      ]
    case 'not-json':
      return [
        'The body is not JSON',
        'The service sends a JSON object. The Request tab shows what was received.',
      ]
    case 'not-object':
      return [
        'The body is not a JSON object',
        `It is ${reading.what}. The service sends an object.`,
      ]
  }
}

/** Related events: duplicates and the size of the trace. */
function RelatedEvents({ delivery }: { readonly delivery: Delivery }) {
  return (
    <>
      {delivery.duplicateOf && <DuplicateOf repeats={delivery.duplicateOf} />}
      <TraceLink id={delivery.id} />
    </>
  )
}

function TraceLink({ id }: { readonly id: number }) {
  const { state } = useTrace(id)
  if (state.phase !== 'ready') return null
  const { subject, entries } = state.value
  if (entries.length < 2) return null
  return (
    <p className="flex items-center gap-4 text-s text-mid">
      {subjectTitle(subject)}: {plural(entries.length, 'delivery', 'deliveries')}
      <Button kind="quiet" small onClick={() => useDeliveries.setState({ tab: 'trace' })}>
        Show the trace
      </Button>
    </p>
  )
}

function DuplicateOf({ repeats }: { readonly repeats: NonNullable<Delivery['duplicateOf']> }) {
  return (
    <p className="flex items-center gap-4 text-s text-mid">
      <Icons.Repeat2 className="text-dim" />
      <span>
        {repeats.by === 'body' ? 'Same bytes as ' : 'Same event with different bytes as '}
        <button type="button" className="link mono" onClick={() => openFromTrace(repeats.id)}>
          #{repeats.id}
        </button>
      </span>
    </p>
  )
}
