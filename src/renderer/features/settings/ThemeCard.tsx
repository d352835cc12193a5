import type { Settings } from '#contract/models.ts'
import { Card } from '../../components/Page.tsx'
import { Segments } from '../../components/Segments.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useClient } from '../../platform/use-client.ts'
import { say } from '../shell/toasts.ts'
import { useSettings } from './store.ts'

const themes = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export function ThemeCard({ theme }: Pick<Settings, 'theme'>) {
  const client = useClient()
  function choose(next: Settings['theme']): void {
    // At once, and again with the push: a click on a theme is seen in the same frame.
    useSettings.setState(({ settings }) => ({ settings: settings && { ...settings, theme: next } }))
    client
      .call('settings.update', { theme: next })
      .catch((error: unknown) => say('invalid', sentence(error)))
  }
  return (
    <Card title="Appearance">
      <div>
        <Segments label="Theme" value={theme} options={themes} onChange={choose} />
      </div>
    </Card>
  )
}
