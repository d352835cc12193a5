import type { Settings } from '#contract/models.ts'
import { Segments } from '../../components/Segments.tsx'
import { useClient } from '../../platform/use-client.ts'
import { Setting, SettingsCard, useSettingWords } from './Setting.tsx'
import { chooseTheme } from './theme.ts'

const themes = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export function ThemeCard({ theme }: Pick<Settings, 'theme'>) {
  const client = useClient()
  const { label, hint } = useSettingWords('theme')
  return (
    <SettingsCard title="Appearance">
      <Setting name="theme">
        <div className="setting-field">
          <p className="setting-label">{label}</p>
          <Segments
            label="Theme"
            value={theme}
            options={themes}
            onChange={(next) => chooseTheme(client, next)}
          />
          <p className="field-hint">{hint}</p>
        </div>
      </Setting>
    </SettingsCard>
  )
}
