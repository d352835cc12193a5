import type { Page } from '#client/addresses/page.ts'
import { Icons } from '#kit/icons.tsx'
import { onDemand } from '#kit/on-demand.tsx'

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
      Component: onDemand(async () => (await import('./SettingsPage.tsx')).SettingsPage),
      go: 'go-settings',
      runs: ['settings-find'],
    },
  ],
}
