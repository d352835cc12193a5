import { afterAll } from 'vitest'
import { startProduct, type Product, type ProductOptions } from './product.ts'

/** A product shared by the tests of a file, without deliveries of earlier tests. */
export interface FreshProduct extends Product {
  /** Returns the id of the n-th delivery from now on, starting at 1. Ids are never reused. */
  readonly id: (n: number) => number
}

/**
 * Shares one product for all tests of a file: it is started once, and each test starts without deliveries. Tests that change other data
 * (settings, drafts, targets, integrations) must restore it or start their own product. A product that was stopped by a test is
 * restarted.
 */
export function sharedProduct(options: ProductOptions = {}): () => Promise<FreshProduct> {
  let running: Product | null = null
  afterAll(async () => running?.[Symbol.asyncDispose]())
  return async () => {
    if (running?.ended) {
      await running[Symbol.asyncDispose]()
      running = null
    }
    const product = (running ??= await startProduct(options))
    const before = await clearDeliveries(product)
    return { ...product, id: (n) => before + n }
  }
}

/** Deletes all deliveries, including pinned ones and those that are being stored. Returns the highest id. */
async function clearDeliveries({ engine }: Product): Promise<number> {
  for (;;) {
    await engine.catchUp()
    const rows = await engine.call('deliveries.since', { after: 0, limit: 1000 })
    for (const { id, pinned } of rows) {
      if (pinned) await engine.call('deliveries.annotate', { id, pinned: false })
    }
    await engine.call('deliveries.clear', {})
    const { stats } = await engine.call('app.snapshot', {})
    if (stats.deliveries === 0) return stats.newestId
  }
}
