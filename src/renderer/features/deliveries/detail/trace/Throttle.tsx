import { Timer } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Related } from '#contract/deliveries.ts'
import { Shown } from '../../../../components/Shown.tsx'
import { counted } from '../../../../components/text/numbers.ts'
import { clockTimeSeconds, fullTime, utcTime } from '../../../../components/text/time.ts'
import { cut } from '../../../../components/text/visible.ts'

/** What the throttle of QR codes lets one say of a scan. Never that it was broken: the payload has no customer. */
export function Throttle({ throttle }: { readonly throttle: NonNullable<Related['throttle']> }) {
  const { target, name, until, events, guestsAtLeast } = throttle
  const left = countdown(until, useSeconds(until))
  return (
    <section className="throttle plain-card" aria-label="Throttle of this QR code">
      <Timer aria-hidden />
      <div>
        <p>
          If the same guest rescans{' '}
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
            <b className="throttle-left" role="timer">
              ({left})
            </b>
          )}
        </p>
        <p className="mid">
          {counted(events, 'event', 'events')} of this target in the 5 minutes up to this one: at
          least {counted(guestsAtLeast, 'guest', 'guests')}, if the throttle holds.
        </p>
        <p className="dim">
          The document: one event per 5 minutes per customer per target. The payload has no
          customer, so who scanned cannot be told.
        </p>
      </div>
    </section>
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
