import { plural as counted } from '#shared/text/format.ts'
import { Braces, FileQuestion, Repeat2 } from 'lucide-react'
import type { Delivery } from '#contract/models.ts'
import { Stack, Grid, Row } from '../../../ui/Layout.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Note } from '../../../ui/Note.tsx'
import type { Reading } from './payload.ts'
import { Ticket } from './Ticket.tsx'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { commonFields, field, type Payload } from '#catalogue/payload.ts'
import { fits } from '#catalogue/field-type.ts'
import { FieldRow } from './FieldRow.tsx'
import { formatOf, guessFormat } from './field-format.ts'
import { commonFieldState, extraFieldState } from './field-state.ts'
import { useDeliveries } from '../../../state/deliveries.ts'
import { goTo } from './trace/going.ts'
import { subjectTitle } from './trace/strip.ts'
import { Throttle } from './trace/Throttle.tsx'
import { TraceStrip } from './trace/TraceStrip.tsx'
import { useRelated, useTrace } from './trace/use-beyond.ts'
import './trace/Trace.css'

const extrasDrawn = 50

/** The properties that every payload has, in the document's order; then those it does not know. */
export function CommonFields({ payload }: { readonly payload: Payload }) {
  const target = eventTypeOf(payload.type)?.target
  const extras = Object.keys(payload).filter((key) => !commonFields.some((one) => one.key === key))
  return (
    <Stack as="section" gap={5} above={2} aria-labelledby="common-fields">
      <h3 className="section-title" id="common-fields">
        Every event has
      </h3>
      <div className="plain-card">
        <dl className="fields">
          {commonFields.map((one) => (
            <FieldRow
              key={one.key}
              said={one}
              name={one.key}
              value={field(payload, one.key)}
              format={formatOf(one.key)}
              state={commonFieldState(one, field(payload, one.key), target)}
              instead={one.key === 'data' ? fieldsOf(payload.data) : undefined}
            />
          ))}
          {extras.slice(0, extrasDrawn).map((key) => (
            <FieldRow
              key={key}
              said={null}
              name={key}
              value={field(payload, key)}
              format={guessFormat(field(payload, key), key)}
              state={extraFieldState(true)}
            />
          ))}
        </dl>
      </div>
    </Stack>
  )
}

/** How many fields the card above draws; undefined for data that has none to draw. */
function fieldsOf(data: unknown): string | undefined {
  return fits('object', data)
    ? `${counted(Object.keys(Object(data)).length, 'field', 'fields')}, see above`
    : undefined
}

interface Props {
  readonly delivery: Delivery
  readonly reading: Reading
  readonly onBody: () => void
}

/** The event as its type says it should be drawn. */
export function OverviewTab({ delivery, reading, onBody }: Props) {
  switch (reading.kind) {
    case 'waiting':
      return <div className="ticket ticket-coming" role="status" aria-label="Loading the body" />
    case 'payload':
      return (
        <>
          <Ticket payload={reading.payload} brand={delivery.brand} />
          <SoFar delivery={delivery} />
          <CommonFields payload={reading.payload} />
          {reading.cut && (
            <Note tone="info">
              This body is so long that values are cut here. All of it is under Body.
            </Note>
          )}
        </>
      )
    case 'failed':
      return (
        <Unreadable title="The body could not be read" text={reading.message} onBody={onBody} />
      )
    case 'empty':
      return (
        <Unreadable
          title="There is no body"
          text="A delivery of the service always carries a JSON object."
          onBody={null}
        />
      )
    case 'too-long':
      return (
        <Unreadable
          title="The body is too long to draw"
          text="More than 25 MiB is shown as text or bytes only."
          onBody={onBody}
        />
      )
    case 'not-text':
      return (
        <Unreadable
          title="The body is not text"
          text="It is not valid UTF-8, so it cannot be a JSON object. Its bytes are under Body."
          onBody={onBody}
        />
      )
    case 'not-json':
      return (
        <Unreadable
          title="The body is not JSON"
          text="A delivery of the service carries a JSON object. What came instead is under Body."
          onBody={onBody}
        />
      )
    case 'not-object':
      return (
        <Unreadable
          title="The body is not a JSON object"
          text={`It is ${reading.what}. A delivery of the service carries an object.`}
          onBody={onBody}
        />
      )
  }
}

interface UnreadableProps {
  readonly title: string
  readonly text: string
  readonly onBody: (() => void) | null
}

function Unreadable({ title, text, onBody }: UnreadableProps) {
  return (
    <Empty
      icon={onBody === null ? <FileQuestion aria-hidden /> : <Braces aria-hidden />}
      title={title}
      actions={onBody !== null && <Button onClick={onBody}>Show the body</Button>}
    >
      {text}
    </Empty>
  )
}

/** What the overview tells beyond the delivery itself: its tab so far, what it repeats, and for a scan the throttle. */
function SoFar({ delivery }: { readonly delivery: Delivery }) {
  return (
    <>
      {delivery.type === 'QR_SCANNED' && <ScanThrottle id={delivery.id} />}
      {delivery.repeats && <Repeated repeats={delivery.repeats} />}
      <Strip id={delivery.id} />
    </>
  )
}

function Strip({ id }: { readonly id: number }) {
  const { state } = useTrace(id)
  if (state.phase !== 'ready') return null
  const { subject, entries } = state.value
  const tied = entries.filter(({ relation }) => relation === 'tied').length
  // Of a life of one event there is no line to draw, but of a tab, whose ends are worth a word.
  if (tied < 2 && subject.kind !== 'tab') return null
  const title = subject.kind === 'other' ? subjectTitle(subject) : `${subjectTitle(subject)} so far`
  return (
    <Grid
      as="section"
      columns="1 auto"
      align="end"
      gap={2}
      gapX={4}
      className="so-far"
      aria-labelledby="so-far"
    >
      <h3 className="size-xs weight-semibold dim" id="so-far">
        {title}
      </h3>
      <Button kind="quiet" onClick={showTrace}>
        Show the trace
      </Button>
      <TraceStrip trace={state.value} currentId={id} />
    </Grid>
  )
}

function Repeated({ repeats }: { readonly repeats: NonNullable<Delivery['repeats']> }) {
  return (
    <Row as="p" align="center" gap={4} size="s" tone="mid">
      <Repeat2 className="tone-dim" aria-hidden />
      <span>
        {repeats.by === 'body' ? 'The same bytes as ' : 'The same event, in other bytes, as '}
        <button type="button" className="link mono" onClick={() => goTo(repeats.id)}>
          #{repeats.id}
        </button>
      </span>
    </Row>
  )
}

function ScanThrottle({ id }: { readonly id: number }) {
  const { state } = useRelated(id)
  return state.phase === 'ready' && state.value.throttle ? (
    <Throttle throttle={state.value.throttle} />
  ) : null
}

function showTrace(): void {
  useDeliveries.setState({ tab: 'trace' })
}
