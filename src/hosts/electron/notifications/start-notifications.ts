import type { Failure, Watch } from '../watch.ts'
import type { EngineMirror } from '../engine-mirror.ts'
import { createThrottle, type Batch, failuresNote, tunnelNote } from './messages.ts'
import type { Notifier } from './notifier.ts'
import { createTunnelLoss, type TunnelNews } from './tunnel-loss.ts'

/** One notification of failed deliveries in this time (ms) at most. */
const EVERY_MS = 30_000

interface Parts {
  readonly picture: EngineMirror
  readonly watch: Watch
  readonly notifier: Notifier
}

/** Tells of failed verdicts and of a lost tunnel while nobody looks, as the settings say. */
export function startNotifications({ picture, watch, notifier }: Parts): void {
  tellOfFailures(picture, watch, notifier)
  tellOfTunnel(picture, watch, notifier)
}

function tellOfFailures(picture: EngineMirror, watch: Watch, notifier: Notifier): void {
  const throttle = createThrottle<Failure>(EVERY_MS)
  let isAll = true
  const wake = alarm(() => tell(throttle.due(Date.now())))
  const nameOf = (id: number): string | undefined =>
    picture.current?.endpoints.find((endpoint) => endpoint.id === id)?.name

  function tell(told: Batch<Failure> | null): void {
    const note = told === null ? null : failuresNote(told, isAll, nameOf, timeOf)
    if (told !== null) isAll = true
    if (note !== null && picture.current?.settings.notifyVerdicts === true) notifier.show(note)
    wake.at(throttle.dueAt)
  }

  watch.onFailed((news) => {
    if (picture.current?.settings.notifyVerdicts !== true) return
    isAll &&= news.isAll
    tell(throttle.take(news.failed, Date.now()))
  })
  // Whoever looks sees them in the list.
  watch.onLook(() => {
    throttle.forget()
    isAll = true
    wake.at(null)
  })
}

function tellOfTunnel(picture: EngineMirror, watch: Watch, notifier: Notifier): void {
  const loss = createTunnelLoss()
  const wake = alarm(() => tell(loss.due(Date.now())))

  function tell(news: TunnelNews | null): void {
    const wanted = picture.current?.settings.notifyTunnel === true && !watch.isLooking()
    if (news !== null && wanted) notifier.show(tunnelNote(news))
    else if (news?.kind === 'lost') loss.untold()
    wake.at(loss.dueAt)
  }

  picture.onChange(({ tunnel }) => tell(loss.see(tunnel, Date.now())))
}

/** Runs `work` at a time that may change. It does not keep the app from ending. */
function alarm(work: () => void): { at(time: number | null): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    at(time) {
      clearTimeout(timer)
      timer = time === null ? undefined : setTimeout(work, Math.max(0, time - Date.now())).unref()
    },
  }
}

/** `20:14`, by the habit of the system. */
function timeOf(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}
