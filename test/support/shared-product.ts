import { afterAll } from 'vitest'
import { z } from 'zod'
import { interfaceClient, type InterfaceClient } from './interface-client.ts'
import { startProduct, type Product } from './product.ts'
import { until } from './until.ts'

/** The product that the tests of a file share, without a delivery of the one before. */
export interface FreshProduct extends Product {
  /** Numbers are never given twice: that of the n-th delivery from now on, where the first is 1. */
  readonly id: (n: number) => number
  /** Calls its engine as a page does; throws what it refuses. */
  readonly call: (name: string, input?: object) => Promise<unknown>
}

const Stats = z.looseObject({
  deliveries: z.number(),
  behind: z.number(),
  newestId: z.number(),
})
const Removed = z.looseObject({ stats: Stats })
const Rows = z.array(z.looseObject({ id: z.number() }))

/**
 * One product for all tests of a file: the program is started once, and each test begins where nothing is kept. What else a test
 * changes (settings, drafts, targets, integrations) it takes back, or the test takes a product of its own. One that a test has ended is
 * followed by another.
 */
export function sharedProduct(...args: string[]): () => Promise<FreshProduct> {
  let running: Product | null = null
  afterAll(async () => running?.[Symbol.asyncDispose]())
  return async () => {
    if (running?.process.exitCode !== null || running.process.signalCode !== null) {
      await running?.[Symbol.asyncDispose]()
      running = null
    }
    const product = (running ??= await startProduct(...args))
    await using client = await interfaceClient(product.ui)
    await client.hello()
    const before = await forgetAll(client)
    return {
      ...product,
      id: (n) => before + n,
      call: async (name, input = {}) => {
        await using other = await interfaceClient(product.ui)
        await other.hello()
        return await called(other, name, input)
      },
    }
  }
}

async function called(client: InterfaceClient, name: string, input: object): Promise<unknown> {
  const reply = await client.call(name, input)
  if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`)
  return reply.output
}

/** Clears the deliveries, the pinned ones too, and those that are still on their way to the store; the highest number that was given. */
async function forgetAll(client: InterfaceClient): Promise<number> {
  return until('nothing to be kept', async () => {
    await called(client, 'deliveries.clear', {})
    const push = client.frames.findLast(
      (frame) => frame.kind === 'push' && frame.name === 'deliveries.removed',
    )
    if (push?.kind !== 'push') return null
    const { stats } = Removed.parse(push.payload)
    if (stats.behind === 0 && stats.deliveries === 0) return { newestId: stats.newestId }
    const pinned = Rows.parse(await called(client, 'deliveries.since', { after: 0, limit: 1000 }))
    for (const { id } of pinned) await called(client, 'deliveries.pin', { id, pinned: false })
    return null
  }).then(({ newestId }) => newestId)
}
