import type { ForwardHealth } from './endpoint-rules.ts'

/** "6 of the last 9 delivered (66%)"; null: no results yet. Rounded down, so never 100% with a failure. */
export function successRate({ recent: { ok, failed } }: ForwardHealth): string | null {
  const total = ok + failed
  if (total === 0) return null
  const percent = `${Math.floor((ok / total) * 100)}%`
  return total === 1
    ? `${ok} of 1 delivered (${percent})`
    : `${ok} of the last ${total} delivered (${percent})`
}
