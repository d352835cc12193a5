import { Inbox, ListFilter } from 'lucide-react'
import { VerdictIcon, verdictWord } from '../../components/Mark.tsx'
import { MarkedText } from '../../components/MarkedText.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { dayOf, fullTime, shortDate, utcTime } from '../../components/text/time.ts'
import { ClockTime } from '../../components/Time.tsx'
import { useNow } from '../../components/use-now.ts'
import { keyWord } from '../shell/key-words.ts'
import { deliveryWords } from './look-for.ts'
import type { Choice } from './parts.ts'

interface Props {
  readonly id: string
  readonly choice: Choice
  readonly active: boolean
  /** The pointer moved over it: what lies under a pointer that rests is not chosen by that. */
  readonly onPoint: () => void
  readonly onAccept: () => void
}

/** One line of the palette. The field holds the focus. */
export function Option({ id, choice, active, onPoint, onAccept }: Props) {
  return (
    // The field holds the focus and handles the keys; a click is the pointer's way of the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={active}
      className="palette-option"
      onMouseMove={active ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onAccept}
    >
      <Line choice={choice} />
    </div>
  )
}

function Line({ choice }: Pick<Props, 'choice'>) {
  switch (choice.kind) {
    case 'entry': {
      const { label, group, icon: Icon, keys } = choice.entry
      return (
        <>
          <Icon aria-hidden className="palette-icon" />
          <span className="palette-label cut">
            <MarkedText text={label} marks={choice.marks} />
          </span>
          <span className="palette-group cut">{group}</span>
          <span className="palette-keys">
            {keys[0] !== undefined && <kbd>{keyWord(keys[0])}</kbd>}
          </span>
        </>
      )
    }
    case 'delivery': {
      const { row, marks } = choice
      const { type, title } = deliveryWords(row)
      return (
        <>
          <span className="disc" data-tone={row.verdict} title={verdictWord(row.verdict)}>
            <VerdictIcon verdict={row.verdict} />
          </span>
          <span className="visually-hidden">{verdictWord(row.verdict)}, </span>
          <span className="palette-type mono cut">
            <MarkedText text={type} marks={marks.type} />
          </span>
          <span className="palette-label cut">
            <MarkedText text={title} marks={marks.title} />
          </span>
          <span className="palette-place cut">{visible(cut(row.locationName ?? '', 80))}</span>
          <span className="palette-number">#{row.id}</span>
          <span className="palette-time mono">
            <Arrival at={row.receivedAt} />
          </span>
        </>
      )
    }
    case 'number':
      return (
        <>
          <Inbox aria-hidden className="palette-icon" />
          <span className="palette-label cut">Delivery</span>
          <span className="palette-number">#{choice.number}</span>
        </>
      )
    case 'filter':
      return (
        <>
          <ListFilter aria-hidden className="palette-icon" />
          <span className="palette-label cut">
            Filter deliveries for <code className="mono">{visible(cut(choice.filter, 200))}</code>
          </span>
        </>
      )
  }
}

/** By its clock what came today, by its day what came before: what is found may be a month old. */
function Arrival({ at }: { readonly at: number }) {
  const now = useNow()
  return dayOf(at) === dayOf(now) ? (
    <ClockTime at={at} />
  ) : (
    <time dateTime={utcTime(at)} title={fullTime(at)}>
      {shortDate(at)}
    </time>
  )
}
