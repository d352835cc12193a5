import type { ApiRequest } from '#contract/api.ts'
import { CallError, type Client } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { type Outcome, loadRequest, setOutcome, useConsole } from './store.ts'

/**
 * Sends a request. Resolves to `other-origin` if the engine did not send it because its token would leave the integration's origin. Otherwise
 * resolves to `over`, with the result in the store.
 */
export async function sendRequest(
  client: Client,
  request: ApiRequest,
  allowOtherOrigin: boolean,
): Promise<'over' | 'other-origin'> {
  const { integrationId } = request
  const before = useConsole.getState().outcomes[integrationId] ?? null
  const key = crypto.randomUUID()
  setOutcome(integrationId, { phase: 'sending', key, since: Date.now() })
  const isLatest = (): boolean => {
    const outcome = useConsole.getState().outcomes[integrationId]
    return outcome?.phase === 'sending' && outcome.key === key
  }
  try {
    const exchange = await client.call('api.send', { ...request, allowOtherOrigin, key })
    if (isLatest()) setOutcome(integrationId, { phase: 'done', exchange })
  } catch (error) {
    if (!isLatest()) return 'over'
    if (error instanceof CallError && error.code === 'other_origin') {
      setOutcome(integrationId, before)
      return 'other-origin'
    }
    setOutcome(integrationId, failureOf(error))
  }
  return 'over'
}

/** Shows an exchange from the history and loads its request as the draft. */
export async function showExchange(
  client: Client,
  id: number,
  integrationId: number,
): Promise<void> {
  setOutcome(integrationId, { phase: 'loading', id })
  const isLatest = (): boolean => {
    const outcome = useConsole.getState().outcomes[integrationId]
    return outcome?.phase === 'loading' && outcome.id === id
  }
  try {
    const exchange = await client.call('api.exchange', { id })
    if (!isLatest()) return
    loadRequest(exchange.request, null, exchange.request.tokenId)
    setOutcome(integrationId, { phase: 'done', exchange })
  } catch (error) {
    if (isLatest()) setOutcome(integrationId, failureOf(error))
  }
}

function failureOf(error: unknown): Outcome {
  const lost = error instanceof CallError && error.code === 'connection_lost'
  return { phase: lost ? 'lost' : 'refused', message: messageOf(error) }
}
