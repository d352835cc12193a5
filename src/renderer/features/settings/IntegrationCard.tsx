import type { Integration } from '#contract/integrations.ts'
import { headerName } from '#catalogue/headers.ts'
import { Card } from '../../components/Page.tsx'
import { useClient } from '../../platform/use-client.ts'
import * as checks from './checks.ts'
import { StoredField } from './StoredField.tsx'

export function IntegrationCard({ integration }: { readonly integration: Integration }) {
  const client = useClient()
  const { id } = integration
  async function update(
    change: Partial<Pick<Integration, 'name' | 'brand' | 'baseUrl'>>,
  ): Promise<void> {
    await client.call('integrations.update', { id, ...change })
  }
  return (
    <Card title="Integration" note="Your client application, as the service knows it.">
      <StoredField
        label="Name"
        stored={integration.name}
        check={checks.name}
        store={(name) => update({ name })}
      />
      <StoredField
        label="Brand"
        hint={`The word in the service’s header names: ${headerName(integration.brand, 'signature')}.`}
        stored={integration.brand}
        check={checks.brand}
        store={(brand) => update({ brand })}
        mono
      />
      <StoredField
        label="Base URL"
        hint="Where the service’s API is. May be empty."
        stored={integration.baseUrl}
        check={checks.baseUrl}
        store={(baseUrl) => update({ baseUrl })}
        mono
      />
    </Card>
  )
}
