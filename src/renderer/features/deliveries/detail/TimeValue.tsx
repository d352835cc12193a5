import { ago, localTime, utcTime } from '../../../components/text/time.ts'
import { useNow } from '../../../components/use-now.ts'

interface Props {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** As it came. */
  readonly text: string
  /** False: the text names no zone, and is taken for one of here. */
  readonly zoned: boolean
}

/** A time in the zone of this machine, how long ago that is, and in UTC; as it came where that says something else. */
export function TimeValue({ at, text, zoned }: Props) {
  const now = useNow()
  const utc = utcTime(at)
  return (
    <span className="time-value">
      <span>
        <time dateTime={utc}>{localTime(at)}</time>{' '}
        <span className="time-ago dim">{ago(at, now)}</span>
      </span>
      <span className="mono dim">{utc} UTC</span>
      {text !== utc && (
        <span className="mono dim">
          {text} as it came{zoned ? '' : ', without a zone: taken for local time'}
        </span>
      )}
    </span>
  )
}
