import { Text, type Props } from './Layout.tsx'
import { clockTime, clockTimeSeconds, fullTime, utcTime } from './text/time.ts'

interface At {
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A time in the given words, with the date, milliseconds and time zone on hover. */
export function Time({ at, ...rest }: At & Props<'time'>) {
  return <Text as="time" dateTime={utcTime(at)} title={fullTime(at)} {...rest} />
}

interface ClockProps extends At {
  /** Without milliseconds. */
  readonly isRounded?: boolean
}

/** A time of day with milliseconds. */
export function ClockTime({ at, isRounded = false }: ClockProps) {
  return <Time at={at}>{isRounded ? clockTimeSeconds(at) : clockTime(at)}</Time>
}
