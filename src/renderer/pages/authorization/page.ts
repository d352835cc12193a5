import type { Page } from '../../routes/page.ts'
import { Icons } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

const views = async () => import('../../features/authorization/AuthorizationPage.tsx')

export const page: Page = {
  name: 'authorization',
  label: 'Authorization',
  icon: Icons.LockKeyhole,
  order: 5,
  tabs: [
    {
      label: 'Authorize',
      address: '#/authorization/runs',
      Component: onDemand(async () => (await views()).RunsPage),
      go: 'go-authorization',
      runs: ['authorize'],
    },
    {
      label: 'Tokens',
      address: '#/authorization/tokens',
      Component: onDemand(async () => (await views()).TokensPage),
      go: 'go-tokens',
    },
    {
      label: 'API console',
      address: '#/authorization/console',
      Component: onDemand(
        async () => (await import('../../features/console/ConsolePage.tsx')).ConsolePage,
      ),
      go: 'go-console',
      runs: ['path', 'history'],
    },
    {
      label: 'Refresh',
      address: '#/authorization/refresh',
      Component: onDemand(async () => (await views()).RefreshPage),
      go: 'go-refresh',
    },
    {
      label: 'Integration',
      address: '#/authorization/setup',
      Component: onDemand(async () => (await views()).SetupPage),
      go: 'go-integration',
    },
  ],
}
