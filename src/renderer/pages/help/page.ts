import type { Page } from '#client/addresses/page.ts'
import { Icons } from '#kit/icons.tsx'
import { onDemand } from '#kit/on-demand.tsx'

export const page: Page = {
  name: 'help',
  label: 'Help',
  icon: Icons.CircleHelp,
  order: 7,
  foot: true,
  tabs: [
    {
      label: 'Guide',
      address: '#/help',
      Component: onDemand(async () => (await import('./HelpPage.tsx')).HelpPage),
      go: 'user-guide',
      runs: ['help-find'],
    },
  ],
}
