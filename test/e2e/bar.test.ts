import { expect, it } from 'vitest'
import { Snapshot } from '#contract/calls.ts'
import type { ListenerState } from '#contract/models.ts'
import type { Job } from '#contract/sending.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import { resize } from '../support/axe.ts'
import { full } from '../support/full.ts'
import { freePort } from '../support/free-port.ts'
import { overlapFaults } from '../support/page-probes.ts'
import { deliver, openOwnPage, startProduct } from '../support/product.ts'
import { sampleJob } from '../support/sample-job.ts'
import { manyLogs } from '../support/sample-logs.ts'
import { manyRelays } from '../support/sample-relays.ts'
import { offlineTunnel, offTunnel, onlineTunnel, warnedTunnel } from '../support/sample-tunnels.ts'
import { interceptCalls } from '../support/states/simulated.ts'

const now = Date.now()
const listening: ListenerState = {
  state: 'listening',
  port: 65535,
  origin: 'http://127.0.0.1:65535',
  since: now,
  failing: null,
}
const url = `https://a-rather-long-subdomain-for-${'x'.repeat(30)}.tunnel.example.net`
const online: TunnelView = { ...onlineTunnel(now), url }
const long = `Port 65535 is in use by another program. ${'Choose another port. '.repeat(8)}`

const runningJob: Job = {
  ...sampleJob,
  createdAt: now,
  pace: { how: 'rate', perSecond: 5 },
  total: 9,
  waiting: 5,
  inFlight: 1,
  ok: 3,
}

/** Each state of the chip, with the words that show it. */
const states: readonly (readonly [string, ListenerState, TunnelView])[] = [
  ['Reachable at', listening, offTunnel(now)],
  ['Tunnel opening', listening, { ...offlineTunnel(now), state: 'opening' }],
  ['Reachable at', listening, online],
  ['Tunnel degraded', listening, { ...online, state: 'degraded', since: now - 26 * 3_600_000 }],
  ['Tunnel offline', listening, { ...offlineTunnel(now), since: now - 26 * 3_600_000 }],
  ['Tunnel reconnecting', listening, { ...offlineTunnel(now), state: 'reconnecting' }],
  ['Reachable at', listening, { ...warnedTunnel(now), url }],
  ['Failed', { ...listening, failing: long }, online],
  ['Starting', { state: 'starting', port: 65535 }, online],
  ['Stopped', { state: 'stopped', port: 65535 }, online],
  [
    'Not listening',
    { state: 'failed', port: 65535, code: 'port_in_use', message: long, freePort: 65534 },
    online,
  ],
]

/** Both sides of each width at which the layout changes, and some between. */
const widths = [1024, 1100, 1101, 1240, 1241, 1366, 1600, 1601, 1760, 1761, 1920]

