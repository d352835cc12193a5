import { LivePage } from '../../features/deliveries/index.ts'
import type { Page } from '../../routes/page.ts'
import { Icons } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

export const page: Page = {
  name: 'deliveries',
  label: 'Deliveries',
  icon: Icons.Inbox,
  order: 1,
  tabs: [
    {
      label: 'Live',
      address: '#/deliveries',
      Component: LivePage,
      go: 'go-deliveries',
      runs: ['filter', 'filter-help', 'export', 'hold'],
    },
    {
      label: 'Event logs',
      address: '#/logs',
      Component: onDemand(async () => (await import('../../features/logs/LogsPage.tsx')).LogsPage),
      go: 'go-logs',
      runs: ['logs-import'],
    },
  ],
}
