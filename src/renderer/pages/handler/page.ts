import type { Page } from '../../routes/page.ts'
import { Icons } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

export const page: Page = {
  name: 'handler',
  label: 'Handler',
  icon: Icons.FlaskConical,
  order: 3,
  tabs: [
    {
      label: 'Coverage',
      address: '#/handler/targets',
      Component: onDemand(
        async () => (await import('../../features/health/Handlers.tsx')).HandlersPage,
      ),
      go: 'go-coverage',
    },
    {
      label: 'Rehearsals',
      address: '#/handler/rehearsals',
      Component: onDemand(
        async () => (await import('../../features/rehearsal/RehearsePage.tsx')).RehearsePage,
      ),
      go: 'go-rehearsals',
      runs: ['rehearsal-new'],
    },
    {
      label: 'Generate',
      address: '#/handler/generate',
      Component: onDemand(
        async () => (await import('../../features/generate/GeneratePage.tsx')).GeneratePage,
      ),
      go: 'go-generate',
    },
  ],
}
