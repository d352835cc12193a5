import type { DraftProblem } from '#contract/compose.ts'
import { AppError } from '../../platform/errors.ts'
import { problem, type Composing } from './body-facts.ts'
import { signAs, signCurrent, type Made } from './signing.ts'

/** What becomes of the signature header of a draft. */
export type SignatureDecision =
  /** As written. */
  | { readonly how: 'keep' }
  | { readonly how: 'leave'; readonly problem: DraftProblem | null }
  | { readonly how: 'put'; readonly made: Made }

/** `auto` keeps what was captured while body and secret are as they were; all else is signed with the endpoint's secret of now. */
export function decideSignature(of: Composing): SignatureDecision {
  const { content, body, bodyUnchanged, sameEndpoint, endpoint, world } = of
  const { sign } = content
  switch (sign.how) {
    case 'auto': {
      if (bodyUnchanged && sameEndpoint) return { how: 'keep' }
      const made = signCurrent(body, endpoint)
      if (made) return { how: 'put', made }
      const message = endpoint
        ? `The endpoint "${endpoint.name}" has no secret, so it is sent without a signature.`
        : 'No endpoint is selected, so it is sent without a signature.'
      return { how: 'leave', problem: problem('info', 'sign.left_out', 'sign', message) }
    }
    case 'keep':
      return { how: 'keep' }
    case 'none':
      return { how: 'leave', problem: null }
    case 'secret':
    case 'broken':
      try {
        return { how: 'put', made: signAs(body, sign, content.endpointId, world) }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { how: 'leave', problem: problem('error', 'sign.no_secret', 'sign', error.message) }
      }
  }
}
