import type { Settings } from '#contract/models.ts'
import { Card } from '../../components/Page.tsx'
import { Segments } from '../../components/Segments.tsx'
import { useClient } from '../../platform/use-client.ts'
import { chooseTheme } from './theme.ts'

const themes = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export function ThemeCard({ theme }: Pick<Settings, 'theme'>) {
  const client = useClient()
  return (
    <Card title="Appearance">
      <div>
        <Segments
          label="Theme"
          value={theme}
          options={themes}
          onChange={(next) => chooseTheme(client, next)}
        />
      </div>
    </Card>
  )
}
