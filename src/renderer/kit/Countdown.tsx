import { Icons } from './icons.tsx'
import { useNow } from './Time.tsx'

/** The seconds until something happens by itself. `at`: milliseconds since the epoch. */
export function Countdown({ words, at }: { readonly words: string; readonly at: number }) {
  const left = (now: number): number => Math.max(0, Math.ceil((at - now) / 1000))
  const now = useNow((last) => (left(last) === 0 ? null : at - (left(last) - 1) * 1000))
  return (
    <span className="font-semibold whitespace-nowrap text-warning icon-xs" role="timer">
      <Icons.Timer /> {words} {left(now)} s
    </span>
  )
}
