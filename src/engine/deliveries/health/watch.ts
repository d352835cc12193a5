import type { Alert, HealthAlerts, HealthRule } from '#contract/health.ts'
import type { ParsedInput } from '#contract/calls.ts'
import type { Endpoint } from '#contract/models.ts'
import type { RelayView } from '#contract/relay.ts'
import type { TunnelStateName } from '#contract/tunnel.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Bus } from '../../platform/event-bus.ts'
import type { Log } from '../../platform/ports.ts'
import type { StorePort } from '../../platform/store/store-port.ts'
import { defaultRule, type AlertFacts, type AlertQuery, type Condition } from './alerts.ts'
import type { writePresence } from './running.ts'
import type { readHealthState, writeAlerts, writeRule } from './store.ts'

const everyMs = 60_000
/** After a delivery that may end a silence. */
const soonMs = 2000

export interface HealthPorts {
  readonly store: StorePort<
    { healthState: typeof readHealthState },
    {
      writeRule: typeof writeRule
      writeAlerts: typeof writeAlerts
      writePresence: typeof writePresence
    }
  > & { alertFacts(query: AlertQuery): Promise<AlertFacts> }
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  readonly bus: Pick<Bus, 'push'>
  readonly registry: { views(): readonly Endpoint[] }
  readonly tunnel: () => TunnelStateName
  readonly relays: () => readonly RelayView[]
}

/** Once a minute: writes that Tabscope is running, and raises and ends alerts. */
export class HealthWatch {
  readonly #ports: HealthPorts
  #alerts: Alert[] = []
  #rules: HealthRule[] = []
  #learned: HealthAlerts['learned'] = []
  #nextId = 1
  #cancel: () => void = () => undefined
  #running: Promise<void> = Promise.resolve()
  #isWatching = false
  #isChecking = false
  #checkedAt = Number.NEGATIVE_INFINITY
  #arrivals = 0
  #settled = { until: 0, arrivals: 0, rules: '' }
  #closed = false
  #isSoon = false
  #shown = ''

  constructor(ports: HealthPorts) {
    this.#ports = ports
  }

  async open(watches: boolean): Promise<void> {
    const { alerts, rules, lastId } = await this.#ports.store.reader.call('healthState')
    this.#alerts = alerts
    this.#rules = rules
    this.#nextId = lastId + 1
    this.#shown = JSON.stringify(this.view().alerts)
    this.#isWatching = watches
    if (watches) this.#schedule(0)
  }