it.runIf(full)(
  'keeps everything in the bar and the footer apart in every state at every width, with the longest texts',
  async () => {
    await using product = await startProduct()
    await product.engine.call('settings.update', { listenerPort: await freePort() })
    await using page = await openOwnPage('about:blank')
    const name = 'Harbour Group international staging environment '.repeat(2).slice(0, 80)
    const wire = await interceptCalls(page, {
      answers: {
        'app.snapshot': (given) => {
          const snapshot = Snapshot.parse(given)
          const [endpoint] = snapshot.endpoints
          const [integration] = snapshot.integrations
          if (!endpoint || !integration) throw new Error('the new store is empty')
          const token = {
            id: 1,
            integrationId: integration.id,
            label: 'Mara',
            ending: 'abcd',
            hasRefreshToken: true,
            initiated: null,
            expires: Math.round(now / 1000) + 3000,
            expiresIn: null,
            obtainedAt: now,
            version: 1,
            status: 'suspect' as const,
            dueBeforeSeconds: 0,
            refreshing: false,
            findings: [],
            events: [],
          }
          return {
            ...snapshot,
            integrations: [{ ...integration, name }],
            endpoints: [{ ...endpoint, slug: 's'.repeat(63) }],
            responses: [
              {
                id: 1,
                endpointId: endpoint.id,
                type: 'GUEST_UNSUBSCRIBED'.repeat(4),
                response: { kind: 'status', status: 503 },
                delayMs: 119_900,
                when: { kind: 'share', share: 0.333 },
                enabled: true,
              },
            ],
            ruleUses: [{ ruleId: 1, matchCount: 12_345_678, applied: 1_234_567 }],
            tokens: [token],
            relays: manyRelays(now),
            perMinute: [...snapshot.perMinute.slice(1), 123_456],
            stats: {
              deliveries: 12_345_678,
              bytes: 2 ** 40,
              newestId: 12_345_678,
              indexedId: 12_340_000,
            },
            updates: { state: 'available', version: '9.0.0-beta.1' },
          }
        },
      },
      pushes: {},
    })
    await page.goto(product.ui)
    const chip = page.getByTestId('reach-chip')
    await page
      .getByTestId('token-chip')
      .getByText(/Token may be revoked/)
      .waitFor()
    await page.getByText('Response rule: 503').waitFor()
    await page.getByTestId('relay-chip').waitFor()
    // Leaves a message in the history, for its button in the footer.
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('restart the listener')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '1 message' }).waitFor()

    const faults: string[] = []
    const measure = async ([word, listener, tunnel]: (typeof states)[number]): Promise<void> => {
      wire.push('listener.changed', listener)
      wire.push('tunnel.changed', tunnel)
      await chip.getByText(word, { exact: true }).waitFor()
      for (const width of widths) {
        await resize(page, { width, height: 700 })
        const found = await overlapFaults(page, '.bar, .foot')
        faults.push(...found.map((fault) => `${width}, ${word}, ${tunnel.state}: ${fault}`))
      }
    }
    for (const state of states) await measure(state)
    // Without a token, the rule in the bar shows more.
    wire.push('tokens.changed', [])
    await page.getByTestId('token-chip').waitFor({ state: 'detached' })
    for (const state of states.slice(3, 5)) await measure(state)
    expect(faults).toEqual([])
  },
)

it('removes a message after ten seconds, and keeps it in the history', async () => {
  await using product = await startProduct()
  await product.engine.call('settings.update', { listenerPort: await freePort() })
  await using page = await openOwnPage('about:blank')
  await page.clock.install()
  await page.goto(product.ui)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  const run = async (command: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill(command)
    await page.keyboard.press('Enter')
  }
  await run('restart the listener')
  const message = page.locator('.toast').getByText(/^Listening on/)
  await message.waitFor()
  await page.clock.runFor(9000)
  await expect.poll(() => message.count()).toBe(1)
  await page.clock.runFor(1000)
  await message.waitFor({ state: 'detached' })

  const history = page.getByRole('dialog', { name: 'Messages' })
  await page.getByRole('button', { name: '1 message' }).click()
  await history.getByText(/^Listening on/).waitFor()
  await page.keyboard.press('Escape')
  await history.waitFor({ state: 'detached' })
  await run('show messages')
  await history.getByRole('listitem').waitFor()
})

it.runIf(full)(
  'shows one strip below the list: what the user does, before jobs, before transfers',
  async () => {
    await using product = await startProduct()
    await using page = await openOwnPage('about:blank')
    const wire = await interceptCalls(page, { answers: {}, pushes: {} })
    await deliver(product.endpoint, '{"type":"OPEN_TAB","data":{}}')
    await page.goto(product.ui)
    await page.getByTestId('delivery-row').waitFor()
    const strips = page.locator('.status-line, .selection-bar, .compare-bar')
    const shown = async (): Promise<(string | null)[]> =>
      Promise.all(
        (await strips.all()).map(async (one) =>
          (await one.isVisible()) ? one.getAttribute('aria-label') : null,
        ),
      ).then((labels) => labels.filter((label) => label !== null))

    wire.push('logs.changed', manyLogs(now))
    await expect.poll(shown).toEqual(['Event logs'])
    wire.push('jobs.changed', { job: runningJob, removed: false })
    await expect.poll(shown).toEqual(['Job progress'])
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect.poll(shown).toEqual(['Selection'])
    await page.keyboard.press('x')
    await expect.poll(shown).toEqual(['Job progress'])
  },
)
