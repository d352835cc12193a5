import { expect, it } from 'vitest'
import type { TunnelView } from '#contract/tunnel.ts'
import { TunnelFailure } from '#engine/tunnel/provider.ts'
import { seeded } from '#sandbox/random.ts'
import { listening, scripted, type Opening, type Probing } from './scripted.ts'

const steps = 200

it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  'reports online only while that is true, has one tunnel at a time, and ends, whatever happens (%i)',
  async (seed) => {
    const random = seeded(seed)
    let isListening = true
    /** When the provider last reported trouble, by URL. */
    const doubted = new Map<string, number>()
    const expectTruth = (view: TunnelView): void => {
      if (view.state === 'online') {
        const url = view.url ?? ''
        const last = script.found.get(url)
        expect(last?.ok, view.reason).toBe(true)
        expect(last?.begun).toBeGreaterThan(doubted.get(url) ?? 0)
        expect(isListening).toBe(true)
      }
      if (view.state === 'off' || view.state === 'offline') expect(view.url).toBeNull()
      if (view.state !== 'offline') expect(view.nextTryAt).toBeNull()
      expect(view.reason).toMatch(/^[A-Z].*\.$/s)
      expect(view.using === null).toBe(view.state === 'off')
    }
    const script = scripted({
      opens: false,
      probes: null,
      random: random.real,
      report: (view) => broken.push(...faultsOf(() => expectTruth(view))),
    })
    const { tunnel, clock, openings, probes, world, most, live } = script
    const broken: unknown[] = []
    const look = (): void => {
      expectTruth(tunnel.view())
      expect(broken).toEqual([])
      expect(most.live).toBeLessThanOrEqual(1)
    }
    const lastOpening = (): Opening | undefined => openings.findLast((one) => one.isLive())
    const answered = new Set<Probing>()
    const pending = (): Probing | undefined =>
      probes.findLast((one) => !one.signal.aborted && !answered.has(one))
    let names = 0

    const trouble = (): void => {
      const { url } = tunnel.view()
      const opening = lastOpening()
      if (!opening || opening.signal.aborted) return
      if (url !== null) doubted.set(url, script.happens())
      opening.events.trouble('Trouble.')
    }
    const acts: readonly (() => unknown)[] = [
      () => tunnel.open({ provider: 'scripted', options: {} }, random.chance(0.5)),
      () => tunnel.open({ provider: 'manual', options: {} }, false),
      () => void tunnel.close(),
      () => void tunnel.check(),
      () => {
        isListening = random.chance(0.7)
        tunnel.listenerChanged(
          isListening
            ? listening(random.pick([4780, 4999]))
            : { state: 'failed', port: 1, code: 'internal', message: 'It failed.', freePort: 2 },
        )
      },
      () => {
        names += 1
        lastOpening()?.opens({ url: `https://n${names}.example.test` })
      },
      () => {
        names += 1
        lastOpening()?.opens({ url: `https://n${names}.example.test` })
      },
      () =>
        lastOpening()?.fails(
          new TunnelFailure('server_down', 'Down.', { retry: random.chance(0.9) }),
        ),
      () =>
        lastOpening()?.ends(random.chance(0.5) ? null : new TunnelFailure('ended', 'It ended.')),
      trouble,
      // Reported again during a probe.
      async () => {
        trouble()
        await clock.pass(1000)
        trouble()
      },
      ...Array.from({ length: 8 }, () => () => {
        const probe = pending()
        if (!probe) return
        answered.add(probe)
        const ok = random.chance(0.7)
        probe.answer(ok, {
          code: ok ? 'probe_ok' : random.pick(['probe_failed', 'other_answer']),
          reason: ok ? null : 'It failed.',
        })
      }),
      () => void (world.opens = random.chance(0.7)),
      () => void (world.probes = random.pick([true, null, null, false])),
      () => script.sleep(random.between(-20_000, 60_000)),
      () => void (world.network = String(random.between(1, 3))),
      () => void (world.closesImmediately = random.chance(0.7)),
      () => void (world.last = random.chance(0.5) ? clock.now() : 0),
      () => lastOpening()?.events.connections(random.between(0, 10), 10),
    ]
    for (let step = 0; step < steps; step += 1) {
      await random.pick(acts)()
      await clock.pass(0)
      look()
      await clock.pass(random.pick([0, 0, 0, 1, 100, 100, 100, 1000, 1000, 5000, 20_000]))
      look()
    }
    world.closesImmediately = random.chance(0.5)
    const ending = tunnel.end()
    await clock.pass(10_000)
    await ending
    expect(clock.waiting()).toBe(0)
    for (const opening of openings) opening.ends()
    await clock.pass(60_000)
    expect([live(), clock.waiting()]).toEqual([0, 0])
    expect(tunnel.view().state).toBe('off')
    look()
  },
)

function faultsOf(work: () => void): unknown[] {
  try {
    work()
    return []
  } catch (error) {
    return [error]
  }
}
