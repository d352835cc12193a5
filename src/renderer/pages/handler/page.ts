import type { Page } from '#client/addresses/page.ts'
import { Icons } from '#kit/icons.tsx'
import { onDemand } from '#kit/on-demand.tsx'

export const page: Page = {
  name: 'handler',
  label: 'Handler',
  icon: Icons.FlaskConical,
  order: 3,
  tabs: [
    {
      label: 'Coverage',
      address: '#/handler/targets',
      Component: onDemand(async () => (await import('./Handlers.tsx')).HandlersPage),
      go: 'go-coverage',
    },
    {
      label: 'Rehearsals',
      address: '#/handler/rehearsals',
      Component: onDemand(async () => (await import('./rehearsals/RehearsePage.tsx')).RehearsePage),
      go: 'go-rehearsals',
      runs: ['rehearsal-new'],
    },
    {
      label: 'Generate',
      address: '#/handler/generate',
      Component: onDemand(async () => (await import('./GeneratePage.tsx')).GeneratePage),
      go: 'go-generate',
    },
  ],
}
