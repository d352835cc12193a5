import type { Payload } from '#catalogue/payload.ts'
import type { SandboxProblem } from '#catalogue/sandbox-problems.ts'
import type { SignatureFault, Target } from './request.ts'
import { type SampleOptions, sampleSteps, type Step } from './steps.ts'

const signatureFaults: { readonly [P in SandboxProblem]?: SignatureFault } = {
  'other-secret': 'other-secret',
  'secret-line-break': 'secret-line-break',
  're-serialized': 'pretty',
  base64: 'base64',
}

export function targetWith(problem: SandboxProblem | null, target: Target): Target {
  if (problem === 'no-signature') return { ...target, secret: null }
  const signWrong = problem === null ? undefined : signatureFaults[problem]
  return signWrong ? { ...target, signWrong } : target
}

/** `sampleSteps` with a problem. Out of order, they are those of a tab. */
export function* stepsWith(
  problem: SandboxProblem | null,
  types: readonly string[],
  options: SampleOptions,
): Generator<Step, void, void> {
  const isTab = problem === 'out-of-order'
  const overrides = [
    ...(options.overrides ?? []),
    ...(isTab ? [`targetUuid=${options.random.uuid()}`] : []),
    ...(problem === 'undocumented-field' ? ['data.undocumentedField=1'] : []),
  ]
  const samples = sampleSteps(isTab ? ['CLOSE_TAB', 'OPEN_TAB'] : types, { ...options, overrides })
  for (const step of samples) {
    const isLate = problem === 'late' || (isTab && step.type === 'OPEN_TAB')
    let sent: Payload | undefined
    const payload = (now: Date): Payload =>
      (sent ??= step.payload(isLate ? new Date(now.getTime() - 3_600_000) : now))
    yield { ...step, payload }
    if (problem === 'duplicate') yield { ...step, payload }
  }
}
