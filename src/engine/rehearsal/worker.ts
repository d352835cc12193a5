import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { Network } from '../platform/http/network.ts'
import { OwnPorts } from '../sending/messages.ts'
import { createWire } from '../sending/wire/wire.ts'
import type {
  FromRehearsal,
  OAuthThreadData,
  RehearsalThreadData,
  ToRehearsal,
} from './messages.ts'
import { isPortInUse, openCountingApi, type CountingApi } from './oauth/server.ts'
import { runOAuth } from './oauth/thread.ts'
import { createObserver, createUrlObserver } from './observer.ts'
import { createRedact } from '../platform/masking/redact.ts'
import { CaseRequestBuilder } from './request-builder.ts'
import { runCases } from './runner.ts'
import { createSend } from './send.ts'

const commandTimeoutMs = 15_000

type Publish = (message: FromRehearsal) => void

/** The client that started the run runs the command that prints the number of effects. */
class CommandReader {
  readonly #publish: Publish
  readonly #waiting = new Map<number, PromiseWithResolvers<number>>()
  #lastKey = 0

  constructor(publish: Publish) {
    this.#publish = publish
  }

  /** Rejects with an error that has a sentence. */
  read(): Promise<number> {
    const key = (this.#lastKey += 1)
    const result = Promise.withResolvers<number>()
    this.#waiting.set(key, result)
    const timer = setTimeout(() => {
      this.#waiting.delete(key)
      result.reject(new Error('The command of the observer did not end in time.'))
    }, commandTimeoutMs)
    this.#publish({ event: 'observe', key })
    return result.promise.finally(() => clearTimeout(timer))
  }

  observed({ key, value, error }: Extract<ToRehearsal, { kind: 'observed' }>): void {
    const waiting = this.#waiting.get(key)
    this.#waiting.delete(key)
    if (value !== null) waiting?.resolve(value)
    else waiting?.reject(new Error(error ?? 'The command of the observer failed.'))
  }
}

/** The API whose calls are the effects. `in-use`: its port is taken. Null: the run has none. */
async function openApi(
  { options: { observer } }: RehearsalThreadData,
  publish: Publish,
): Promise<CountingApi | 'in-use' | null> {
  if (observer.kind !== 'sandbox') return null
  try {
    const api = await openCountingApi(observer.port)
    publish({ event: 'listening', baseUrl: api.baseUrl, port: api.port })
    return api
  } catch (error) {
    if (!isPortInUse(error)) throw error
    publish({ event: 'port-in-use' })
    return 'in-use'
  }
}

/** The thread of one run: its memory and its connections end with it. */
async function run(port: MessagePort, data: RehearsalThreadData): Promise<void> {
  const { options, identity, listener, target, observed } = data
  const { secret, previousSecret, accessSecret } = identity
  const publish: Publish = (message) => port.postMessage(message)
  const cancelled = new AbortController()
  const { signal } = cancelled
  const commands = new CommandReader(publish)
  port.on('message', (message: ToRehearsal) => {
    if (message.kind === 'cancel') cancelled.abort()
    else commands.observed(message)
  })
  const secrets = [secret, previousSecret, accessSecret].flatMap((each) => each ?? [])
  const redact = createRedact(secrets, '<WEBHOOK_SECRET>')
  const wire = createWire(new OwnPorts(data.ownPorts), () => listener, Network.join(data.network))
  const api = await openApi(data, publish)
  try {
    if (api === 'in-use') return
    const problem = await runCases({
      options,
      secret,
      observer: createObserver(options.observer, {
        command: () => commands.read(),
        sandbox: () => Promise.resolve(api?.calls ?? 0),
        url: observed && createUrlObserver(observed, wire, signal),
      }),
      builder: (name) => new CaseRequestBuilder(identity, options.seed, name),
      send: createSend(wire, options, { ...target, signal, redact }),
      result: (result, requests) => publish({ event: 'result', result, requests }),
      signal,
    })
    // The cancelled request of the precheck is not a problem of the handler.
    signal.throwIfAborted()
    const judged = problem === null || problem.causes.length === 0
    publish({ event: 'end', state: judged ? 'done' : 'failed', problem })
  } catch (error) {
    if (!signal.aborted) throw error
    publish({ event: 'end', state: 'cancelled', problem: null })
  } finally {
    if (api !== 'in-use') await api?.[Symbol.asyncDispose]()
    await wire.close()
    port.close()
  }
}

if (parentPort) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `LiveRun` in the same program
  const data = workerData as RehearsalThreadData | OAuthThreadData
  void ('identity' in data ? run(parentPort, data) : runOAuth(parentPort, data))
}
