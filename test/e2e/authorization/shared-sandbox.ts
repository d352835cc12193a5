import { z } from 'zod'
import { defaultRefreshRule } from '#contract/constants.ts'
import { sharedProduct, type FreshProduct } from '../../support/shared-product.ts'

const Known = z.looseObject({
  integrations: z.array(z.looseObject({ id: z.number(), kind: z.string() })),
})
const Ids = z.array(z.looseObject({ id: z.number() }))

/** One product for all tests of a file. Each test starts with an unused sandbox: without runs, tokens, faults and redirect URLs. */
export function sharedSandbox(): () => Promise<FreshProduct> {
  const fresh = sharedProduct()
  return async () => {
    const product = await fresh()
    const { integrations } = Known.parse(await product.call('app.snapshot'))
    for (const { id, kind } of integrations) {
      if (kind !== 'sandbox') {
        await product.call('integrations.remove', { id })
        continue
      }
      const tokens = Ids.parse(await product.call('tokens.list', { integrationId: id }))
      for (const token of tokens) await product.call('tokens.remove', { id: token.id })
      await product.call('authorization.clearRuns', { integrationId: id })
      const { template, automatic, dueBefore } = defaultRefreshRule
      const unlike = { ...template, body: `${template.body} ` }
      // A changed request has to be tested again, even when it is changed back.
      await product.call('integrations.update', { id, refresh: { template: unlike } })
      await product.call('integrations.update', {
        id,
        refresh: { template, automatic, dueBefore },
        redirectUrls: [],
        redirectUrl: '',
      })
    }
    await product.call('sandboxService.configure', { faults: [] })
    await product.call('sandboxService.stop')
    return product
  }
}
