import type { FieldFormat } from '#catalogue/define.ts'
import { amount, ExactNumber } from '#catalogue/payload.ts'
import { Shown } from '#kit/Shown.tsx'
import { brief, readTime, longestId } from './field-format.ts'
import { fromNow, localTime, utcTime } from '#kit/text/time.ts'
import { useNow } from '#kit/Time.tsx'
import { CopyButton } from '#kit/Button.tsx'
import { shortText } from '#kit/text/visible.ts'
import { printValue } from '#contract/filter/print.ts'
import { closeDelivery, setFilterText } from '#client/state/deliveries.ts'

const maxTextLength = 2000
const maxTags = 60

interface Props {
  readonly value: unknown
  readonly format: FieldFormat
}

/** Shows a value by its format. A value that does not fit the format is shown as plain text. */
export function FieldValue({ value, format }: Props) {
  if (value === null) return <span className="mono text-mid">null</span>
  switch (format) {
    case 'id':
      if (typeof value === 'string' && value !== '') return <IdValue id={value} />
      break
    case 'amount':
      if (typeof value !== 'number' && !(value instanceof ExactNumber)) break
      return (
        <span className="mono" title={`${brief(value, 60)} as sent; no currency is given`}>
          {amount(value)}
        </span>
      )
    case 'time':
      if (typeof value === 'string') return <Moment text={value} />
      break
    case 'tags':
      if (Array.isArray(value)) return <Tags values={value} />
      break
    case 'flag':
      if (typeof value === 'boolean') return <span>{value ? 'yes' : 'no'}</span>
      break
    case 'count':
    case 'text':
    case 'object':
  }
  return <Plain value={value} />
}

function Moment({ text }: { readonly text: string }) {
  const time = readTime(text)
  return time ? <TimeValue {...time} text={text} /> : <Plain value={text} />
}

function Plain({ value }: { readonly value: unknown }) {
  if (value === '') return <em className="text-dim">empty text</em>
  const shown = brief(value, maxTextLength)
  return (
    <span className={typeof value === 'string' ? undefined : 'mono'}>
      <Shown text={shown} />
    </span>
  )
}

/** Long lists scroll, so they must be reachable by keyboard. */
export function scrolledList(count: number, label: string) {
  return count > 4 ? ({ role: 'group', 'aria-label': label, tabIndex: 0 } as const) : {}
}

export function Tags({ values }: { readonly values: readonly unknown[] }) {
  if (values.length === 0) return <em className="text-dim">empty list</em>
  return (
    <span
      className="inline-flex max-h-(--measure-aside) flex-[1_0_100%] flex-wrap gap-2 overflow-auto"
      {...scrolledList(values.length, 'Values')}
    >
      {values.slice(0, maxTags).map((value, index) => (
        // Tags can repeat, so the index is the key.
        // oxlint-disable-next-line react/no-array-index-key
        <span className="tag" key={index}>
          <Shown text={brief(value, 120)} />
        </span>
      ))}
      {values.length > maxTags && <span className="text-dim">{values.length - maxTags} more</span>}
    </span>
  )
}

interface TimeValueProps {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
  /** False if the text has no time zone and is read as local time. */
  readonly zoned: boolean
}

/** A time in the local zone with its age, and in UTC. Also shows the received text if it differs. */
function TimeValue({ at, text, zoned }: TimeValueProps) {
  const now = useNow()
  const utc = utcTime(at)
  return (
    <span className="grid">
      <span>
        <time dateTime={utc}>{localTime(at)}</time>{' '}
        <span className="whitespace-nowrap text-dim">{fromNow(at, now)}</span>
      </span>
      <span className="mono text-xs text-dim">{utc} UTC</span>
      {text !== utc && (
        <span className="mono text-xs text-dim">
          {text} as received{zoned ? '' : ', no time zone: read as local time'}
        </span>
      )}
    </span>
  )
}

/** An ID that can be copied, with a link to all deliveries that contain it. */
export function IdValue({ id }: { readonly id: string }) {
  const name = shortText(id, 60)
  return (
    <span className="inline-flex items-center gap-2 text-xs wrap-anywhere">
      {id.length > longestId ? (
        <span className="mono">
          <Shown text={id} max={longestId} />
        </span>
      ) : (
        <button
          type="button"
          className="link mono"
          title="Show all deliveries with this ID"
          aria-label={`${name}: show all deliveries with this ID`}
          onClick={() => showDeliveriesWith(id)}
        >
          <Shown text={id} />
        </button>
      )}
      <CopyButton text={id} label={`Copy ${name}`} />
    </span>
  )
}

function showDeliveriesWith(id: string): void {
  setFilterText(`ref:${printValue({ text: id, quoted: true })}`)
  // The open delivery contains the ID as well, and would cover the list in a narrow window.
  closeDelivery()
}
