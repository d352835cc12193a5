import type { MessagePort } from 'node:worker_threads'
import { Network } from '../../platform/http/network.ts'
import type { FromRehearsal, OAuthThreadData, ToRehearsal } from '../messages.ts'
import { createRedact } from '../../platform/masking/redact.ts'
import { runOAuthCases } from './runner.ts'
import { AuthorizationServer, isPortInUse } from './server.ts'
import { Stage } from './stage.ts'

export async function runOAuth(port: MessagePort, data: OAuthThreadData): Promise<void> {
  const { accessSecret, publicAllowed } = data
  const { accessId, redirectUrl } = data.options.oauth
  const publish = (message: FromRehearsal): void => port.postMessage(message)
  const cancelled = new AbortController()
  port.on('message', ({ kind }: ToRehearsal) => {
    if (kind === 'cancel') cancelled.abort()
  })
  const client = { accessId, accessSecret, redirectUrl }
  try {
    await using server = await AuthorizationServer.open(data.options.oauth.port, client)
    publish({ event: 'listening', baseUrl: server.baseUrl, port: server.port })
    const options = { ...data.options, oauth: { ...data.options.oauth, port: server.port } }
    const redact = createRedact([accessSecret], '<API_ACCESS_SECRET>')
    const stage = new Stage({
      options,
      server,
      redact,
      publicAllowed,
      network: Network.join(data.network),
      signal: cancelled.signal,
      progress: (progress, step) => publish({ event: 'progress', progress, step }),
    })
    const problem = await runOAuthCases({
      options,
      stage,
      accessSecret,
      redact,
      result: (result, requests) => publish({ event: 'result', result, requests }),
      signal: cancelled.signal,
    })
    const judged = problem === null || problem.causes.length === 0
    publish({ event: 'end', state: judged ? 'done' : 'failed', problem })
  } catch (error) {
    if (isPortInUse(error)) publish({ event: 'port-in-use' })
    else if (cancelled.signal.aborted) {
      publish({ event: 'end', state: 'cancelled', problem: null })
    } else throw error
  } finally {
    // Ends timers that still wait for a request.
    cancelled.abort()
    port.close()
  }
}
