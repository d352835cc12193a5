import { routes } from '../platform/routes.ts'
import type { Scenarios } from './service.ts'

export const scenarioRoutes = routes<{ readonly scenarios: Scenarios }>()({
  'scenarios.list': ({ scenarios }) => scenarios.list(),
  'scenarios.get': ({ scenarios }, { name }) => scenarios.get(name),
  'scenarios.results': ({ scenarios }, { run }) => scenarios.results(run),
  'scenarios.save': ({ scenarios }, input) => scenarios.save(input),
  'scenarios.remove': async ({ scenarios }, { name }) => {
    await scenarios.remove(name)
    return {}
  },
  'scenarios.run': ({ scenarios }, input) => scenarios.run(input),
  'scenarios.stop': ({ scenarios }, { run }) => scenarios.stop(run),
})
