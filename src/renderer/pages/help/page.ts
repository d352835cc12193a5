import type { Page } from '../../routes/page.ts'
import { Icons } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

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
      Component: onDemand(async () => (await import('../../features/help/HelpPage.tsx')).HelpPage),
      go: 'user-guide',
      runs: ['help-find'],
    },
  ],
}
