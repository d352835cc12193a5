import { afterAll } from 'vitest'
import { z } from 'zod'
import { interfaceClient, type InterfaceClient } from './interface-client.ts'
import { startProduct, type Product } from './product.ts'
import { until } from './until.ts'

/** A product shared by the tests of a file, without deliveries of earlier tests. */
export interface FreshProduct extends Product {
  /** Returns the id of the n-th delivery from now on, starting at 1. Ids are never reused. */
  readonly id: (n: number) => number
  /** Calls the engine like a page. Throws rejected calls. */
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
 * Shares one product for all tests of a file: it is started once, and each test starts without deliveries. Tests that change other data
 * (settings, drafts, targets, integrations) must restore it or start their own product. A product that was ended by a test is
 * restarted.
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

/** Deletes all deliveries, including pinned and not yet stored ones. Returns the highest id. */
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
