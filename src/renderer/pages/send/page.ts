import type { Page } from '../../routes/page.ts'
import { Icons } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

export const page: Page = {
  name: 'send',
  label: 'Send',
  icon: Icons.PenLine,
  order: 2,
  tabs: [
    {
      label: 'Drafts',
      address: '#/send/drafts',
      Component: onDemand(
        async () => (await import('../../features/compose/ComposePage.tsx')).ComposePage,
      ),
      go: 'go-drafts',
      runs: ['compose-new', 'compose-curl', 'compose-drafts'],
    },
    {
      label: 'Scenarios',
      address: '#/send/scenarios',
      Component: onDemand(
        async () => (await import('../../features/scenarios/ScenariosPage.tsx')).ScenariosPage,
      ),
      go: 'go-scenarios',
    },
    {
      label: 'History',
      address: '#/send/history',
      Component: onDemand(async () => (await import('../../features/jobs/JobsPage.tsx')).JobsPage),
      go: 'go-history',
    },
  ],
}
