import { plural as counted } from '#shared/text/format.ts'
import { Timer } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Related } from '#contract/deliveries.ts'
import { Grid, Text } from '../../../../ui/Layout.tsx'
import { Shown } from '../../../../ui/Shown.tsx'
import { clockTimeSeconds, fullTime, utcTime } from '../../../../ui/text/time.ts'
import { cut } from '../../../../ui/text/visible.ts'

/** What the throttle of QR codes lets one say of a scan. Never that it was broken: the payload has no customer. */
export function Throttle({ throttle }: { readonly throttle: NonNullable<Related['throttle']> }) {
  const { target, name, until, events, guestsAtLeast } = throttle
  const left = countdown(until, useSeconds(until))
  return (
    <Grid
      as="section"
      columns="auto 1"
      gap={5}
      pad={[5, 6]}
      frame
      aria-label="Throttle of this QR code"
    >
      <Timer className="tone-dim above-1" aria-hidden />
      <div>
        <p>
          If the same guest scans again{' '}
          <b>
            <Shown text={cut(name ?? target, 80)} />
          </b>
          , no event comes before{' '}
          <time dateTime={utcTime(until)} title={`${fullTime(until)}\n${utcTime(until)}`}>
            {clockTimeSeconds(until)}
          </time>{' '}
          {left === null ? (
            <span className="dim">(over)</span>
          ) : (
            <Text as="b" tone="accent" weight="bold" role="timer">
              ({left})
            </Text>
          )}
        </p>
        <p className="mid size-s">
          {counted(events, 'event', 'events')} of this target in the 5 minutes up to this one: at
          least {counted(guestsAtLeast, 'guest', 'guests')}, if the throttle holds.
        </p>
        <p className="dim size-s">
          API documentation: one event per 5 minutes per customer per target. The payload has no
          customer, so the customer is unknown.
        </p>
      </div>
    </Grid>
  )
}

/** The time of now, fresh each second until a moment; both in milliseconds since the epoch. */
function useSeconds(until: number): number {
  const [now, setNow] = useState(() => Date.now())
  const running = now < until
  useEffect(() => {
    if (!running) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [running])
  return now
}

/** How long until a moment, as a clock counts down: `4:59`, `1:02:03`; null when it has come. Both in milliseconds since the epoch. */
export function countdown(until: number, now: number): string | null {
  const left = Math.ceil((until - now) / 1000)
  if (!(left > 0)) return null
  const seconds = String(left % 60).padStart(2, '0')
  const minutes = Math.floor(left / 60)
  if (minutes < 60) return `${minutes}:${seconds}`
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`
}
