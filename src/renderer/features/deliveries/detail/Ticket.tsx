import { plural as counted } from '#shared/text/format.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { field, type Payload, amount, text, channel } from '#catalogue/payload.ts'
import { Stack, Text, Row } from '../../../ui/Layout.tsx'
import { cx } from '../../../ui/cx.ts'
import { EventIcon } from '../../../ui/EventIcon.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { cut } from '../../../ui/text/visible.ts'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import type { EventType } from '#catalogue/define.ts'
import { isObject } from '#shared/json/object.ts'
import { FieldRow } from './FieldRow.tsx'
import { guessFormat, brief, formatOf } from './field-format.ts'
import { dataFieldState, extraFieldState } from './field-state.ts'
import { valueAt, type Place, type ViewPart } from '#catalogue/view.ts'
import { Mail, Phone } from 'lucide-react'
import { Fragment } from 'react'
import { Tags } from './FieldValue.tsx'
import { IdValue } from './IdValue.tsx'
import './Ticket.css'

const linesDrawn = 60

interface TicketPartsProps {
  readonly known: EventType
  readonly payload: Payload
}

/** What a card says between its head and its fields; nothing when nothing of it came. */
function TicketParts({ known, payload }: TicketPartsProps) {
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

function Part({ part, known, payload }: TicketPartsProps & { readonly part: ViewPart }) {
  switch (part.kind) {
    case 'lines': {
      const lines = listAt(payload, part.of)
      return (
        <Row align="end" justify="between" gap={6} className="ticket-lines">
          <ol>
            {lines.slice(0, linesDrawn).map((line, index) => (
              // The same item may come twice: the place tells them apart.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                <Shown text={brief(line, 120)} />
              </li>
            ))}
          </ol>
          <Text as="p" fixed size="xs" tone="dim">
            {counted(lines.length, part.one, part.many)}
            {lines.length > linesDrawn && `, ${linesDrawn} shown`}
          </Text>
        </Row>
      )
    }
    case 'tags':
      return <Tags values={part.of.flatMap((place) => listAt(payload, place))} />
    case 'sentence':
      return (
        <Text as="p" tone="mid" anywhere selectable>
          {part.words.map((word) =>
            typeof word === 'string' ? (
              <Fragment key={word}>{word}</Fragment>
            ) : (
              <Named key={word.at} known={known} payload={payload} place={word.at} />
            ),
          )}
        </Text>
      )
    case 'choice':
      return (
        <Text as="p" tone="mid" anywhere selectable>
          <Shown text={choose(part, payload) ?? ''} />
        </Text>
      )
    case 'channel': {
      const way = channel(valueAt(payload, part.of))
      return (
        <Text as="p" tone="mid" anywhere selectable>
          {way.includes('mail') ? <Mail aria-hidden /> : <Phone aria-hidden />} {way},{' '}
          <span className="dim">derived from the form of the handle</span>
        </Text>
      )
    }
  }
}

/** A value within a sentence: short, and an id such that it can be followed. */
function Named({ known, payload, place }: TicketPartsProps & { readonly place: Place }) {
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

const extrasDrawn = 100

interface DataFieldsProps {
  readonly data: unknown
  /** Undefined: the document does not know the type. */
  readonly known: EventType | undefined
  readonly brand: string
}

/** Every field of `data`: those of the document's table in its order, then those that it does not name. */
function DataFields({ data, known, brand }: DataFieldsProps) {
  const declared = known?.data ?? []
  const extras = keysOf(data).filter((key) => !declared.some((one) => one.key === key))
  if (declared.length === 0 && extras.length === 0) {
    return (
      <p className="pad-y-5 pad-x-6 dim">
        {known?.hasData === 'no' ? 'As documented, this type has no data.' : 'No data received.'}
      </p>
    )
  }
  return (
    <>
      <dl className="lined fields">
        {declared.map((one) => (
          <FieldRow
            key={one.key}
            said={one}
            name={one.key}
            value={field(data, one.key)}
            format={one.format}
            state={dataFieldState(one, field(data, one.key), brand)}
          />
        ))}
        {extras.slice(0, extrasDrawn).map((key) => (
          <FieldRow
            key={key}
            said={null}
            name={key}
            value={field(data, key)}
            format={guessFormat(field(data, key), key)}
            state={extraFieldState(known !== undefined)}
          />
        ))}
      </dl>
      {extras.length > extrasDrawn && (
        <p className="pad-y-5 pad-x-6 dim">
          {counted(extras.length - extrasDrawn, 'more field is', 'more fields are')} under Body.
        </p>
      )}
    </>
  )
}

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : []
}

interface Props {
  readonly payload: Payload
  /** The word that stands for `Service` in values that the document lists. */
  readonly brand: string
}

/** The event as the thing it is about: above the perforation what happened, every field of its data below. */
export function Ticket({ payload, brand }: Props) {
  const known = eventTypeOf(payload.type)
  return (
    <article className="ticket" aria-label={known?.label ?? 'Unknown type'}>
      <TicketHead {...ticketHead(known, payload)} />
      {known && <TicketParts known={known} payload={payload} />}
      <div className="ticket-tear" aria-hidden />
      {!known && (
        <p className="pad-y-5 pad-x-6 dim">
          The API documentation does not list this type. Fields are shown by their apparent format.
        </p>
      )}
      {known?.hasData === 'contradictory' && (
        <div className="pad-y-5 pad-x-6">
          <Note tone="info">
            The API documentation contradicts itself: its summary says that {known.type} has no
            data, but its definition lists these fields. Tabscope accepts both.
          </Note>
        </div>
      )}
      {dataIsNoObject(payload) ? (
        <p className="pad-y-5 pad-x-6 dim">
          The data is not an object, so it has no fields. See below.
        </p>
      ) : (
        <DataFields data={payload.data} known={known} brand={brand} />
      )}
    </article>
  )
}

function TicketHead({
  icon,
  stamp,
  sign,
  fired,
  heading,
  isId,
  subheading,
  figure,
}: TicketHeadText) {
  return (
    <header className="ticket-head" data-sign={sign ?? undefined}>
      <Stack as="span" center className="ticket-icon">
        <EventIcon name={icon} />
      </Stack>
      <div className="shrink">
        <p className="ticket-stamp size-xs weight-semibold">
          {fired === null ? (
            stamp
          ) : (
            <Tooltip text={fired.replaceAll('`', '')}>
              <button type="button" className="field-explained">
                {stamp}
              </button>
            </Tooltip>
          )}
        </p>
        <h3 className={cx('size-xl anywhere', isId && 'mono')} data-id={isId || undefined}>
          <Shown text={cut(heading, 80)} />
        </h3>
        {subheading !== '' && (
          <p className="anywhere mid">
            <Shown text={cut(subheading, 160)} />
          </p>
        )}
      </div>
      {figure && (
        <Stack
          as="p"
          gap={1}
          push
          size="xs"
          className="ticket-amount"
          title="As sent; no currency is given"
        >
          <span className="ticket-figure">
            {sign !== null && `${sign} `}
            {figure.text}
          </span>
          <span className="dim">{figure.label}</span>
        </Stack>
      )}
    </header>
  )
}

/** What the head of a card says. */
interface TicketHeadText {
  readonly icon: string
  /** What happened. */
  readonly stamp: string
  readonly sign: '+' | '−' | null
  /** When the service sends it; null: the document does not say. */
  readonly fired: string | null
  readonly heading: string
  /** The heading is the target's id, for want of a name. */
  readonly isId: boolean
  readonly subheading: string
  /** The figure at the right with what it is; null: the type has none, or none came. */
  readonly figure: { readonly text: string; readonly label: string } | null
}

/** The head of a payload's card, by its type's view; for a type that is not in the API documentation, by the payload alone. */
export function ticketHead(known: EventType | undefined, payload: Payload): TicketHeadText {
  const target = text(payload.targetUuid) || text(payload.targetId)
  if (!known) {
    return {
      icon: 'circle-question-mark',
      stamp: 'Unknown type',
      sign: null,
      fired: null,
      heading: text(payload.type) || 'No type',
      isId: false,
      subheading: text(payload.locationName),
      figure: null,
    }
  }
  const { view, fired } = known
  const [named] = textsAt(payload, view.heading)
  const heading = named ?? (target || 'No target')
  return {
    icon: view.icon,
    stamp: view.stamp.word,
    sign: view.stamp.sign,
    fired,
    heading,
    isId: named === undefined && target !== '',
    subheading: [...new Set(textsAt(payload, view.subheading))]
      .filter((part) => part !== heading)
      .join(' · '),
    figure: figureOf(known, payload),
  }
}

function textsAt(payload: Payload, places: readonly string[]): string[] {
  return places.map((place) => text(valueAt(payload, place))).filter((part) => part !== '')
}

function figureOf({ view, data }: EventType, payload: Payload): TicketHeadText['figure'] {
  if (!view.amount) return null
  const { of, times } = view.amount
  const price = amount(valueAt(payload, of))
  if (price === '') return null
  const labelOf = (place: string): string =>
    data.find(({ key }) => `data.${key}` === place)?.label ?? place
  const quantity = times === null ? '' : text(valueAt(payload, times))
  if (times === null || quantity === '') return { text: price, label: labelOf(of) }
  return {
    text: `${quantity} × ${price}`,
    label: `${labelOf(times)} × ${labelOf(of).toLowerCase()}`,
  }
}

/** True when `data` is there and is no object: it then has no fields to draw. */
function dataIsNoObject(payload: Payload): boolean {
  const data = field(payload, 'data')
  return data !== undefined && (typeof data !== 'object' || data === null || Array.isArray(data))
}
