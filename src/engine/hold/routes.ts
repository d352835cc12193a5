import { nothingHeld } from '#contract/hold.ts'
import { routes } from '../platform/routes.ts'
import { AppError } from '../platform/errors.ts'

export const holdRoutes = routes<object>()({
  'hold.state': () => nothingHeld,
  'hold.add': () => notBuilt(),
  'hold.stop': () => notBuilt(),
  'hold.edit': () => notBuilt(),
  'hold.release': () => notBuilt(),
  'hold.drop': () => notBuilt(),
  'hold.respond': () => notBuilt(),
})

function notBuilt(): never {
  throw new AppError('internal', 'Not built yet.')
}
