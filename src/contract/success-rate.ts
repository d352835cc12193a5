import type { ForwardHealth } from './answering.ts'

/** The success rate of a forward target: "6 of the last 9 delivered (66%)"; null: nothing ended yet. Never 100% while one failed. */
export function successRate({ recent: { ok, failed } }: ForwardHealth): string | null {
  const all = ok + failed
  if (all === 0) return null
  const percent = `${Math.floor((ok / all) * 100)}%`
  return all === 1
    ? `${ok} of 1 delivered (${percent})`
    : `${ok} of the last ${all} delivered (${percent})`
}
