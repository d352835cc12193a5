import type { RunFailureCode } from '#contract/authorization.ts'
import { maskMarker } from '#contract/masks.ts'
import type { LiveRun } from './live-run.ts'
import type { Prepared } from './prepare.ts'
import {
  extraParameters,
  readRedirect,
  redirectParameters,
  type RedirectParameters,
} from './redirect.ts'

export type RecordedRedirect =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly refusal: RunFailureCode; readonly message: string }

/** Records each check as a step: parameters, state, and the error or the code. */
export function recordRedirect(
  run: LiveRun,
  prepared: Prepared,
  address: string,
): RecordedRedirect {
  const parameters = redirectParameters(address)
  // Masked explicitly: a code may be too short for the masker to search for.
  const codes = parameters.codes.map((code) =>
    code === '' ? code : maskMarker(run.masker.hold('code', 'Authorization code', code)),
  )
  const extra = extraParameters(address, prepared.redirectUrl)
  run.step({
    kind: 'returned',
    title: 'Redirect received',
    facts: factsOf({ ...parameters, codes }, extra),
  })
  if (extra.length > 0) {
    run.addFindings([
      {
        code: 'return.extra_parameters',
        severity: 'info',
        location: 'returned',
        message: `The service added parameters that are not in the API documentation: ${extra.join(', ').slice(0, 500)}.`,
      },
    ])
  }
  const outcome = readRedirect(address, prepared.state)
  const refusedAt = outcome.ok ? null : outcome.at
  const detail = outcome.ok ? null : outcome.message
  run.step({
    kind: 'state',
    outcome: refusedAt === 'state' ? 'failed' : 'ok',
    title: refusedAt === 'state' ? 'State does not match' : 'State matches',
    detail: refusedAt === 'state' ? detail : null,
    facts: [
      { name: 'sent', value: prepared.state },
      ...parameters.states.map((value) => ({ name: 'returned', value })),
    ],
  })
  if (outcome.ok) {
    run.step({ kind: 'code', title: 'Authorization code received' })
    return { ok: true, code: outcome.code }
  }
  if (refusedAt !== 'state') {
    run.step({
      kind: 'code',
      outcome: 'failed',
      title: refusedAt === 'error' ? 'Error received' : 'No usable code received',
      detail,
    })
  }
  return { ok: false, refusal: outcome.refusal, message: outcome.message }
}

function facts(name: string, values: readonly string[]): { name: string; value: string }[] {
  return values.map((value) => ({ name, value }))
}

function factsOf(parameters: RedirectParameters, extra: readonly string[]) {
  return [
    ...facts('code', parameters.codes),
    ...facts('state', parameters.states),
    ...facts('error', parameters.errors),
    ...facts(
      'error_description',
      parameters.errorDescription === null ? [] : [parameters.errorDescription],
    ),
    ...facts('error_uri', parameters.errorUri === null ? [] : [parameters.errorUri]),
    ...facts('not documented', extra),
  ]
}