  /** After a check, unless there was one just now: a script asks right after what it has sent. */
  async current(): Promise<HealthAlerts> {
    if (this.#isWatching && this.#ports.clock.now() - this.#checkedAt >= soonMs) {
      if (!this.#isChecking) this.#running = this.#check(this.#writePresence())
      await this.#running
    }
    return this.view()
  }

  view(): HealthAlerts {
    const now = this.#ports.clock.now()
    const rules = this.#allRules()
    const snoozed = new Set(
      rules.flatMap(({ endpointId, snoozedUntil }) =>
        (snoozedUntil ?? 0) > now ? [endpointId] : [],
      ),
    )
    const alerts = this.#alerts.filter(({ endpointId }) => !snoozed.has(endpointId))
    return { alerts, rules, learned: this.#learned }
  }

  /** Throws `not_found`. */
  async setRule({ endpointId, ...changes }: ParsedInput<'health.setRule'>): Promise<HealthRule> {
    const before = this.#allRules().find((rule) => rule.endpointId === endpointId)
    if (!before) throw new AppError('not_found', `There is no endpoint ${endpointId}.`)
    const given = Object.entries(changes).filter(([, value]) => value !== undefined)
    const rule: HealthRule = { ...before, ...Object.fromEntries(given) }
    await this.#ports.store.writer.call('writeRule', rule)
    this.#rules = [...this.#rules.filter((each) => each.endpointId !== endpointId), rule]
    this.#push()
    return rule
  }

  /** Call it with each group of deliveries or attempts: a silence ends at once. */
  arrived(): void {
    this.#arrivals += 1
    if (this.#isSoon || !this.#alerts.some(({ kind }) => kind === 'silence')) return
    this.#isSoon = true
    this.#cancel()
    this.#schedule(soonMs)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#running
    if (this.#isWatching) await this.#writePresence().catch(() => undefined)
  }

  #schedule(ms: number): void {
    this.#cancel = this.#ports.clock.after(ms, () => this.#tick())
  }

  #tick(): void {
    this.#isSoon = false
    this.#schedule(everyMs)
    // Also while a check waits for a slow query: Tabscope is running.
    const written = this.#writePresence()
    if (this.#isChecking) written.catch(() => undefined)
    else if (this.#isSettled()) this.#running = written.catch((error) => this.#failed(error))
    else this.#running = this.#check(written)
  }

  /** The thread that checks may rest. */
  #isSettled(): boolean {
    const { until, arrivals, rules } = this.#settled
    return (
      this.#ports.clock.now() < until &&
      arrivals === this.#arrivals &&
      rules === JSON.stringify(this.#allRules())
    )
  }

  #allRules(): HealthRule[] {
    return this.#ports.registry.views().map(
      ({ id }) =>
        this.#rules.find(({ endpointId }) => endpointId === id) ?? {
          ...defaultRule,
          endpointId: id,
        },
    )
  }

  async #check(written: Promise<void>): Promise<void> {
    const { store, clock } = this.#ports
    const now = clock.now()
    this.#isChecking = true
    try {
      await written
      const rules = this.#allRules()
      const query = { now, rules, active: this.#alerts }
      const arrivals = this.#arrivals
      const { conditions, learned, settledUntil } = await store.alertFacts(query)
      this.#learned = learned
      this.#settled = { until: settledUntil, arrivals, rules: JSON.stringify(rules) }
      this.#checkedAt = now
      await this.#take(conditions, now)
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isChecking = false
    }
  }

  #failed(error: unknown): void {
    if (this.#closed) return
    this.#ports.log.error('the health of deliveries could not be checked', error)
  }

  #writePresence(): Promise<void> {
    return this.#ports.store.writer.call('writePresence', {
      at: Math.round(this.#ports.clock.now()),
      tunnel: reachOf(this.#ports.tunnel()),
      relayDown: this.#ports.relays().some(isDown),
    })
  }

  async #take(conditions: readonly Condition[], now: number): Promise<void> {
    const { alerts, changed } = mergeAlerts(this.#alerts, conditions, now, () => this.#nextId++)
    if (changed.length > 0) await this.#ports.store.writer.call('writeAlerts', changed)
    this.#alerts = alerts
    this.#push()
  }

  #push(): void {
    const view = this.view()
    const shown = JSON.stringify(view)
    if (shown === this.#shown) return
    this.#shown = shown
    this.#ports.bus.push('health.changed', view)
  }
}

function isDown({ state }: RelayView): boolean {
  return (
    state === 'connecting' || state === 'offline' || state === 'refused' || state === 'replaced'
  )
}

function reachOf(state: TunnelStateName): 'open' | 'closed' | 'down' {
  if (state === 'online' || state === 'degraded') return 'open'
  return state === 'off' ? 'closed' : 'down'
}

/** Pure. `alerts`: those that hold now; `changed`: also those that ended. */
export function mergeAlerts(
  active: readonly Alert[],
  conditions: readonly Condition[],
  now: number,
  nextId: () => number,
): { alerts: Alert[]; changed: Alert[] } {
  const held = new Map(active.map((alert) => [keyOf(alert), alert]))
  const changed: Alert[] = []
  const alerts = conditions.map((condition) => {
    const before = held.get(keyOf(condition))
    held.delete(keyOf(condition))
    if (before) return { ...before, observed: condition.observed, usual: condition.usual }
    const alert: Alert = { ...condition, id: nextId(), raisedAt: now, endedAt: null }
    changed.push(alert)
    return alert
  })
  for (const alert of held.values()) changed.push({ ...alert, endedAt: now })
  return { alerts: alerts.toSorted((a, b) => a.raisedAt - b.raisedAt || a.id - b.id), changed }
}

function keyOf({ kind, endpointId, location, code }: Condition): string {
  return JSON.stringify([kind, endpointId, location, code])
}
