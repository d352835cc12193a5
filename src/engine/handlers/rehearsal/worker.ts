import type { RehearsalProblem } from '#contract/rehearsal.ts'
import { Network } from '../../platform/http/network.ts'
import { serveTask, type TaskContext } from '../../platform/task.ts'
import { OwnPorts } from '../../receiving/listener/messages.ts'
import { createWire } from '../../sending/wire/wire.ts'
import type { EndedCase, HandlerInput, OAuthInput, RehearsalShape } from './messages.ts'
import { runOAuthCases } from './oauth/runner.ts'
import { AuthorizationServer } from './oauth/server.ts'
import { Stage } from './oauth/stage.ts'
import { createRedact } from '../../platform/masking/redact.ts'
import { CaseRequestBuilder } from './request-builder.ts'
import { runCases } from './runner.ts'
import { createSend } from './send.ts'

type Run<Input> = (
  input: Input,
  context: TaskContext<RehearsalShape>,
  report: (ended: EndedCase) => void,
) => Promise<RehearsalProblem | null>

const runHandler: Run<HandlerInput> = async (input, { engine, signal, cancelled }, report) => {
  const { options, identity, listener, target, ownPorts, network } = input
  const { secret, previousSecret, accessSecret } = identity
  const secrets = [secret, previousSecret, accessSecret].flatMap((each) => each ?? [])
  const redact = createRedact(secrets, '<WEBHOOK_SECRET>')
  const wire = createWire(new OwnPorts(ownPorts), () => listener, Network.join(network))
  const readEffects = async (): Promise<number> => {
    const { value, error } = await Promise.race([engine.call('observe'), cancelled])
    if (value !== null) return value
    throw new Error(error ?? 'The command of the observer failed.')
  }
  try {
    return await runCases({
      options,
      secret,
      effects: options.observer.kind === 'none' ? null : readEffects,
      builder: (name) => new CaseRequestBuilder(identity, options.seed, name),
      send: createSend(wire, options, { ...target, signal, redact }),
      result: (result, requests) => report({ result, requests }),
      signal,
    })
  } finally {
    await wire.close()
  }
}

const runOAuth: Run<OAuthInput> = async (input, { engine, signal }, report) => {
  const { accessSecret, publicAllowed, network } = input
  const { accessId, redirectUrl, port } = input.options.oauth
  await using server = await AuthorizationServer.open(port, { accessId, accessSecret, redirectUrl })
  void engine.call('listening', { baseUrl: server.baseUrl, port: server.port })
  const options = { ...input.options, oauth: { ...input.options.oauth, port: server.port } }
  const redact = createRedact([accessSecret], '<API_ACCESS_SECRET>')
  const stage = new Stage({
    options,
    server,
    redact,
    publicAllowed,
    network: Network.join(network),
    signal,
    progress: (progress, step) => void engine.call('progress', { progress, step }),
  })
  // Before the server is closed.
  return await runOAuthCases({
    options,
    stage,
    accessSecret,
    redact,
    result: (result, requests) => report({ result, requests }),
    signal,
  })
}

serveTask<RehearsalShape>(async (context) => {
  const { input, engine, signal } = context
  const stored: Promise<void>[] = []
  const report = (ended: EndedCase): void => void stored.push(engine.call('result', ended))
  const problem =
    'identity' in input
      ? await runHandler(input, context, report)
      : await runOAuth(input, context, report)
  // The cancelled request of the precheck is not a problem of the handler.
  signal.throwIfAborted()
  await Promise.all(stored)
  return problem
})
