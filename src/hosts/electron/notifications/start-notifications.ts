import type { Watch } from '../watch.ts'
import type { EngineView } from '../engine/view.ts'
import type { EngineMirror } from '../engine-mirror.ts'
import {
  alertNote,
  failuresNote,
  requestNote,
  tunnelBackNote,
  tunnelLostNote,
  type FailureBatch,
} from './messages.ts'
import type { Notifier } from './notifier.ts'

const EVERY_MS = 30_000
/** Most tunnels reconnect by themselves within this time. */
const GRACE_MS = 5_000
const TUNNEL_EVERY_MS = 60_000

interface Parts {
  readonly view: Pick<EngineView, 'call' | 'on'>
  readonly mirror: EngineMirror
  readonly watch: Watch
  readonly notifier: Notifier
}

/** While the user is not looking: failed verdicts, a lost tunnel and alerts, as the settings say, and requests of coding assistants. */
export function startNotifications({ view, mirror, watch, notifier }: Parts): void {
  notifyOfRequests(view, watch, notifier)
  notifyOfFailures(mirror, watch, notifier)
  notifyOfTunnel(mirror, watch, notifier)
  notifyOfAlerts({ view, mirror, watch, notifier })
}

function notifyOfRequests(view: Parts['view'], watch: Watch, notifier: Notifier): void {
  view.on('assistants.called', ({ id, outcome }) => {
    if (outcome !== 'waiting' || watch.isLooking()) return
    // A click opens the window, which asks.
    notifier.show(requestNote, () => {
      view.call('assistants.shown', { id }).catch(() => undefined)
    })
  })
}

function notifyOfFailures(mirror: EngineMirror, watch: Watch, notifier: Notifier): void {
  const nothing: FailureBatch = { items: [], isAll: true, since: 0 }
  let waiting = nothing
  /** Runs for some time after each notification. */
  let timer: NodeJS.Timeout | undefined
  const isWanted = (): boolean => mirror.current?.settings.notifyVerdicts === true
  const endpointName = endpointNames(mirror)

  function notify(): void {
    timer = undefined
    const text = failuresNote(waiting, endpointName, formatTime)
    waiting = nothing
    if (text === null) return
    if (isWanted()) notifier.show(text)
    timer = setTimeout(notify, EVERY_MS).unref()
  }

  watch.onFailed(({ failed, isAll }) => {
    if (!isWanted()) return
    waiting = {
      items: [...waiting.items, ...failed],
      isAll: waiting.isAll && isAll,
      since: waiting.items.length === 0 ? Date.now() : waiting.since,
    }
    if (timer === undefined) notify()
  })
  // The user sees them in the list now.
  watch.onLook(() => {
    waiting = nothing
  })
}

function notifyOfTunnel(mirror: EngineMirror, watch: Watch, notifier: Notifier): void {
  /** Runs while the tunnel may come back by itself. */
  let timer: NodeJS.Timeout | undefined
  let isNotified = false
  let notifiedAt = -Infinity
  const isWanted = (): boolean =>
    mirror.current?.settings.notifyTunnel === true && !watch.isLooking()

  const delayMs = (): number => Math.max(GRACE_MS, notifiedAt + TUNNEL_EVERY_MS - performance.now())

  function notifyOfLoss(): void {
    if (!isWanted()) return
    isNotified = true
    notifiedAt = performance.now()
    notifier.show(tunnelLostNote)
  }

  mirror.onChange(({ tunnel, tunnelWasUp }) => {
    switch (tunnel.state) {
      case 'opening':
      case 'degraded':
        break
      case 'offline':
      case 'reconnecting':
        // A tunnel that never was online could not be opened, which the page shows.
        if (tunnelWasUp) timer ??= setTimeout(notifyOfLoss, delayMs()).unref()
        break
      case 'online':
        if (isNotified && isWanted()) notifier.show(tunnelBackNote(tunnel.url))
        reset()
        break
      case 'off':
        reset()
    }
  })

  function reset(): void {
    clearTimeout(timer)
    timer = undefined
    isNotified = false
  }
}

function notifyOfAlerts({ view, mirror, watch, notifier }: Parts): void {
  const startedAt = Date.now()
  let lastId = 0
  view.on('health.changed', ({ alerts }) => {
    const fresh = alerts.filter(({ id, raisedAt }) => id > lastId && raisedAt >= startedAt)
    lastId = Math.max(lastId, ...alerts.map(({ id }) => id))
    if (mirror.current?.settings.notifyAlerts !== true || watch.isLooking()) return
    for (const alert of fresh) notifier.show(alertNote(alert, endpointNames(mirror), formatTime))
  })
}

function endpointNames(mirror: EngineMirror): (id: number) => string | undefined {
  return (id) => mirror.current?.endpoints.find((endpoint) => endpoint.id === id)?.name
}

function formatTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}
