import type { Settings } from '#contract/models.ts'
import { useClient } from '../../platform/use-client.ts'
import * as checks from './checks.ts'
import { Setting, SettingsCard, useSettingWords } from './Setting.tsx'
import { StoredField } from './StoredField.tsx'

const gib = 1024 * 1024 * 1024

export function KeepingCard({ settings }: { readonly settings: Settings }) {
  const client = useClient()
  async function update(change: Partial<Settings>): Promise<void> {
    await client.call('settings.update', change)
  }
  const number = useSettingWords('keep-deliveries')
  const bytes = useSettingWords('keep-bytes')
  return (
    <SettingsCard title="Keeping" note="The oldest go first. Pinned deliveries stay.">
      <Setting name="keep-deliveries">
        <StoredField
          {...number}
          stored={String(settings.keepDeliveries)}
          check={(text) => checks.wholeNumber(text, 1, 10_000_000)}
          store={(text) => update({ keepDeliveries: Number(text) })}
          numeric
          after={<span className="field-unit">deliveries</span>}
        />
      </Setting>
      <Setting name="keep-bytes">
        <StoredField
          {...bytes}
          stored={String(Number((settings.keepBytes / gib).toFixed(3)))}
          check={(text) => checks.anyNumber(text, 0.001, 1024)}
          store={(text) => update({ keepBytes: Math.round(Number(text) * gib) })}
          numeric
          after={<span className="field-unit">GiB on disk</span>}
        />
      </Setting>
    </SettingsCard>
  )
}
