import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { JobPlan } from '#contract/sending.ts'
import { AppError } from '../../errors.ts'
import { prepare } from '../../store/driver.ts'
import { readLastUrl } from '../../store/sending/read-attempts.ts'
import type { SenderParts } from '../parts.ts'
import { defaultUrlOf } from '../target/default-url.ts'
import { lookAt, parseTarget } from '../target/look.ts'

/** As many targets as a plan names. */
const mostTargets = 20
/** After so many deliveries the thread gives way to what is being sent. */
const atOnce = 500

interface Row {
  readonly id: number
  readonly endpointId: number | null
  readonly type: string | null
  readonly path: string
}

/** What a job would send, and where. `url` null: each to its default target. Throws `bad_target`. */
export async function planJob(
  { db, world }: SenderParts,
  url: string | null,
  ids: readonly number[],
): Promise<JobPlan> {
  const to = url === null ? null : parseTarget(url)
  const read = prepare<[number], Row>(
    db,
    'SELECT id, endpoint_id AS endpointId, type, path FROM delivery WHERE id = ?',
  )
  const targetOf = (row: Row): string | null => {
    if (to !== null) return to.href
    try {
      return defaultUrlOf(row, readLastUrl(db, row.id), world).href
    } catch (error) {
      if (error instanceof AppError && error.code === 'bad_target') return null
      throw error
    }
  }
  const missing: number[] = []
  const counts = new Map<string | null, number>()
  for (const [index, id] of ids.entries()) {
    if (index % atOnce === atOnce - 1) await yieldToOthers()
    const row = read.get(id)
    if (row === undefined) {
      missing.push(id)
      continue
    }
    const target = targetOf(row)
    counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  const most = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, mostTargets)
  return {
    requests: ids.length - missing.length,
    missing,
    targets: await Promise.all(
      most.map(async ([target, requests]) => ({
        url: target,
        requests,
        place: target === null ? null : (await lookAt(new URL(target), world)).place,
      })),
    ),
  }
}
