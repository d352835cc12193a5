import type { Page } from '#client/addresses/page.ts'
import { Icons } from '#kit/icons.tsx'
import { onDemand } from '#kit/on-demand.tsx'

const views = async () => import('./AuthorizationPage.tsx')

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
      Component: onDemand(async () => (await import('./console/ConsolePage.tsx')).ConsolePage),
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
