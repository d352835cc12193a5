import { logAddress, logOf } from './pages.ts'
import type { Scope } from '../state/scope.ts'

/** What a URL of the page shows. */
export type RehearsePlace =
  /** The form. Null: not preset. */
  | { readonly kind: 'start'; readonly to: string | null; readonly endpointId: number | null }
  /** The form for an OAuth client, with the options of an earlier run; null: not preset. */
  | { readonly kind: 'start-oauth'; readonly runId: number | null }
  /** `caseId`: the open case; null: none. `compare`: the matrix of all runs of the target. */
  | {
      readonly kind: 'run'
      readonly id: number
      readonly caseId: string | null
      readonly compare: boolean
    }

const number = /^[1-9]\d{0,14}$/
const caseName = /^[A-Z]\d{1,3}$/

/**
 * `#/handler/rehearsals`, `#/handler/rehearsals?to=URL&endpoint=2`, `#/handler/rehearsals/oauth`, `#/handler/rehearsals/oauth?run=12`, `#/handler/rehearsals/12`, `#/handler/rehearsals/12/S4`,
 * `#/handler/rehearsals/12/compare`; for an event log `#/logs/3/rehearsals/12` and so on. Null: another page.
 */
export function rehearsePlaceOf(hash: string): RehearsePlace | null {
  const end = hash.indexOf('?')
  const [path, query] = end < 0 ? [hash, ''] : [hash.slice(0, end), hash.slice(end + 1)]
  const parts = path.split('/')
  const [, , page, id = '', part = ''] = logOf(hash) === null ? parts : parts.slice(1)
  if (page !== 'rehearsals') return null
  if (number.test(id)) {
    return {
      kind: 'run',
      id: Number(id),
      caseId: caseName.test(part) ? part : null,
      compare: part === 'compare',
    }
  }
  const preset = new URLSearchParams(query)
  if (id === 'oauth') {
    const run = preset.get('run') ?? ''
    return { kind: 'start-oauth', runId: number.test(run) ? Number(run) : null }
  }
  const endpoint = preset.get('endpoint') ?? ''
  return {
    kind: 'start',
    to: preset.get('to'),
    endpointId: number.test(endpoint) ? Number(endpoint) : null,
  }
}

export function rehearseAddress(to: string | null, endpointId: number | null): string {
  const preset = new URLSearchParams({
    ...(to === null ? {} : { to }),
    ...(endpointId === null ? {} : { endpoint: String(endpointId) }),
  })
  return preset.size === 0 ? '#/handler/rehearsals' : `#/handler/rehearsals?${preset.toString()}`
}

/** The form for an OAuth client, with the options of an earlier run. */
export function rehearseOAuthAddress(runId: number | null): string {
  return runId === null ? '#/handler/rehearsals/oauth' : `#/handler/rehearsals/oauth?run=${runId}`
}

/** The rehearsals of an event log. */
export function logRehearsalsAddress(log: number): string {
  return `${logAddress(log)}/rehearsals`
}

/** A run, with the open case, or with the matrix. */
export function rehearsalAddress(
  id: number,
  part: string | null = null,
  log: Scope = null,
): string {
  const run = `${log === null ? '#/handler/rehearsals' : logRehearsalsAddress(log)}/${id}`
  return part === null ? run : `${run}/${part}`
}
