import type { Page } from '#client/addresses/page.ts'
import { Icons } from '#kit/icons.tsx'
import { onDemand } from '#kit/on-demand.tsx'

export const page: Page = {
  name: 'send',
  label: 'Send',
  icon: Icons.PenLine,
  order: 2,
  tabs: [
    {
      label: 'Drafts',
      address: '#/send/drafts',
      Component: onDemand(async () => (await import('./drafts/DraftsPage.tsx')).ComposePage),
      go: 'go-drafts',
      runs: ['compose-new', 'compose-curl', 'compose-drafts'],
    },
    {
      label: 'Scenarios',
      address: '#/send/scenarios',
      Component: onDemand(
        async () => (await import('./scenarios/ScenariosPage.tsx')).ScenariosPage,
      ),
      go: 'go-scenarios',
    },
    {
      label: 'History',
      address: '#/send/history',
      Component: onDemand(async () => (await import('./history/JobsPage.tsx')).JobsPage),
      go: 'go-history',
    },
  ],
}
