import { Page } from '../../components/Page.tsx'
import { ClearCard } from './ClearCard.tsx'
import { KeepingCard } from './KeepingCard.tsx'
import { ListenerCard } from './ListenerCard.tsx'
import { useSettings } from './store.ts'
import { ThemeCard } from './ThemeCard.tsx'

/** What can be set. Each value is stored when its field is left. */
export function SettingsPage() {
  const settings = useSettings((state) => state.settings)
  if (!settings) return null
  return (
    <Page title="Settings" lead="Each value is stored when you leave its field or press Enter.">
      <ThemeCard theme={settings.theme} />
      <ListenerCard settings={settings} />
      <KeepingCard settings={settings} />
      <ClearCard />
    </Page>
  )
}
