import { Braces, FileQuestion } from 'lucide-react'
import type { Delivery } from '#contract/models.ts'
import { Button } from '../../../components/Button.tsx'
import { Empty } from '../../../components/Empty.tsx'
import { Note } from '../../../components/Note.tsx'
import type { Reading } from './payload.ts'
import { Ticket } from './Ticket.tsx'
import { SoFar } from './trace/SoFar.tsx'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { commonFields, field, type Payload } from '#catalogue/payload.ts'
import { fits } from '#catalogue/field-type.ts'
import { counted } from '../../../components/text/numbers.ts'
import { FieldRow } from './FieldRow.tsx'
import { formatOf, guessFormat } from './field-format.ts'
import { commonFieldState, extraFieldState } from './field-state.ts'

const extrasDrawn = 50

/** The properties that every payload has, in the document's order; then those it does not know. */
export function CommonFields({ payload }: { readonly payload: Payload }) {
  const target = eventTypeOf(payload.type)?.target
  const extras = Object.keys(payload).filter((key) => !commonFields.some((one) => one.key === key))
  return (
    <section className="common-fields" aria-labelledby="common-fields">
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
    </section>
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
