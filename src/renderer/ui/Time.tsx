import { clockTime, clockTimeSeconds, fullTime, utcTime } from './text/time.ts'

interface Props {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Without milliseconds. */
  readonly isRounded?: boolean
}

/** A time with milliseconds, with the date and time zone on hover. */
export function ClockTime({ at, isRounded = false }: Props) {
  return (
    <time dateTime={utcTime(at)} title={fullTime(at)}>
      {isRounded ? clockTimeSeconds(at) : clockTime(at)}
    </time>
  )
}
