import type { Trace } from '#contract/deliveries.ts'
import { amount } from '#catalogue/payload.ts'
import { clockMinutes, fullTime, utcTime } from '../../../../ui/text/time.ts'
import { cut, visible } from '../../../../ui/text/visible.ts'
import { openFromTrace } from './trace-navigation.ts'
import { stripOf, typeLabel, type Cell } from './strip.ts'
import './TraceStrip.css'

interface Props {
  readonly trace: Trace
  readonly currentId: number
}

export function TraceStrip({ trace, currentId }: Props) {
  const cells = stripOf(trace, currentId)
  return (
    <ol className="trace-strip" aria-label="Trace summary">
      {cells.map((cell, index) => (
        <li
          key={keyOf(cell, index)}
          data-kind={cell.kind}
          data-current={(cell.kind === 'events' && cell.current) || undefined}
        >
          <StripCell cell={cell} />
        </li>
      ))}
    </ol>
  )
}

function StripCell({ cell }: { readonly cell: Cell }) {
  switch (cell.kind) {
    case 'more':
      return <span className="strip-words dim">{cell.count} more</span>
    case 'unseen':
      return (
        <span className="strip-words">
          <b className="mono">{cell.type}</b>
          <span className="dim">not received</span>
        </span>
      )
    case 'events': {
      const words = (
        <>
          <b className="mono">
            {visible(cut(cell.type, 40))}
            {cell.count > 1 && ` ×${cell.count}`}
          </b>
          <span className="mid">
            <time dateTime={utcTime(cell.at)} title={`${fullTime(cell.at)}\n${utcTime(cell.at)}`}>
              {clockMinutes(cell.at)}
            </time>
            {cell.value !== null && ` · ${amount(cell.value)}`}
          </span>
        </>
      )
      return cell.current ? (
        <span className="strip-words" aria-current="true">
          {words}
        </span>
      ) : (
        <button
          type="button"
          className="link strip-words"
          title={`${visible(cut(typeLabel(cell.type), 60))}: open #${cell.id}`}
          onClick={() => openFromTrace(cell.id)}
        >
          {words}
        </button>
      )
    }
  }
}

function keyOf(cell: Cell, index: number): string {
  return cell.kind === 'events' ? `${cell.id}` : `${cell.kind} ${index}`
}
