import { plural } from '#shared/text/format.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { field, type Payload, amount, text, channel } from '#catalogue/payload.ts'
import { Stack, Text, Row, cx } from '../../../ui/Layout.tsx'
import { EventIcon } from '../../../ui/EventIcon.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { truncate } from '../../../ui/text/visible.ts'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import type { EventType } from '#catalogue/define.ts'
import { isObject } from '#shared/json/object.ts'
import { FieldRow } from './FieldRow.tsx'
import { guessFormat, brief, formatOf } from './field-format.ts'
import { dataFieldState, extraFieldState } from './field-state.ts'
import { valueAt, type Place, type ViewPart } from '#catalogue/view.ts'
import { Mail, Phone } from '../../../ui/icons.tsx'
import { Fragment } from 'react'
import { scrolledList, Tags, IdValue } from './FieldValue.tsx'
import './Ticket.css'

const maxLines = 60

interface TicketPartsProps {
  readonly known: EventType
  readonly payload: Payload
}

/** The part of a card between its head and its fields. Renders nothing if the payload has none of it. */
function TicketParts({ known, payload }: TicketPartsProps) {
  const parts = known.view.parts.filter((part) => hasContent(part, payload))
  if (parts.length === 0) return null
  return (
    <div className="ticket-parts">
      {parts.map((part) => (
        <Part key={JSON.stringify(part)} part={part} known={known} payload={payload} />
      ))}
    </div>
  )
}

/** Whether the payload contains the values that this part shows. */
function hasContent(part: ViewPart, payload: Payload): boolean {
  switch (part.kind) {
    case 'lines':
      return listAt(payload, part.of).length > 0
    case 'tags':
      return part.of.some((place) => listAt(payload, place).length > 0)
    case 'sentence':
      return part.words.every((word) => typeof word === 'string' || textAt(payload, word.at) !== '')
    case 'choice':
      return choiceText(part, payload) !== null
    case 'channel':
      return channel(valueAt(payload, part.of)) !== ''
  }
}

function Part({ part, known, payload }: TicketPartsProps & { readonly part: ViewPart }) {
  switch (part.kind) {
    case 'lines': {
      const lines = listAt(payload, part.of)
      return (
        <Row
          justify="between"
          gap={6}
          className="ticket-lines"
          {...scrolledList(lines.length, part.many)}
        >
          <ol>
            {lines.slice(0, maxLines).map((line, index) => (
              // Items can repeat, so the index is the key.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                <Shown text={brief(line, 120)} />
              </li>
            ))}
          </ol>
          <Text as="p" fixed size="xs" tone="dim">
            {plural(lines.length, part.one, part.many)}
            {lines.length > maxLines && `, ${maxLines} shown`}
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
              <InlineValue key={word.at} known={known} payload={payload} place={word.at} />
            ),
          )}
        </Text>
      )
    case 'choice':
      return (
        <Text as="p" tone="mid" anywhere selectable>
          <Shown text={choiceText(part, payload) ?? ''} />
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

/** A short value within a sentence. IDs link to the deliveries that contain them. */
function InlineValue({ known, payload, place }: TicketPartsProps & { readonly place: Place }) {
  const format = known.data.find(({ key }) => `data.${key}` === place)?.format ?? formatOf(place)
  const value = valueAt(payload, place)
  if (format === 'id' && typeof value === 'string') return <IdValue id={value} />
  return (
    <b>
      <Shown text={text(value)} />
    </b>
  )
}

function choiceText(part: Extract<ViewPart, { kind: 'choice' }>, payload: Payload): string | null {
  const value = valueAt(payload, part.of)
  const key = typeof value === 'boolean' ? String(value) : text(value)
  if (key === '') return null
  if (Object.hasOwn(part.cases, key)) return part.cases[key] ?? null
  // A function, because `$&` in a payload has a special meaning in a replacement string.
  return part.other?.replace('%', () => key) ?? null
}

function textAt(payload: Payload, place: Place): string {
  return text(valueAt(payload, place))
}

function listAt(payload: Payload, place: Place): readonly unknown[] {
  const value = valueAt(payload, place)
  return Array.isArray(value) ? value : []
}

const maxExtras = 100

interface DataFieldsProps {
  readonly data: unknown
  /** Undefined if the type is not documented. */
  readonly known: EventType | undefined
  readonly brand: string
}

/** The fields of `data`: documented ones in their documented order, then undocumented ones. */
function DataFields({ data, known, brand }: DataFieldsProps) {
  const declared = known?.data ?? []
  const extras = keysOf(data).filter((key) => !declared.some((known) => known.key === key))
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
        {declared.map((entry) => (
          <FieldRow
            key={entry.key}
            documented={entry}
            name={entry.key}
            value={field(data, entry.key)}
            format={entry.format}
            state={dataFieldState(entry, field(data, entry.key), brand)}
          />
        ))}
        {extras.slice(0, maxExtras).map((key) => (
          <FieldRow
            key={key}
            documented={null}
            name={key}
            value={field(data, key)}
            format={guessFormat(field(data, key), key)}
            state={extraFieldState(known !== undefined)}
          />
        ))}
      </dl>
      {extras.length > maxExtras && (
        <p className="pad-y-5 pad-x-6 dim">
          {plural(extras.length - maxExtras, 'more field', 'more fields')} in the Body tab.
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
  /** The word that replaces `Service` in documented values. */
  readonly brand: string
}

/** The event as a ticket: what happened at the top, all fields of its data below. */
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
      {isDataNotObject(payload) ? (
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
          <Shown text={truncate(heading, 80)} />
        </h3>
        {subheading !== '' && (
          <p className="anywhere mid">
            <Shown text={truncate(subheading, 160)} />
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

/** The texts in the head of a ticket. */
interface TicketHeadText {
  readonly icon: string
  readonly stamp: string
  readonly sign: '+' | '−' | null
  /** When the service sends it; null if not documented. */
  readonly fired: string | null
  readonly heading: string
  /** The heading is the target's ID, because the payload has no name. */
  readonly isId: boolean
  readonly subheading: string
  /** The amount on the right with its label; null if the type or the payload has none. */
  readonly figure: { readonly text: string; readonly label: string } | null
}

/** The head of a ticket, from the view of its type. For an undocumented type, from the payload alone. */
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

/** Whether `data` is present but not an object, so there are no fields to show. */
function isDataNotObject(payload: Payload): boolean {
  const data = field(payload, 'data')
  return data !== undefined && (typeof data !== 'object' || data === null || Array.isArray(data))
}
