import type { Page } from '#client/addresses/page.ts'
import { Icons } from '#kit/icons.tsx'
import { onDemand } from '#kit/on-demand.tsx'

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
        async () => (await import('./endpoints/EndpointsPage.tsx')).EndpointsPage,
      ),
      go: 'go-endpoints',
      runs: ['endpoint-new'],
    },
    {
      label: 'Scripts',
      address: '#/setup/scripts',
      Component: onDemand(async () => (await import('./scripts/ScriptsPage.tsx')).ScriptsPage),
      go: 'go-scripts',
    },
    {
      label: 'Reachability',
      address: '#/setup/reach',
      Component: onDemand(async () => (await import('./reach/ReachPage.tsx')).ReachPage),
      go: 'go-reach',
    },
    {
      label: 'Sandbox',
      address: '#/setup/sandbox',
      Component: onDemand(async () => (await import('./sandbox/SandboxPage.tsx')).SandboxPage),
      go: 'go-sandbox',
    },
    {
      label: 'Assistants',
      address: '#/setup/assistants',
      Component: onDemand(async () => (await import('./AssistantsPage.tsx')).AssistantsPage),
      go: 'go-assistants',
    },
  ],
}
