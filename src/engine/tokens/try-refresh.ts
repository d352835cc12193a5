import type { Run } from '#contract/authorization.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { TryRefresh } from './refresher.ts'

export async function tryRefresh(
  _context: Context,
  ..._rest: Parameters<TryRefresh>
): Promise<Run> {
  throw new AppError('internal', 'Not there yet.')
}
