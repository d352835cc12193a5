import type { ForwardTarget, ResponseRule } from '#contract/answering.ts'
import type { Target } from '#contract/sending.ts'
import type { Db } from './driver.ts'

export function readForwards(_db: Db): ForwardTarget[] {
  return []
}

/** In the order in which they are tried. */
export function readResponses(_db: Db): ResponseRule[] {
  return []
}

export function readTargets(_db: Db): Target[] {
  return []
}
