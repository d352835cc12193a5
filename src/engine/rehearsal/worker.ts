import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { DesignedRequest } from '#catalogue/rehearsal/define.ts'
import type { Header } from '#contract/models.ts'
import { keptRehearsalBytes } from '#contract/constants.ts'
import { OwnPorts } from '../sending/messages.ts'
import { createWire } from '../sending/wire/wire.ts'
import { createKit } from './kit.ts'
import type { FromRehearsal, RehearsalThreadData, ToRehearsal } from './messages.ts'
import { createOracle } from './oracle.ts'
import { runCases, type Sent } from './runner.ts'

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
  const target = new URL(options.url)
  const send = (request: DesignedRequest): Promise<Sent> =>
    exchange(request, target, async (url, headers) =>
      wire.exchange(
        {
          method: request.method ?? 'POST',
          url,
          headers,
          body: request.body,
          trailers: [],
          ...(request.transmission ? { transmission: request.transmission } : {}),
        },
        {
          timeout: options.requestTimeout,
          maxAnswerBytes: keptRehearsalBytes,
          verifyTls: data.verifyTls,
          publicAllowed: data.publicAllowed,
          keepAlive: request.keepAlive ?? false,
          own: 'send',
          signal: cancelled.signal,
        },
      ),
    )
  try {
    const problem = await runCases({
      options,
      secret: identity.secret,
      oracle: createOracle(options.oracle, runCommand),
      done: data.done,
      kit: (name) => createKit(identity, options.seed, name),
      send,
      result: (result, requests) => publish({ event: 'result', result, requests }),
      proceed: async () => {
        await pausing?.promise
        if (cancelled.signal.aborted) throw new Cancelled()
      },
    })
    const judged = problem === null || problem.causes.length === 0
    publish({ event: 'end', state: judged ? 'done' : 'failed', problem })
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    publish({ event: 'end', state: 'cancelled', problem: null })
  } finally {
    await wire.close()
    port.close()
  }
}

type Exchange = ReturnType<typeof createWire>['exchange']

async function exchange(
  request: DesignedRequest,
  target: URL,
  over: (url: URL, headers: readonly Header[]) => ReturnType<Exchange>,
): Promise<Sent> {
  const url = new URL(target)
  if (request.query !== undefined) {
    url.search = url.search === '' ? request.query : `${url.search}&${request.query}`
  }
  const headers: Header[] = [['Host', url.host], ...request.headers]
  const { answer, error, timings, sent: bodySent } = await over(url, headers)
  const stopped = request.transmission?.stopAfter !== undefined
  const responseHeaders = answer ? [...answer.headers] : []
  const responseBody = answer ? answer.body.slice(0, keptRehearsalBytes) : new Uint8Array()
  const { valid } = request
  const known = new Set(valid.headers.map(keyOf))
  const sent = new Set(request.headers.map(keyOf))
  const status = answer?.status ?? null
  return {
    status: error === null ? status : null,
    error: error === null ? null : error.message,
    stopped,
    closed: error?.code === 'reset',
    bodySent,
    durationMs: timings.total ?? 0,
    request: {
      method: request.method ?? 'POST',
      url: url.href,
      headers,
      missingHeaders: valid.headers.filter((header) => !sent.has(keyOf(header))),
      changedHeaders: headers.flatMap((header, index) =>
        index === 0 || known.has(keyOf(header)) ? [] : [index],
      ),
      body: request.body.slice(0, keptRehearsalBytes),
      bodyBytes: request.body.byteLength,
      bodyChange: changeOf(valid.body, request.body),
      status,
      error: error?.message ?? null,
      responseHeaders,
      responseBody,
      durationMs: timings.total ?? 0,
    },
    response: {
      text: `${responseHeaders.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${Buffer.from(responseBody).toString('latin1')}`,
      location: responseHeaders.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null,
    },
  }
}

function keyOf([name, value]: Header): string {
  return `${name}\n${value}`
}

/** The part of `changed` between the common start and the common end; null if they are equal. */
function changeOf(valid: Uint8Array, changed: Uint8Array): [number, number] | null {
  if (Buffer.compare(valid, changed) === 0) return null
  const shorter = Math.min(valid.byteLength, changed.byteLength)
  let start = 0
  while (start < shorter && valid[start] === changed[start]) start += 1
  let end = 0
  while (end < shorter - start && valid.at(-1 - end) === changed.at(-1 - end)) end += 1
  return [start, changed.byteLength - end]
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `startRehearsal` in the same program
if (parentPort) void run(parentPort, workerData as RehearsalThreadData)
