import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { OwnPorts } from '../sending/messages.ts'
import { createWire } from '../sending/wire/wire.ts'
import { createKit } from './kit.ts'
import type {
  FromRehearsal,
  OAuthThreadData,
  RehearsalThreadData,
  ToRehearsal,
} from './messages.ts'
import { openCountingApi, PortInUse, type CountingApi } from './oauth/server.ts'
import { runOAuth } from './oauth/thread.ts'
import { createOracle } from './oracle.ts'
import { createRedact } from './redact.ts'
import { runCases } from './runner.ts'
import { createSend } from './send.ts'

/** A command that prints the number of effects gets this long, in milliseconds. */
const commandTimeoutMs = 15_000

class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** The thread of one run: its memory and its connections end with it. */
async function run(port: MessagePort, data: RehearsalThreadData): Promise<void> {
  const { options, identity, listener } = data
  const publish = (message: FromRehearsal): void => port.postMessage(message)
  const wire = createWire(new OwnPorts(data.ownPorts), () => listener)
  const cancelled = new AbortController()
  let pausing: PromiseWithResolvers<void> | null = null
  const observations = new Map<number, PromiseWithResolvers<number>>()
  let nextKey = 0
  port.on('message', (message: ToRehearsal) => {
    switch (message.kind) {
      case 'pause':
        pausing ??= Promise.withResolvers()
        break
      case 'resume':
        pausing?.resolve()
        pausing = null
        break
      case 'cancel':
        cancelled.abort()
        pausing?.resolve()
        break
      case 'observed': {
        const waiting = observations.get(message.key)
        observations.delete(message.key)
        if (message.value !== null) waiting?.resolve(message.value)
        else waiting?.reject(new Error(message.error ?? 'The command of the oracle failed.'))
        break
      }
    }
  })
  const runCommand = (): Promise<number> => {
    nextKey += 1
    const key = nextKey
    const result = Promise.withResolvers<number>()
    observations.set(key, result)
    const timer = setTimeout(() => {
      observations.delete(key)
      result.reject(new Error('The command of the oracle did not end in time.'))
    }, commandTimeoutMs)
    publish({ event: 'observe', key })
    return result.promise.finally(() => clearTimeout(timer))
  }
  const { oracle } = options
  let api: CountingApi | null = null
  if (oracle.kind === 'sandbox') {
    try {
      api = await openCountingApi(oracle.port)
    } catch (error) {
      if (!(error instanceof PortInUse)) throw error
      publish({ event: 'port-in-use' })
      await wire.close()
      port.close()
      return
    }
    publish({ event: 'listening', baseUrl: api.baseUrl, port: api.port })
  }
  const { verifyTls, publicAllowed } = data
  const send = createSend(wire, options, {
    verifyTls,
    publicAllowed,
    signal: cancelled.signal,
    redact: createRedact(
      [identity.secret, identity.previousSecret, identity.accessSecret].flatMap(
        (each) => each ?? [],
      ),
      '<WEBHOOK_SECRET>',
    ),
  })
  try {
    const problem = await runCases({
      options,
      secret: identity.secret,
      oracle: createOracle(oracle, {
        command: runCommand,
        sandbox: () => Promise.resolve(api?.calls ?? 0),
      }),
      done: data.done,
      kit: (name) => createKit(identity, options.seed, name),
      send,
      result: (result, requests) => publish({ event: 'result', result, requests }),
      proceed: async () => {
        await pausing?.promise
        if (cancelled.signal.aborted) throw new Cancelled()
      },
    })
    // The cancelled request of the gate is not a problem of the handler.
    if (cancelled.signal.aborted) throw new Cancelled()
    const judged = problem === null || problem.causes.length === 0
    publish({ event: 'end', state: judged ? 'done' : 'failed', problem })
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    publish({ event: 'end', state: 'cancelled', problem: null })
  } finally {
    await api?.[Symbol.asyncDispose]()
    await wire.close()
    port.close()
  }
}

if (parentPort) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `createRehearsals` in the same program
  const data = workerData as RehearsalThreadData | OAuthThreadData
  void ('identity' in data ? run(parentPort, data) : runOAuth(parentPort, data))
}
