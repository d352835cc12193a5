import type { Page } from '#client/addresses/page.ts'
import { Icons } from '#kit/icons.tsx'
import { onDemand } from '#kit/on-demand.tsx'

export const page: Page = {
  name: 'health',
  label: 'Health',
  icon: Icons.Activity,
  order: 4,
  tabs: [
    {
      label: 'Charts',
      address: '#/health/charts',
      Component: onDemand(async () => (await import('./HealthPage.tsx')).HealthPage),
      go: 'go-health',
    },
    {
      label: 'Alerts',
      address: '#/health/alerts',
      Component: onDemand(async () => (await import('./Alerts.tsx')).AlertsPage),
      go: 'go-alerts',
    },
    {
      label: 'Differences',
      address: '#/health/differences',
      Component: onDemand(
        async () => (await import('./differences/ConformancePage.tsx')).ConformancePage,
      ),
      go: 'go-differences',
    },
  ],
}
