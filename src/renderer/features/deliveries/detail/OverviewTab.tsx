import { Braces, FileQuestion } from 'lucide-react'
import type { Delivery } from '#contract/models.ts'
import { Button } from '../../../components/Button.tsx'
import { Empty } from '../../../components/Empty.tsx'
import { Note } from '../../../components/Note.tsx'
import { CommonFields } from './CommonFields.tsx'
import type { Reading } from './payload.ts'
import { Ticket } from './Ticket.tsx'
import { SoFar } from './trace/SoFar.tsx'

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
