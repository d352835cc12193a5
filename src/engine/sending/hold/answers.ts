import type { DraftContent } from '#contract/compose.ts'
import { throwDeliveryNotFound } from '../../deliveries/store.ts'
import { AppError } from '../../platform/errors.ts'
import type { Forwards } from '../forward/forwards.ts'
import type { AskRequest, OtherResponse } from '../../receiving/listener/messages.ts'
import { describeFailure } from '../named-scripts.ts'
import type { SenderParts } from '../parts.ts'
import { draftOfScript, prepareVersion } from '../prepare/prepare.ts'
import { withQuery } from '../prepare/request-target.ts'
import { draftOfDelivery } from '../prepare/start.ts'
import { assertConfirmed, parseTarget } from '../target.ts'

type Parts = Pick<SenderParts, 'configuration' | 'captured' | 'publish' | 'respond' | 'runScript'>
type Forwarding = Pick<Forwards, 'holds' | 'versions'>

interface ScriptedResponse {
  readonly response: OtherResponse | null
  /** Why it is to be held; null: it is not. */
  readonly failure: string | null
}

/** Returns a function that answers the capture thread: first the script of a response rule, then the rules that hold. */
export function createAnswers(parts: Parts, { holds }: Forwarding): (request: AskRequest) => void {
  const answerTo = async (request: AskRequest): Promise<OtherResponse | null> => {
    const { deliveryId, ruleId, passes } = request
    const { response, failure } =
      ruleId === null ? none : await scriptedResponse(parts, deliveryId, ruleId)
    const held = holds.takeResponse(deliveryId, passes, failure)
    return (held && (await held)) ?? response
  }
  return (request) => {
    const { key } = request
    answerTo(request).then(
      (response) => parts.respond({ kind: 'ask', key, response }),
      (error: unknown) => {
        parts.respond({ kind: 'ask', key, response: null })
        const message = `the response to delivery ${request.deliveryId} could not be decided`
        parts.publish({ event: 'failed', message, error })
      },
    )
  }
}

const none: ScriptedResponse = { response: null, failure: null }

async function scriptedResponse(
  { configuration, captured, runScript }: Parts,
  id: number,
  ruleId: number,
): Promise<ScriptedResponse> {
  const delivery = captured(id)
  const rule = configuration
    .endpoint(delivery?.endpointId ?? null)
    ?.responses.find((each) => each.id === ruleId)
  if (!delivery || rule?.response.kind !== 'script') return none
  const { script, onFailure } = rule.response
  const { result } = await runScript(script, `response ${ruleId}`, delivery)
  switch (result.kind) {
    case 'response': {
      const { status, headers, body, delayMs } = result
      return { response: { by: 'rule', status, headers, body, delayMs }, failure: null }
    }
    case 'failed': {
      const failure = onFailure === 'hold' ? describeFailure(script, result.failure) : null
      return { response: null, failure }
    }
    case 'none':
    case 'skip':
    case 'request':
      return none
  }
}

/** Throws `not_found`, `bad_input`. */
export async function editHeld(
  { configuration, captured }: Parts,
  { holds, versions }: Forwarding,
  id: number,
): Promise<DraftContent> {
  const { content, target } = holds.held(id)
  const delivery = captured(id) ?? throwDeliveryNotFound(id)
  const url = withQuery(parseTarget(target.url), delivery.path).href
  if (content) return { ...content, url }
  const endpoint = configuration.endpoint(delivery.endpointId)
  const run = await versions.run(target, delivery)
  return run?.result.kind === 'request'
    ? draftOfScript(delivery, run.result, endpoint, url)
    : draftOfDelivery(delivery, endpoint, url)
}

/** Throws `not_found`, and for an edited request what `compose.send` throws. */
export async function releaseHeld(
  parts: Parts,
  { holds }: Forwarding,
  ids: readonly number[] | undefined,
  content: DraftContent | null,
): Promise<number[]> {
  if (!content) return holds.release(ids)
  const [id, ...others] = ids ?? []
  if (id === undefined || others.length > 0) {
    throw new AppError('bad_input', 'An edited request is for one delivery. Name its ID.')
  }
  const { target } = holds.held(id)
  const delivery = parts.captured(id) ?? throwDeliveryNotFound(id)
  const url = withQuery(parseTarget(target.url), delivery.path).href
  const { request } = prepareVersion({ ...content, url }, delivery, parts.configuration)
  await assertConfirmed(request.url, parts.configuration)
  return holds.release([id], content)
}
