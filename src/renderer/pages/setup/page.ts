import type { Page } from '../../routes/page.ts'
import { Icons } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

export const page: Page = {
  name: 'setup',
  label: 'Setup',
  icon: Icons.Webhook,
  order: 6,
  tabs: [
    {
      label: 'Endpoints',
      address: '#/setup/endpoints',
      Component: onDemand(
        async () => (await import('../../features/endpoints/EndpointsPage.tsx')).EndpointsPage,
      ),
      go: 'go-endpoints',
      runs: ['endpoint-new'],
    },
    {
      label: 'Scripts',
      address: '#/setup/scripts',
      Component: onDemand(
        async () => (await import('../../features/scripts/ScriptsPage.tsx')).ScriptsPage,
      ),
      go: 'go-scripts',
    },
    {
      label: 'Reachability',
      address: '#/setup/reach',
      Component: onDemand(async () => (await import('./ReachPage.tsx')).ReachPage),
      go: 'go-reach',
    },
    {
      label: 'Sandbox',
      address: '#/setup/sandbox',
      Component: onDemand(
        async () => (await import('../../features/sandbox/SandboxPage.tsx')).SandboxPage,
      ),
      go: 'go-sandbox',
    },
    {
      label: 'Assistants',
      address: '#/setup/assistants',
      Component: onDemand(
        async () => (await import('../../features/assistants/AssistantsPage.tsx')).AssistantsPage,
      ),
      go: 'go-assistants',
    },
  ],
}
