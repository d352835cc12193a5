import { type ComponentProps, useEffect, useSyncExternalStore } from 'react'
import { clockTime, clockTimeSeconds, fullTime, utcTime } from './text/time.ts'
import { Icons } from './icons.tsx'

interface At {
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A time in the given words, with the date, milliseconds and time zone on hover. */
export function Time({ at, ...rest }: At & ComponentProps<'time'>) {
  return <time dateTime={utcTime(at)} title={fullTime(at)} {...rest} />
}

interface ClockProps extends At {
  /** Without milliseconds. */
  isRounded?: boolean
}

/** A time of day with milliseconds. */
export function ClockTime({ at, isRounded = false }: ClockProps) {
  return <Time at={at}>{isRounded ? clockTimeSeconds(at) : clockTime(at)}</Time>
}

const interval = 15_000
/** The maximum delay of a timer in milliseconds (24 days). */
const maxDelay = 2 ** 31 - 1
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | null = null

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(changed: () => void): () => void {
  now = Date.now()
  listeners.add(changed)
  timer ??= setInterval(tick, interval)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

function current(): number {
  return now
}

/**
 * The current time in milliseconds, updated every 15 s, for texts such as "2 min ago". Also updated at the time that `next` returns, in
 * milliseconds since the epoch; null for no such update.
 */
export function useNow(next?: (now: number) => number | null): number {
  const currentTime = useSyncExternalStore(subscribe, current, current)
  const updateAt = next?.(currentTime) ?? null
  useEffect(() => {
    const rest = updateAt === null ? 0 : updateAt - Date.now()
    if (updateAt === null || updateAt <= currentTime || rest > maxDelay) return undefined
    const timer = setTimeout(tick, Math.max(0, rest) + 1)
    return () => clearTimeout(timer)
  }, [currentTime, updateAt])
  return currentTime
}

/** The seconds until something happens by itself. `at`: milliseconds since the epoch. */
export function Countdown({ words, at }: { words: string; at: number }) {
  const left = (now: number): number => Math.max(0, Math.ceil((at - now) / 1000))
  const now = useNow((last) => (left(last) === 0 ? null : at - (left(last) - 1) * 1000))
  return (
    <span className="font-semibold whitespace-nowrap text-warning icon-xs" role="timer">
      <Icons.Timer /> {words} {left(now)} s
    </span>
  )
}
