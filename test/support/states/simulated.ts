import { decode, encode } from '@msgpack/msgpack'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { CallName, CallOutput } from '#contract/calls.ts'
import type { UpdateState } from '#contract/desktop.ts'
import { capabilityNames } from '#contract/constants.ts'
import { ClientFrame, HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import type { LogsView } from '#contract/logs.ts'
import { nothingHeld } from '#contract/hold.ts'
import { tunnelCalls, type TunnelView } from '#contract/tunnel.ts'
import { deliver, goTo, type Product } from '../product.ts'
import { sampleAlerts, sampleCoverage, sampleOverview } from '../sample-health.ts'
import { heldContent, manyHeld, someHeld } from '../sample-hold.ts'
import * as logs from '../sample-logs.ts'
import * as relays from '../sample-relays.ts'
import * as tunnels from '../sample-tunnels.ts'
import { exportDialog } from '../steps.ts'
import { button } from './chapter.ts'

const noticeChanges = ['appeared', 'absent', 'type'] as const

function tunnelStates(now: number): TunnelView[] {
  const online = tunnels.onlineTunnel(now)
  const offline = tunnels.offlineTunnel(now)
  const failed = { at: now, ok: false, durationMs: 5000, reason: logs.hostile }
  return [
    { ...offline, state: 'opening', nextTryAt: null, failures: 0, probe: null, connections: null },
    online,
    { ...online, state: 'degraded', probe: failed },
    { ...offline, reason: logs.hostile },
    { ...offline, state: 'reconnecting', nextTryAt: null, temporary: true },
    tunnels.warnedTunnel(now),
  ]
}

const updateStates: readonly UpdateState[] = [
  { state: 'available', version: '9.0.0' },
  { state: 'downloading', version: '9.0.0', share: 0.42 },
  { state: 'ready', version: '9.0.0' },
  { state: 'failed', message: 'The release server cannot be reached.' },
]

const changes: CallOutput<'deliveries.fields'> = {
  types: [],
  notices: Array.from({ length: 12 }, (_, index) => ({
    type: index % 3 === 0 ? null : 'ORDER_PLACED',
    path: index % 4 === 0 ? 'data.*' : `data.${'nested.'.repeat(index)}field`,
    change: noticeChanges[index % 3] ?? 'type',
    kind: index % 3 === 2 ? 'number' : null,
    documented: index % 2 === 0 ? null : { type: 'string', optional: true },
    id: 1_234_567 + index,
    at: 1_773_522_000_123,
  })),
  observedId: 1_234_567,
}

const Snapshot = z.looseObject({})

/** States that would require a week, a gigabyte or a desktop. `page` is a new page. */
export async function simulatedStates(
  page: Page,
  product: Product,
  check: (name: string) => Promise<void>,
): Promise<void> {
  const now = Date.now()
  let tunnel = tunnels.offTunnel(now)
  let view: LogsView = logs.noLogs
  const wire = await interceptCalls(page, {
    answers: {
      ...Object.fromEntries(Object.keys(tunnelCalls).map((name) => [name, () => tunnel])),
      // As they are on this machine.
      'tunnel.providers': () => undefined,
      'logs.preview': () => logs.somePreview,
      'hold.edit': () => heldContent,
      'health.overview': () => sampleOverview('day', now),
      'health.coverage': () => sampleCoverage(now),
      'deliveries.fields': () => changes,
      'relay.read': (_, input) =>
        z.object({ invitation: z.literal('simulated') }).safeParse(input).success
          ? relays.invited
          : undefined,
      'app.snapshot': (given) => ({
        ...Snapshot.parse(given),
        tunnel,
        logs: view,
        capabilities: Object.fromEntries(capabilityNames.map((name) => [name, true])),
        updates: { state: 'idle', checkedAt: null },
      }),
    },
    pushes: { 'tunnel.changed': () => tunnel, 'logs.changed': () => view },
  })
  const showTunnel = (next: TunnelView): void => {
    tunnel = next
    wire.push('tunnel.changed', next)
  }
  await page.goto(product.ui)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()

  await goTo(page, 'Setup', 'Reachability')
  for (const next of tunnelStates(now)) {
    showTunnel(next)
    await page.locator(`.tunnel-now[data-state="${next.state}"]`).waitFor()
    if (next.warnings.length > 0) await page.locator('.tunnel-warning').nth(1).waitFor()
    await check(`tunnel, ${next.state}`)
  }
  await goTo(page, 'Setup', 'Endpoints')
  showTunnel(tunnels.offlineTunnel(now))
  await page.locator('.public-url').getByText('offline').waitFor()
  await check('endpoints without the tunnel')
  showTunnel(tunnels.onlineTunnel(now))
  await button(page, /^Copy public URL/).waitFor()
  await check('endpoints with the tunnel')

  wire.push('relay.changed', relays.manyRelays(now))
  await page.getByTestId('endpoint-relay').first().waitFor()
  await check('endpoints with relays')
  await goTo(page, 'Setup', 'Reachability')
  await page.getByRole('radio', { name: 'Relay' }).click()
  await page.getByTestId('relay').nth(6).waitFor()
  await check('many relays')
  await button(page, /^Forget pier9/).click()
  await page.getByRole('dialog', { name: 'Forget pier9?' }).waitFor()
  await check('question before a relay is forgotten')
  await page.keyboard.press('Escape')
  await page.getByLabel('Invitation').fill('no invitation')
  await page.getByText(/This is not an invitation/).waitFor()
  await check('wrong invitation')
  wire.push('relay.changed', [])
  await page.getByLabel('Invitation').fill('simulated')
  await page.getByRole('region', { name: 'What the invitation is for' }).waitFor()
  await check('invitation')

  await goTo(page, 'Health', 'Charts')
  await page.locator('.health-plot').nth(4).waitFor()
  await check('health')
  await button(page, 'Show as tables').click()
  await page.locator('.health-table').nth(4).waitFor()
  await check('health as tables')
  await goTo(page, 'Handler', 'Coverage')
  await page.getByRole('link', { name: 'Rehearse' }).first().waitFor()
  await check('handlers')
  await goTo(page, 'Health', 'Differences')
  await page.getByRole('region', { name: 'Payload changes' }).waitFor()
  await check('payload changes')

  await goTo(page, 'Deliveries', 'Event logs')
  view = logs.manyLogs(now)
  wire.push('logs.changed', view)
  await page.locator('.log').nth(4).waitFor()
  await check('many event logs')
  await page.keyboard.press('s')
  await exportDialog(page).locator('.masked-field').nth(5).waitFor()
  await check('preview of a large export')
  await page.keyboard.press('Escape')
  await exportDialog(page).waitFor({ state: 'detached' })
  await deliver(product.endpoint, '{"type":"OPEN_TAB"}')
  await goTo(page, 'Deliveries', 'Live')
  await page.locator('.status-line').getByText('Importing from-the-pub.ndjson.gz').waitFor()
  await check('progress of an import')
  wire.push('health.changed', sampleAlerts(now))
  await page.getByTestId('alert').first().waitFor()
  await check('alerts')
  await holdStates(page, wire, check)

  await page.evaluate(() => location.assign('#/settings/updates'))
  for (const state of updateStates) {
    wire.push('updates.changed', state)
    await page.locator('.settings').getByText(updateText(state)).first().waitFor()
    await check(`update, ${state.state}`)
  }
}

/** Above the list, which has a delivery. */
async function holdStates(
  page: Page,
  wire: InterceptedCalls,
  check: (name: string) => Promise<void>,
): Promise<void> {
  wire.push('hold.changed', someHeld(Date.now()))
  await page.getByRole('button', { name: /^\d+ more$/ }).click()
  await page.getByTestId('held').nth(2).waitFor()
  await check('three held')
  await button(page, 'Respond to #2').click()
  await page.getByRole('dialog', { name: 'Respond to #2' }).waitFor()
  await check('response to a held delivery')
  await page.keyboard.press('Escape')
  wire.push('hold.changed', manyHeld(Date.now()))
  await page.getByTestId('held').nth(99).waitFor()
  await check('many held, and some not held')
  await page.getByRole('button', { name: 'Edit #1', exact: true }).click()
  await page.getByRole('region', { name: 'Edit the held delivery' }).waitFor()
  await page.locator('.cm-content').waitFor()
  await check('edit of a held delivery')
  wire.push('hold.changed', nothingHeld)
  await page.getByText('This delivery is no longer held').waitFor()
  await check('edit of a delivery that is no longer held')
  await button(page, 'Discard').first().click()
  await page.keyboard.press('h')
  await page.getByRole('dialog', { name: 'Hold deliveries' }).waitFor()
  await page.getByRole('radio', { name: 'Before the response' }).check()
  await check('what to hold')
  await page.keyboard.press('Escape')
}

function updateText(state: UpdateState): string | RegExp {
  if (state.state === 'failed') return state.message
  return state.state === 'ready' ? /installed when you quit/ : /9\.0\.0/
}

interface InterceptedCalls {
  push<N extends PushName>(name: N, payload: PushPayload<N>): void
}

/** Overrides for replies and pushes. Everything else comes from the product. */
interface Interceptions {
  /** Returns a replacement for a reply of the engine; `given` is the original reply, null if it was rejected. Undefined: keep the original. */
  readonly answers: Partial<Record<CallName, (given: unknown, input: unknown) => unknown>>
  /** Replacements for pushes by name. */
  readonly pushes: Partial<Record<PushName, () => unknown>>
}

const Frame = z.union(HostFrame.options)

/** Replaces replies and pushes of the engine. Call it before the page is opened. */
export async function interceptCalls(page: Page, made: Interceptions): Promise<InterceptedCalls> {
  /** Inserted pushes shift the sequence numbers of the engine's pushes. */
  let ours = 0
  let lastSeq = 0
  let push: ((name: PushName, payload: unknown) => void) | null = null
  await page.routeWebSocket(/\/wire$/, (socket) => {
    const server = socket.connectToServer()
    const answers = new Map<number, (given: unknown) => unknown>()
    const send = (frame: HostFrame): void => socket.send(Buffer.from(encode(frame)))
    push = (name, payload) => {
      ours += 1
      send({ kind: 'push', seq: lastSeq + ours, name, payload })
    }
    socket.onMessage((message) => {
      const frame = ClientFrame.parse(decode(Buffer.from(message)))
      if (frame.kind === 'call') {
        const entry = Object.entries(made.answers).find(([name]) => name === frame.name)
        if (entry) answers.set(frame.id, (given) => entry[1](given, frame.input))
      }
      server.send(message)
    })
    server.onMessage((message) => {
      const frame = Frame.parse(decode(Buffer.from(message)))
      if (frame.kind === 'reply') {
        const answer = answers.get(frame.id)
        if (!answer) return send(frame)
        const output = answer(frame.ok ? frame.output : null)
        if (output === undefined) return send(frame)
        return send({ kind: 'reply', id: frame.id, ok: true, output })
      }
      if (frame.kind === 'push') {
        lastSeq = frame.seq
        const entry = Object.entries(made.pushes).find(([name]) => name === frame.name)
        const payload = entry ? entry[1]() : frame.payload
        return send({ ...frame, seq: frame.seq + ours, payload })
      }
      lastSeq = Math.max(lastSeq, frame.seq)
      send(frame)
    })
  })
  return { push: (name, payload) => push?.(name, payload) }
}
