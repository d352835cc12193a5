import { plural } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import type { Delivery } from '#contract/models.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, Loading, Note } from '#kit/Note.tsx'
import { type Reading, formatOf } from './field-format.ts'
import { Ticket } from './Ticket.tsx'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { commonFields, field, type Payload } from '#catalogue/payload.ts'
import { isObject } from '#shared/json/object.ts'
import { commonFieldState, ExtraRows, FieldRow } from './FieldRow.tsx'
import { useDeliveries } from '#client/state/deliveries.ts'
import { openFromTrace, subjectTitle, useTrace } from './trace/trace-navigation.ts'

const maxExtras = 50

/** The documented properties of every payload in their documented order, then undocumented ones. */
export function CommonFields({ payload }: { payload: Payload }) {
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
              instead={
                common.key === 'data' && isObject(payload.data)
                  ? `${plural(Object.keys(payload.data).length, 'field', 'fields')}, see above`
                  : undefined
              }
            />
          ))}
          <ExtraRows of={payload} keys={extras.slice(0, maxExtras)} known />
        </dl>
      </div>
    </section>
  )
}

interface Props {
  delivery: Delivery
  reading: Reading
  onBody: () => void
}

export function OverviewTab({ delivery, reading, onBody }: Props) {
  if (reading.kind === 'waiting') return <Loading card label="Loading the body" />
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

interface UnreadableProps extends Pick<Props, 'onBody'> {
  reading: UnreadableBody
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

/** Related events: a duplicate and the size of the trace. */
function RelatedEvents({ delivery: { id, duplicateOf } }: { delivery: Delivery }) {
  const { state } = useTrace(id)
  const trace = state.phase === 'ready' && state.value.entries.length > 1 ? state.value : null
  return (
    <>
      {duplicateOf && (
        <p className="flex items-center gap-4 text-s text-mid">
          <Icons.Repeat2 className="text-dim" />
          <span>
            {duplicateOf.by === 'body' ? 'Same bytes as ' : 'Same event with different bytes as '}
            <button
              type="button"
              className="link mono"
              onClick={() => openFromTrace(duplicateOf.id)}
            >
              #{duplicateOf.id}
            </button>
          </span>
        </p>
      )}
      {trace && (
        <p className="flex items-center gap-4 text-s text-mid">
          {subjectTitle(trace.subject)}: {plural(trace.entries.length, 'delivery', 'deliveries')}
          <Button kind="quiet" small onClick={() => useDeliveries.setState({ tab: 'trace' })}>
            Show the trace
          </Button>
        </p>
      )}
    </>
  )
}
