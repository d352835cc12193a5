import type { Failure, Watch } from '../watch.ts'
import type { EngineView } from '../engine/view.ts'
import type { EngineMirror } from '../engine-mirror.ts'
import { createThrottle, type Batch, failuresNote, requestNote, tunnelNote } from './messages.ts'
import type { Notifier } from './notifier.ts'
import { createTunnelLoss, type TunnelNews } from './tunnel-loss.ts'

/** Minimum time between two notifications of failed deliveries, in milliseconds. */
const EVERY_MS = 30_000

interface Parts {
  readonly view: Pick<EngineView, 'call' | 'on'>
  readonly mirror: EngineMirror
  readonly watch: Watch
  readonly notifier: Notifier
}

/** Notifies of failed verdicts and of a lost tunnel, as the settings say, and of requests of coding assistants, while the user is not looking. */
export function startNotifications({ view, mirror, watch, notifier }: Parts): void {
  notifyOfRequests(view, watch, notifier)
  notifyOfFailures(mirror, watch, notifier)
  notifyOfTunnel(mirror, watch, notifier)
}

function notifyOfRequests(view: Parts['view'], watch: Watch, notifier: Notifier): void {
  view.on('assistants.called', ({ id, outcome }) => {
    if (outcome !== 'waiting' || watch.isLooking()) return
    let isShown = true
    notifier.show(requestNote, () => (isShown = false))
    // A click opens the window, which asks.
    if (isShown) view.call('assistants.shown', { id }).catch(() => undefined)
  })
}

function notifyOfFailures(mirror: EngineMirror, watch: Watch, notifier: Notifier): void {
  const throttle = createThrottle<Failure>(EVERY_MS)
  let isAll = true
  const timer = createTimer(() => notify(throttle.due(Date.now())))
  const endpointName = (id: number): string | undefined =>
    mirror.current?.endpoints.find((endpoint) => endpoint.id === id)?.name

  function notify(batch: Batch<Failure> | null): void {
    const text = batch === null ? null : failuresNote(batch, isAll, endpointName, formatTime)
    if (batch !== null) isAll = true
    if (text !== null && mirror.current?.settings.notifyVerdicts === true) notifier.show(text)
    timer.at(throttle.dueAt)
  }

  watch.onFailed((news) => {
    if (mirror.current?.settings.notifyVerdicts !== true) return
    isAll &&= news.isAll
    notify(throttle.add(news.failed, Date.now()))
  })
  // The user sees them in the list now.
  watch.onLook(() => {
    throttle.clear()
    isAll = true
    timer.at(null)
  })
}

function notifyOfTunnel(mirror: EngineMirror, watch: Watch, notifier: Notifier): void {
  const loss = createTunnelLoss()
  const timer = createTimer(() => notify(loss.due(Date.now())))

  function notify(news: TunnelNews | null): void {
    const isWanted = mirror.current?.settings.notifyTunnel === true && !watch.isLooking()
    if (news !== null && isWanted) notifier.show(tunnelNote(news))
    else if (news?.kind === 'lost') loss.notNotified()
    timer.at(loss.dueAt)
  }

  mirror.onChange(({ tunnel }) => notify(loss.update(tunnel, Date.now())))
}

/** Runs `work` at a time that can be changed. Does not keep the app from ending. */
function createTimer(work: () => void): { at(time: number | null): void } {
  let timeout: NodeJS.Timeout | undefined
  return {
    at(time) {
      clearTimeout(timeout)
      timeout = time === null ? undefined : setTimeout(work, Math.max(0, time - Date.now())).unref()
    },
  }
}

/** `20:14`, in the format of the system. */
function formatTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}
