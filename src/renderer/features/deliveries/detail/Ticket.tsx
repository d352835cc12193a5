import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { EventType } from '#catalogue/define.ts'
import { amount, field, text } from '#catalogue/payload.ts'
import type { Payload } from '#catalogue/payload.ts'
import { EventIcon } from '../../../components/EventIcon.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { FieldRow } from './FieldRow.tsx'
import './Ticket.css'

const extrasDrawn = 100

/** The event's data as a ticket: what it is about above the perforation, every field below. */
export function Ticket({ payload }: { readonly payload: Payload }) {
  const known = eventTypeOf(payload.type)
  const { data } = payload
  const declared = known?.data ?? []
  const extras = keysOf(data).filter((key) => !declared.some((one) => one.key === key))
  const head = known ? headOf(known, payload) : unknownHead(payload)
  const empty = declared.length === 0 && extras.length === 0
  return (
    <article className="ticket" aria-label={known?.label ?? 'Unknown type'}>
      <header className="ticket-head">
        <span className="ticket-icon" title={known?.fired}>
          <EventIcon name={known?.view.icon ?? 'circle-question-mark'} />
        </span>
        <div className="ticket-words">
          <h3 data-id={head.isId || undefined}>
            <Shown text={cut(head.heading, 80)} />
          </h3>
          <p>
            <Shown text={cut(head.subheading, 160)} />
          </p>
        </div>
        {head.amount !== '' && <span className="ticket-amount">{head.amount}</span>}
      </header>
      <div className="ticket-tear" aria-hidden />
      {empty ? (
        <p className="ticket-empty">
          {known?.hasData === 'no'
            ? 'The document gives this type no data, and none came.'
            : 'No data came.'}
        </p>
      ) : (
        <dl className="fields">
          {declared.map((one) => (
            <FieldRow
              key={one.key}
              label={one.label}
              name={one.key}
              description={one.description}
              value={field(data, one.key)}
              format={one.format}
              expected
              known={one.known}
            />
          ))}
          {extras.slice(0, extrasDrawn).map((key) => (
            <FieldRow
              key={key}
              label={null}
              name={key}
              description={null}
              value={field(data, key)}
              format={null}
              expected
              known={undefined}
              tagged={known !== undefined}
            />
          ))}
        </dl>
      )}
      {extras.length > extrasDrawn && (
        <p className="ticket-empty">{extras.length - extrasDrawn} more fields are under Body.</p>
      )}
    </article>
  )
}

interface Head {
  readonly heading: string
  /** The heading is the target's id, for want of a name. */
  readonly isId: boolean
  readonly subheading: string
  readonly amount: string
}

function headOf(known: EventType, payload: Payload): Head {
  const { view } = known
  const named = view.heading === null ? '' : text(field(payload.data, view.heading))
  const target = text(payload.targetUuid) || text(payload.targetId)
  const under = view.subheading.map((key) => text(field(payload.data, key))).filter(Boolean)
  const subheading = under.length > 0 ? under : [known.label, text(payload.locationName)]
  return {
    heading: named || target || known.label,
    isId: named === '' && target !== '',
    subheading: subheading.filter(Boolean).join(' · '),
    amount: view.amount === null ? '' : amount(field(payload.data, view.amount)),
  }
}

function unknownHead(payload: Payload): Head {
  return {
    heading: text(payload.type) || 'No type',
    isId: false,
    subheading: 'The document does not know this type',
    amount: '',
  }
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.keys(value)
    : []
}
