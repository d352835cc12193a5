import { expect, test } from 'vitest'
import { z } from 'zod'
import { HeldDelivery } from '#contract/hold.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { forwardTo } from '#test/support/forwarding.ts'
import { full } from '#test/support/full.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { seeded } from '#test/support/random-json.ts'
import { jsonLines, runCli, spawnListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

async function run(dataDir: string, ...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await runCli(['hold', ...args, '--json', '--data', dataDir])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return jsonLines(stdout)
}

async function heldIn(dataDir: string): Promise<HeldDelivery[]> {
  const lines = await run(dataDir, 'list')
  return z.array(HeldDelivery).parse(lines.filter(({ event }) => event === 'held'))
}

const isHeld = ({ event }: Record<string, unknown>): boolean => event === 'held'

/** Holds `count` deliveries, numbered from 1 by their IDs, of a Tabscope that forwards to `url`. */
async function holdMany(dataDir: string, url: string, count: number) {
  {
    await using tab = await openTestEngine({ dataDir, secret: null })
    await forwardTo(tab, url, { concurrency: 8 })
  }
  const listening = await spawnListening(dataDir)
  await run(dataDir, 'add')
  for (let n = 1; n <= count; n += 1)
    await fetch(listening.ready.endpoint, { method: 'POST', body: `{"type":"OPEN_TAB","n":${n}}` })
  // As `listen` says it.
  await until('all to be held', () => listening.lines().filter(isHeld).length === count)
  return listening
}

/** Records the numbers of the deliveries that it receives. Responds after a few milliseconds, but never to the first 50. */
async function openHandler() {
  const random = seeded(7)
  const received: number[] = []
  const service = await loopbackService(({ body }, response) => {
    const n = Number(/"n":(\d+)/.exec(body.toString())?.[1])
    const isSilent = n === 50 && !received.includes(n)
    received.push(n)
    if (!isSilent) setTimeout(() => response.end(), random() * 10)
  })
  return { ...service, received }
}

const sorted = (values: Iterable<number>): number[] => [...values].toSorted((a, b) => a - b)
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const idsOf = (held: readonly HeldDelivery[]): number[] => held.map(({ deliveryId }) => deliveryId)

test.runIf(full)(
  'killed while deliveries are held: all are held again, edits included, and each is forwarded once it is released',
  async () => {
    await using folder = ownedFolder()
    await using handler = await openHandler()
    {
      await using listening = await holdMany(folder.path, handler.baseUrl, 5)
      await run(folder.path, 'edit', '5', '--set', 'n=50')
      await until('the edited one', () => handler.received.length > 0)
      listening.kill('SIGKILL')
      await listening.ended
    }
    await using again = await spawnListening(folder.path)
    await until('the lines of listen', () => again.lines().filter(isHeld).length === 5)
    const held = await heldIn(folder.path)
    expect(held.map(({ deliveryId, uncertain }) => [deliveryId, uncertain])).toEqual(
      numbers(5).map((id) => [id, id === 5]),
    )
    expect(held[0]?.reason).toMatch(/Tabscope ended/)
    expect(handler.received).toEqual([50])
    const released = await run(folder.path, 'release', '--all')
    expect(released).toEqual([{ event: 'released', ids: numbers(4) }])
    await until('the others', () => handler.received.length >= 5)
    expect(handler.received).toHaveLength(5)
    await run(folder.path, 'release', '5')
    await until('all', () => handler.received.length >= 6)
    expect(sorted(handler.received)).toEqual([...numbers(4), 50, 50])
  },
)

test.for(full ? [1, 20, 59] : [12])(
  'killed after %i of 60 were released: none is forwarded twice unasked, and none is lost',
  async (reached) => {
    const count = 80
    await using folder = ownedFolder()
    await using handler = await openHandler()
    {
      await using listening = await holdMany(folder.path, handler.baseUrl, count)
      const ids = numbers(60).map(String)
      const releasing = runCli(['hold', 'release', ...ids, '--data', folder.path])
      await until('some of them', () => handler.received.length >= reached)
      listening.kill('SIGKILL')
      await Promise.all([listening.ended, releasing])
    }
    const before = new Set(handler.received)
    expect(before.size, 'once each').toBe(handler.received.length)

    await using _again = await spawnListening(folder.path)
    const held = await heldIn(folder.path)
    const uncertain = idsOf(held.filter((each) => each.uncertain))
    const certain = idsOf(held.filter((each) => !each.uncertain))
    expect(certain).toEqual(expect.arrayContaining(numbers(count).slice(60)))
    expect(certain.filter((id) => before.has(id))).toEqual([])
    expect(sorted(new Set([...before, ...certain, ...uncertain])), 'none is lost').toEqual(
      numbers(count),
    )
    await run(folder.path, 'release', '--all')
    await until('the others', () => handler.received.length >= before.size + certain.length)
    expect(sorted(handler.received)).toEqual(sorted([...before, ...certain]))
    expect(idsOf(await heldIn(folder.path))).toEqual(uncertain)
    if (uncertain.length > 0) await run(folder.path, 'release', ...uncertain.map(String))
    await until('all', () => new Set(handler.received).size === count)
  },
)
