import type { LogExport, LogsView } from '#contract/logs.ts'
import { isTransferActive } from '../../state/logs.ts'

/** Exports that went on when the engine ended, and that the one which was started again knows nothing of. */
export function cutOff(before: Pick<LogsView, 'exports'>, now: Pick<LogsView, 'exports'>) {
  const isKnown = (one: LogExport): boolean =>
    now.exports.some(({ id, startedAt }) => id === one.id && startedAt === one.startedAt)
  return before.exports.filter((one) => isTransferActive(one) && !isKnown(one))
}
