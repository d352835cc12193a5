import { defaultRefreshRule } from '#contract/constants.ts'
import { sharedProduct, type FreshProduct } from '../../support/shared-product.ts'

/** One product for all tests of a file. Each test starts with an unused sandbox: without runs, tokens, faults and redirect URLs. */
export function sharedSandbox(): () => Promise<FreshProduct> {
  const fresh = sharedProduct()
  return async () => {
    const product = await fresh()
    const { engine } = product
    const { integrations } = await engine.call('app.snapshot', {})
    for (const { id, kind } of integrations) {
      if (kind !== 'sandbox') {
        await engine.call('integrations.remove', { id })
        continue
      }
      const tokens = await engine.call('tokens.list', { integrationId: id })
      for (const token of tokens) await engine.call('tokens.remove', { id: token.id })
      await engine.call('authorization.clearRuns', { integrationId: id })
      const { template, automatic, dueBefore } = defaultRefreshRule
      const unlike = { ...template, body: `${template.body} ` }
      // A changed request has to be tested again, even when it is changed back.
      await engine.call('integrations.update', { id, refresh: { template: unlike } })
      await engine.call('integrations.update', {
        id,
        refresh: { template, automatic, dueBefore },
        redirectUrls: [],
        redirectUrl: '',
      })
    }
    await engine.call('sandboxService.configure', { faults: [] })
    await engine.call('sandboxService.stop', {})
    return product
  }
}
