import { clockTime, fullTime, utcTime } from './text/time.ts'

/** A time of arrival: clock with milliseconds, date and zone on hover. `at`: milliseconds since the epoch. */
export function ClockTime({ at }: { readonly at: number }) {
  return (
    <time dateTime={utcTime(at)} title={fullTime(at)}>
      {clockTime(at)}
    </time>
  )
}
