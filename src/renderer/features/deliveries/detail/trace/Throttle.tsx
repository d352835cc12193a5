import { plural } from '#shared/text/format.ts'
import { Icons } from '../../../../ui/icons.tsx'
import { useNow } from '../../../../ui/use-now.ts'
import type { Related } from '#contract/deliveries.ts'
import { Grid, Text } from '../../../../ui/Layout.tsx'
import { Shown } from '../../../../ui/Shown.tsx'
import { clockTimeSeconds, fullTime, utcTime } from '../../../../ui/text/time.ts'
import { truncate } from '../../../../ui/text/visible.ts'

/** What follows for a scan from the throttle of QR codes. It cannot show a violation, since the payload has no customer. */
export function Throttle({ throttle }: { readonly throttle: NonNullable<Related['throttle']> }) {
  const { target, name, endsAt, events, minGuests } = throttle
  const left = countdown(
    endsAt,
    useNow((now) => (now < endsAt ? now + 1000 : null)),
  )
  return (
    <Grid
      as="section"
      columns="auto 1"
      gap={5}
      pad={[5, 6]}
      frame
      aria-label="Throttle of this QR code"
    >
      <Icons.Timer className="tone-dim margin-top-1" />
      <div>
        <p>
          If the same guest scans again{' '}
          <b>
            <Shown text={truncate(name ?? target, 80)} />
          </b>
          , no event is sent before{' '}
          <time dateTime={utcTime(endsAt)} title={`${fullTime(endsAt)}\n${utcTime(endsAt)}`}>
            {clockTimeSeconds(endsAt)}
          </time>{' '}
          {left === null ? (
            <span className="dim">(elapsed)</span>
          ) : (
            <Text as="b" tone="accent" weight="bold" role="timer">
              ({left})
            </Text>
          )}
        </p>
        <p className="mid size-s">
          {plural(events, 'event', 'events')} for this target in the 5 minutes up to this one: at
          least {plural(minGuests, 'guest', 'guests')}, if the throttle works as documented.
        </p>
        <p className="dim size-s">
          API documentation: one event per 5 minutes per customer per target. The payload has no
          customer, so the customer is unknown.
        </p>
      </div>
    </Grid>
  )
}

/** Formats the time left as `4:59` or `1:02:03`; null when none is left. Both in milliseconds since the epoch. */
export function countdown(until: number, now: number): string | null {
  const left = Math.ceil((until - now) / 1000)
  if (!(left > 0)) return null
  const seconds = String(left % 60).padStart(2, '0')
  const minutes = Math.floor(left / 60)
  if (minutes < 60) return `${minutes}:${seconds}`
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`
}
