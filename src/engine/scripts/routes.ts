import { routes } from '../platform/routes.ts'
import { AppError } from '../platform/errors.ts'

export const scriptRoutes = routes<object>()({
  'scripts.list': () => [],
  'scripts.save': () => notBuilt(),
  'scripts.remove': () => notBuilt(),
  'scripts.export': () => notBuilt(),
  'scripts.run': () => notBuilt(),
})

function notBuilt(): never {
  throw new AppError('internal', 'Not built yet.')
}
