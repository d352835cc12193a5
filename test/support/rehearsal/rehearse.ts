import { gradeOf, type Grade } from '#catalogue/rehearsal/grade.ts'
import { RehearsalOptions, type CaseResult, type RehearsalProblem } from '#contract/rehearsal.ts'
import { Network } from '#engine/platform/http/network.ts'
import { CaseRequestBuilder } from '#engine/handlers/rehearsal/request-builder.ts'
import type { RehearsalIdentity } from '#engine/handlers/rehearsal/messages.ts'
import type { ReadEffects } from '#engine/handlers/rehearsal/effect-counter.ts'
import { createRedact } from '#engine/platform/masking/redact.ts'
import { runCases } from '#engine/handlers/rehearsal/runner.ts'
import { createSend } from '#engine/handlers/rehearsal/send.ts'
import { OwnPorts } from '#engine/receiving/listener/messages.ts'
import { createWire } from '#engine/sending/wire/wire.ts'

const noRedaction = createRedact([], '')

/** What the deliveries of a test are signed and labelled with. */
export const identity = {
  secret: 'rehearsal-secret-0123456789',
  previousSecret: 'previous-secret-0123456789',
  accessSecret: 'access-secret-0123456789',
  brand: 'Service',
  applicationId: 'application-1',
  customHeaders: [['X-Custom', 'yes']],
} as const satisfies RehearsalIdentity

export interface Rehearsed {
  readonly results: readonly CaseResult[]
  readonly problem: RehearsalProblem | null
  readonly grade: Grade | null
  /** Cases that did not pass, as `S4 fail`, in the order of the catalogue. */
  readonly noticed: readonly string[]
}

/** Runs cases against a handler, in this process. */
export async function rehearse(
  url: string,
  effects: ReadEffects,
  options: Partial<RehearsalOptions> = {},
): Promise<Rehearsed> {
  const complete = RehearsalOptions.parse({ url, seed: 1, load: true, ...options })
  const wire = createWire(new OwnPorts(), () => null, new Network())
  const results: CaseResult[] = []
  try {
    const problem = await runCases({
      options: complete,
      secret: identity.secret,
      effects,
      builder: (name) => new CaseRequestBuilder(identity, complete.seed, name),
      send: createSend(wire, complete, {
        verifyTls: true,
        publicAllowed: false,
        redact: noRedaction,
      }),
      result: (result) => results.push(result),
      signal: new AbortController().signal,
    })
    return {
      results,
      problem,
      grade: gradeOf(results, { only: complete.only, skip: complete.skip, hasSecret: true }),
      noticed: [
        // The precheck has no result if it stops the run.
        ...(results.length === 0 && problem !== null ? ['P1 fail'] : []),
        ...results
          .filter(({ result }) => result !== 'pass' && result !== 'skipped')
          .map(({ id, result }) => `${id} ${result}`),
      ],
    }
  } finally {
    await wire.close()
  }
}
