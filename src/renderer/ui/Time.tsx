import { clockTime, fullTime, utcTime } from './text/time.ts'

/** A time with milliseconds, with the date and time zone on hover. `at`: milliseconds since the epoch. */
export function ClockTime({ at }: { readonly at: number }) {
  return (
    <time dateTime={utcTime(at)} title={fullTime(at)}>
      {clockTime(at)}
    </time>
  )
}
