import { MessagePort, type Worker } from 'node:worker_threads'
import type { WireError } from '#contract/errors.ts'
import { AppError, fromWire } from './errors.ts'
import { storageFailure } from './storage-failure.ts'

/** The API of a thread: functions with one parameter. */
export type ThreadApi = Record<string, (input: never) => unknown>

type Request = { rpc: 'call'; id: number; name: string; input: unknown }
type Reply =
  | { rpc: 'reply'; id: number; ok: true; output: unknown }
  | { rpc: 'reply'; id: number; ok: false; error: WireError | { unknown: string } }

function isRequest(message: unknown): message is Request {
  return (
    typeof message === 'object' && message !== null && 'rpc' in message && message.rpc === 'call'
  )
}

function isReply(message: unknown): message is Reply {
  return (
    typeof message === 'object' && message !== null && 'rpc' in message && message.rpc === 'reply'
  )
}

/** Handles calls received over `port`, in a thread. */
export function serveApi(port: MessagePort, api: ThreadApi): void {
  const respond = async ({ id, name, input }: Request): Promise<void> => {
    let reply: Reply
    try {
      const entry = Object.entries(api).find(([key]) => key === name)
      if (!entry) throw new Error(`unknown function ${name} in this thread`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller uses `connectApi` with the same type, in the same program
      const run = entry[1] as (input: unknown) => unknown
      reply = { rpc: 'reply', id, ok: true, output: await run(input) }
    } catch (error) {
      const known = error instanceof AppError ? error : storageFailure(error)
      const wire = known?.toWire() ?? {
        unknown: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }
      reply = { rpc: 'reply', id, ok: false, error: wire }
    }
    port.postMessage(reply)
  }
  port.on('message', (message: unknown) => {
    if (isRequest(message)) void respond(message)
  })
}

export interface ThreadClient<A extends ThreadApi> {
  call<N extends keyof A & string>(
    name: N,
    ...input: Parameters<A[N]>
  ): Promise<Awaited<ReturnType<A[N]>>>
}

/** Creates a client for a thread or port that runs `serveApi` with the same type. If the thread ends or the port closes, open calls are rejected. */
export function connectApi<A extends ThreadApi>(worker: Worker | MessagePort): ThreadClient<A> {
  let next = 0
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  const receive = (message: unknown): void => {
    if (!isReply(message)) return
    const call = pending.get(message.id)
    pending.delete(message.id)
    if (!call) return
    if (message.ok) call.resolve(message.output)
    else if ('unknown' in message.error) call.reject(new Error(message.error.unknown))
    else call.reject(fromWire(message.error))
  }
  if (worker instanceof MessagePort) worker.on('message', receive)
  else worker.on('message', receive)
  let ended: Error | null = null
  const fail = (error: Error): void => {
    ended ??= error
    for (const call of pending.values()) call.reject(error)
    pending.clear()
  }
  const onEnd = (): void => fail(new Error('the thread has ended'))
  if (worker instanceof MessagePort) worker.on('close', onEnd)
  else worker.on('error', fail).on('exit', onEnd)
  return {
    call: (name, ...input) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        next += 1
        pending.set(next, { resolve, reject })
        const request: Request = { rpc: 'call', id: next, name, input: input[0] }
        worker.postMessage(request)
      }),
  }
}
