import { eventTypeOf } from '#catalogue/catalogue.ts'
import { field, type Payload } from '#catalogue/payload.ts'
import { cx } from '../../../components/cx.ts'
import { EventIcon } from '../../../components/EventIcon.tsx'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { Tooltip } from '../../../components/Tooltip.tsx'
import { dataIsNoObject, ticketHead, type TicketHeadText } from './ticket-head.ts'
import { TicketParts } from './TicketParts.tsx'
import './Ticket.css'
import type { EventType } from '#catalogue/define.ts'
import { counted } from '../../../components/text/numbers.ts'
import { FieldRow } from './FieldRow.tsx'
import { guessFormat } from './field-format.ts'
import { dataFieldState, extraFieldState } from './field-state.ts'

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
      <p className="ticket-empty">
        {known?.hasData === 'no'
          ? 'The document gives this type no data, and none came.'
          : 'No data came.'}
      </p>
    )
  }
  return (
    <>
      <dl className="fields">
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
        <p className="ticket-empty">
          {counted(extras.length - extrasDrawn, 'more field is', 'more fields are')} under Body.
        </p>
      )}
    </>
  )
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.keys(value)
    : []
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
        <p className="ticket-empty">
          The document does not know this type: what follows is drawn by what it looks like.
        </p>
      )}
      {known?.hasData === 'contradictory' && (
        <div className="ticket-note">
          <Note tone="info">
            The document contradicts itself here: its summary says that {known.type} has no data,
            its definition lists these fields. Neither is taken for an error.
          </Note>
        </div>
      )}
      {dataIsNoObject(payload) ? (
        <p className="ticket-empty">The data is no object, so it has no fields. See below.</p>
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
      <span className="ticket-icon">
        <EventIcon name={icon} />
      </span>
      <div className="ticket-words">
        <p className="ticket-stamp">
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
        <h3 className={cx(isId && 'mono')} data-id={isId || undefined}>
          <Shown text={cut(heading, 80)} />
        </h3>
        {subheading !== '' && (
          <p className="ticket-under">
            <Shown text={cut(subheading, 160)} />
          </p>
        )}
      </div>
      {figure && (
        <p className="ticket-amount" title="As sent; no currency is given">
          <span className="ticket-figure">
            {sign !== null && `${sign} `}
            {figure.text}
          </span>
          <span className="dim">{figure.label}</span>
        </p>
      )}
    </header>
  )
}
