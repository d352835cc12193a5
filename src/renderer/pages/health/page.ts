import type { Page } from '../../routes/page.ts'
import { Icons } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

export const page: Page = {
  name: 'health',
  label: 'Health',
  icon: Icons.Activity,
  order: 4,
  tabs: [
    {
      label: 'Charts',
      address: '#/health/charts',
      Component: onDemand(
        async () => (await import('../../features/health/HealthPage.tsx')).HealthPage,
      ),
      go: 'go-health',
    },
    {
      label: 'Alerts',
      address: '#/health/alerts',
      Component: onDemand(
        async () => (await import('../../features/health/Alerts.tsx')).AlertsPage,
      ),
      go: 'go-alerts',
    },
    {
      label: 'Differences',
      address: '#/health/differences',
      Component: onDemand(
        async () =>
          (await import('../../features/conformance/ConformancePage.tsx')).ConformancePage,
      ),
      go: 'go-differences',
      runs: ['since', 'recompute'],
    },
  ],
}
