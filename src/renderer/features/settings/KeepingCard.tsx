import type { Settings } from '#contract/models.ts'
import { Card } from '../../components/Page.tsx'
import { useClient } from '../../platform/use-client.ts'
import * as checks from './checks.ts'
import { StoredField } from './StoredField.tsx'

const gib = 1024 * 1024 * 1024

export function KeepingCard({ settings }: { readonly settings: Settings }) {
  const client = useClient()
  async function update(change: Partial<Settings>): Promise<void> {
    await client.call('settings.update', change)
  }
  return (
    <Card title="Keeping" note="The oldest go first. Pinned deliveries stay.">
      <StoredField
        label="Keep at most"
        stored={String(settings.keepDeliveries)}
        check={(text) => checks.wholeNumber(text, 1, 10_000_000)}
        store={(text) => update({ keepDeliveries: Number(text) })}
        numeric
        after={<span className="field-unit">deliveries</span>}
      />
      <StoredField
        label="And at most"
        stored={String(Number((settings.keepBytes / gib).toFixed(3)))}
        check={(text) => checks.anyNumber(text, 0.001, 1024)}
        store={(text) => update({ keepBytes: Math.round(Number(text) * gib) })}
        numeric
        after={<span className="field-unit">GiB on disk</span>}
      />
    </Card>
  )
}
