import { LivePage } from './LivePage.tsx'
import type { Page } from '#client/addresses/page.ts'
import { Icons } from '#kit/icons.tsx'
import { onDemand } from '#kit/on-demand.tsx'

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
      Component: onDemand(async () => (await import('./logs/LogsPage.tsx')).LogsPage),
      go: 'go-logs',
      runs: ['logs-import'],
    },
  ],
}
