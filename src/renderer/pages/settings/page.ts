import type { Page } from '../../routes/page.ts'
import { Icons } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

export const page: Page = {
  name: 'settings',
  label: 'Settings',
  icon: Icons.Settings2,
  order: 8,
  foot: true,
  tabs: [
    {
      label: 'Settings',
      address: '#/settings',
      Component: onDemand(
        async () => (await import('../../features/settings/SettingsPage.tsx')).SettingsPage,
      ),
      go: 'go-settings',
      runs: ['settings-find'],
    },
  ],
}
