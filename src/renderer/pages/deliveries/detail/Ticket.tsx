import { plural } from '#shared/text/format.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { field, type Payload, amount, text, channel } from '#catalogue/payload.ts'
import { cx } from '#kit/cx.ts'
import { EventIcon } from '#parts/EventIcon.tsx'
import { Note } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { Tooltip } from '#kit/Tooltip.tsx'
import type { EventType } from '#catalogue/define.ts'
import { isObject } from '#shared/json/object.ts'
import { dataFieldState, ExtraRows, FieldRow } from './FieldRow.tsx'
import { valueAt, type Place, type ViewPart } from '#catalogue/view.ts'
import './Ticket.css'

function TicketParts({ known, payload }: { known: EventType; payload: Payload }) {
  const parts = known.view.parts
    .map((part) =>
      part.kind === 'choice' ? choiceText(part, payload) : channelText(valueAt(payload, part.of)),
    )
    .filter((text) => text !== null)
  if (parts.length === 0) return null
  return (
    <div className="ticket-parts">
      {parts.map((text) => (
        <p className="wrap-anywhere text-mid select-text" key={text}>
          <Shown text={text} />
        </p>
      ))}
    </div>
  )
}

function channelText(handle: unknown): string | null {
  const way = channel(handle)
  return way === '' ? null : `By ${way}, derived from the form of the handle.`
}

function choiceText(part: Extract<ViewPart, { kind: 'choice' }>, payload: Payload): string | null {
  const value = valueAt(payload, part.of)
  const key = typeof value === 'boolean' ? String(value) : text(value)
  if (key === '') return null
  if (Object.hasOwn(part.cases, key)) return part.cases[key] ?? null
  // A function, because `$&` in a payload has a special meaning in a replacement string.
  return part.other?.replace('%', () => key) ?? null
}

const maxExtras = 100

interface DataFieldsProps {
  data: unknown
  /** Undefined if the type is not documented. */
  known: EventType | undefined
  brand: string
  /** Fields whose values the head shows. They are listed only if something is to be said about them. */
  shown: readonly Place[]
}

function DataFields({ data, known, brand, shown }: DataFieldsProps) {
  const declared = known?.data ?? []
  const listed = declared
    .map((entry) => ({ entry, state: dataFieldState(entry, field(data, entry.key), brand) }))
    .filter(({ entry, state }) => state.mark !== null || !shown.includes(`data.${entry.key}`))
  const extras = Object.keys(isObject(data) ? data : {}).filter(
    (key) => !declared.some((known) => known.key === key),
  )
  if (declared.length === 0 && extras.length === 0) {
    return (
      <p className="px-6 py-5 text-dim">
        {known?.hasData === 'no' ? 'As documented, this type has no data.' : 'No data received.'}
      </p>
    )
  }
  return (
    <>
      <dl className="lined fields @container/fields px-6 pt-2 pb-4">
        {listed.map(({ entry, state }) => (
          <FieldRow
            key={entry.key}
            documented={entry}
            name={entry.key}
            value={field(data, entry.key)}
            format={entry.format}
            state={state}
          />
        ))}
        <ExtraRows of={data} keys={extras.slice(0, maxExtras)} known={known !== undefined} />
      </dl>
      {extras.length > maxExtras && (
        <p className="px-6 py-5 text-dim">
          {plural(extras.length - maxExtras, 'more field', 'more fields')} in the Request tab.
        </p>
      )}
    </>
  )
}

interface Props {
  payload: Payload
  /** The word that replaces `Service` in documented values. */
  brand: string
}

/** The event as a ticket: what happened at the top, the other fields of its data below. */
export function Ticket({ payload, brand }: Props) {
  const known = eventTypeOf(payload.type)
  const head = ticketHead(known, payload)
  return (
    <article
      className="ticket rounded-lg border border-line bg-raised shadow-m [&_h3]:leading-[1.2]"
      aria-label={known?.label ?? 'Unknown type'}
    >
      <TicketHead head={head} />
      {known && <TicketParts known={known} payload={payload} />}
      <div className="ticket-tear" aria-hidden />
      {!known && (
        <p className="px-6 py-5 text-dim">
          The API documentation does not list this type. Fields are shown by their apparent format.
        </p>
      )}
      {known?.hasData === 'contradictory' && (
        <div className="px-6 py-5">
          <Note tone="info">
            The API documentation contradicts itself: its summary says that {known.type} has no
            data, but its definition lists these fields. Tabscope accepts both.
          </Note>
        </div>
      )}
      {payload.data !== undefined && !isObject(payload.data) ? (
        <p className="px-6 py-5 text-dim">
          The data is not an object, so it has no fields. See below.
        </p>
      ) : (
        <DataFields data={payload.data} known={known} brand={brand} shown={head.places} />
      )}
    </article>
  )
}

function TicketHead({ head }: { head: ReturnType<typeof ticketHead> }) {
  const { icon, stamp, sign, fired, heading, isId, subheading, figure, places } = head
  return (
    <header
      className="ticket-head flex items-start gap-5 px-6 py-5 [--sign-soft:var(--accent-soft)] [--sign:var(--accent)]"
      data-sign={sign ?? undefined}
      title={places.length === 0 ? undefined : `Shows ${places.join(', ')}`}
    >
      <span className="grid h-(--control-l) w-(--control-l) flex-none place-items-center rounded-[50%] bg-(--sign-soft) text-(--sign) icon-m">
        <EventIcon name={icon} />
      </span>
      <div className="min-w-0">
        <p className="text-xs leading-[1.3] font-semibold text-(--sign) [&_button]:leading-[1.3] [&_button]:text-(--sign)">
          {fired === null ? (
            stamp
          ) : (
            <Tooltip text={fired.replaceAll('`', '')}>
              <button type="button" className="field-explained cursor-help">
                {stamp}
              </button>
            </Tooltip>
          )}
        </p>
        <h3 className={cx('text-xl wrap-anywhere', isId && 'mono')} data-id={isId || undefined}>
          <Shown text={heading} max={80} />
        </h3>
        {subheading !== '' && (
          <p className="wrap-anywhere text-mid">
            <Shown text={subheading} max={160} />
          </p>
        )}
      </div>
      {figure && (
        <p
          className="ml-auto grid max-w-1/2 flex-none justify-items-end gap-1 self-center text-end text-xs"
          title="As sent; no currency is given"
        >
          <span className="ticket-figure">
            {sign !== null && `${sign} `}
            {figure.text}
          </span>
          <span className="text-dim">{figure.label}</span>
        </p>
      )}
    </header>
  )
}

const noPlaces: readonly Place[] = []

/** The head of a ticket, from the view of its type. For an undocumented type, from the payload alone. */
export function ticketHead(known: EventType | undefined, payload: Payload) {
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
      places: noPlaces,
    }
  }
  const { view, fired } = known
  const [named] = textsAt(payload, view.heading)
  const heading = named ?? (target || 'No target')
  const figure = figureOf(known, payload)
  const amounts = figure && view.amount ? [view.amount.of, view.amount.times ?? view.amount.of] : []
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
    figure,
    /** The fields whose values it shows. */
    places: [
      ...view.heading.filter((place) => text(valueAt(payload, place)) === named),
      ...view.subheading.filter((place) => text(valueAt(payload, place)) !== ''),
      ...amounts,
    ],
  }
}

function textsAt(payload: Payload, places: readonly string[]): string[] {
  return places.map((place) => text(valueAt(payload, place))).filter((part) => part !== '')
}

/** The amount on the right with its label; null if the type or the payload has none. */
function figureOf({ view, data }: EventType, payload: Payload) {
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
