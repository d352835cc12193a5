import { Mail, Phone } from 'lucide-react'
import { Fragment } from 'react'
import type { EventType } from '#catalogue/define.ts'
import { channel, text } from '#catalogue/payload.ts'
import type { Payload } from '#catalogue/payload.ts'
import { valueAt } from '#catalogue/view.ts'
import type { Place, ViewPart } from '#catalogue/view.ts'
import { Shown } from '../../../components/Shown.tsx'
import { counted } from '../../../components/text/numbers.ts'
import { brief, formatOf } from './field-format.ts'
import { Tags } from './FieldValue.tsx'
import { IdValue } from './IdValue.tsx'

const linesDrawn = 60

interface Props {
  readonly known: EventType
  readonly payload: Payload
}

/** What a card says between its head and its fields; nothing when nothing of it came. */
export function TicketParts({ known, payload }: Props) {
  const parts = known.view.parts.filter((part) => came(part, payload))
  if (parts.length === 0) return null
  return (
    <div className="ticket-parts">
      {parts.map((part) => (
        <Part key={JSON.stringify(part)} part={part} known={known} payload={payload} />
      ))}
    </div>
  )
}

/** Whether there is something to draw. */
function came(part: ViewPart, payload: Payload): boolean {
  switch (part.kind) {
    case 'lines':
      return listAt(payload, part.of).length > 0
    case 'tags':
      return part.of.some((place) => listAt(payload, place).length > 0)
    case 'sentence':
      return part.words.every((word) => typeof word === 'string' || textAt(payload, word.at) !== '')
    case 'choice':
      return choose(part, payload) !== null
    case 'channel':
      return channel(valueAt(payload, part.of)) !== ''
  }
}

function Part({ part, known, payload }: Props & { readonly part: ViewPart }) {
  switch (part.kind) {
    case 'lines': {
      const lines = listAt(payload, part.of)
      return (
        <div className="ticket-lines">
          <ol>
            {lines.slice(0, linesDrawn).map((line, index) => (
              // The same item may come twice: the place tells them apart.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                <Shown text={brief(line, 120)} />
              </li>
            ))}
          </ol>
          <p className="dim">
            {counted(lines.length, part.one, part.many)}
            {lines.length > linesDrawn && `, ${linesDrawn} shown`}
          </p>
        </div>
      )
    }
    case 'tags':
      return <Tags values={part.of.flatMap((place) => listAt(payload, place))} />
    case 'sentence':
      return (
        <p className="ticket-sentence">
          {part.words.map((word) =>
            typeof word === 'string' ? (
              <Fragment key={word}>{word}</Fragment>
            ) : (
              <Named key={word.at} known={known} payload={payload} place={word.at} />
            ),
          )}
        </p>
      )
    case 'choice':
      return (
        <p className="ticket-sentence">
          <Shown text={choose(part, payload) ?? ''} />
        </p>
      )
    case 'channel': {
      const way = channel(valueAt(payload, part.of))
      return (
        <p className="ticket-sentence">
          {way.includes('mail') ? <Mail aria-hidden /> : <Phone aria-hidden />}
          {way}, <span className="dim">told from the form of the handle</span>
        </p>
      )
    }
  }
}

/** A value within a sentence: short, and an id such that it can be followed. */
function Named({ known, payload, place }: Props & { readonly place: Place }) {
  const format = known.data.find(({ key }) => `data.${key}` === place)?.format ?? formatOf(place)
  const value = valueAt(payload, place)
  if (format === 'id' && typeof value === 'string') return <IdValue id={value} />
  return (
    <b>
      <Shown text={text(value)} />
    </b>
  )
}

function choose(part: Extract<ViewPart, { kind: 'choice' }>, payload: Payload): string | null {
  const value = valueAt(payload, part.of)
  const said = typeof value === 'boolean' ? String(value) : text(value)
  if (said === '') return null
  if (Object.hasOwn(part.cases, said)) return part.cases[said] ?? null
  // Given as a function: in a text, `$&` of a payload would mean something.
  return part.other?.replace('%', () => said) ?? null
}

function textAt(payload: Payload, place: Place): string {
  return text(valueAt(payload, place))
}

function listAt(payload: Payload, place: Place): readonly unknown[] {
  const value = valueAt(payload, place)
  return Array.isArray(value) ? value : []
}
