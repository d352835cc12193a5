import type { RunFailureCode } from '#contract/authorization.ts'
import { maskMarker } from '#contract/masks.ts'
import type { LiveRun } from './live-run.ts'
import type { Prepared } from './prepare.ts'
import { extraParameters } from './redirect.ts'
import { readReturn, returnedParameters, type ReturnedParameters } from './returned.ts'

export type ReadBack =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly refusal: RunFailureCode; readonly message: string }

/** Reads the address that came back, and tells each look as a step: what came, the two states, the error or the code. */
export function readBack(run: LiveRun, prepared: Prepared, address: string): ReadBack {
  const came = returnedParameters(address)
  // By their place, not by their value alone: a code may be too short to be found elsewhere.
  const codes = came.codes.map((code) =>
    code === '' ? code : maskMarker(run.masker.hold('code', 'Authorization code', code)),
  )
  const extra = extraParameters(address, prepared.redirectUrl)
  run.step({
    kind: 'returned',
    title: 'Redirect received',
    facts: factsOf({ ...came, codes }, extra),
  })
  if (extra.length > 0) {
    run.found([
      {
        code: 'return.extra_parameters',
        severity: 'info',
        place: 'returned',
        message: `The service added parameters that are not in the API documentation: ${extra.join(', ').slice(0, 500)}.`,
      },
    ])
  }
  const outcome = readReturn(address, prepared.state)
  const refusedAt = outcome.ok ? null : outcome.at
  const detail = outcome.ok ? null : outcome.message
  run.step({
    kind: 'state',
    outcome: refusedAt === 'state' ? 'failed' : 'ok',
    title: refusedAt === 'state' ? 'The state is not the one sent' : 'The state is the one sent',
    detail: refusedAt === 'state' ? detail : null,
    facts: [
      { name: 'sent', value: prepared.state },
      ...came.states.map((value) => ({ name: 'returned', value })),
    ],
  })
  if (outcome.ok) {
    run.step({ kind: 'code', title: 'One code came' })
    return { ok: true, code: outcome.code }
  }
  if (refusedAt !== 'state') {
    run.step({
      kind: 'code',
      outcome: 'failed',
      title: refusedAt === 'error' ? 'An error came' : 'No code that could be used',
      detail,
    })
  }
  return { ok: false, refusal: outcome.refusal, message: outcome.message }
}

function all(name: string, values: readonly string[]): { name: string; value: string }[] {
  return values.map((value) => ({ name, value }))
}

function factsOf(came: ReturnedParameters, extra: readonly string[]) {
  return [
    ...all('code', came.codes),
    ...all('state', came.states),
    ...all('error', came.errors),
    ...all('error_description', came.errorDescription === null ? [] : [came.errorDescription]),
    ...all('error_uri', came.errorUri === null ? [] : [came.errorUri]),
    ...all('not documented', extra),
  ]
}
