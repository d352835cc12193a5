import { MessagePort, type Worker } from 'node:worker_threads'
import type { WireError } from '#contract/errors.ts'
import { AppError, fromWire } from './errors.ts'
import { storageFailure } from './storage-failure.ts'

/** What a thread offers: functions of one argument. */
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

/** Answers calls that come over `port`, in a thread. */
export function serveApi(port: MessagePort, api: ThreadApi): void {
  const answer = async ({ id, name, input }: Request): Promise<void> => {
    let reply: Reply
    try {
      const entry = Object.entries(api).find(([key]) => key === name)
      if (!entry) throw new Error(`no function ${name} in this thread`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side is `connectApi` of the same type, in the same program
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
    if (isRequest(message)) void answer(message)
  })
}

export interface ThreadClient<A extends ThreadApi> {
  call<N extends keyof A & string>(
    name: N,
    ...input: Parameters<A[N]>
  ): Promise<Awaited<ReturnType<A[N]>>>
}

/** Calls into a thread that runs `serveApi` with the same type, or over a port to one. A thread that dies, or a port that closes, rejects what is open. */
export function connectApi<A extends ThreadApi>(worker: Worker | MessagePort): ThreadClient<A> {
  let next = 0
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  const take = (message: unknown): void => {
    if (!isReply(message)) return
    const waiting = open.get(message.id)
    open.delete(message.id)
    if (!waiting) return
    if (message.ok) waiting.resolve(message.output)
    else if ('unknown' in message.error) waiting.reject(new Error(message.error.unknown))
    else waiting.reject(fromWire(message.error))
  }
  if (worker instanceof MessagePort) worker.on('message', take)
  else worker.on('message', take)
  let ended: Error | null = null
  const fail = (error: Error): void => {
    ended ??= error
    for (const waiting of open.values()) waiting.reject(error)
    open.clear()
  }
  const over = (): void => fail(new Error('the thread has ended'))
  if (worker instanceof MessagePort) worker.on('close', over)
  else worker.on('error', fail).on('exit', over)
  return {
    call: (name, ...input) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        next += 1
        open.set(next, { resolve, reject })
        const request: Request = { rpc: 'call', id: next, name, input: input[0] }
        worker.postMessage(request)
      }),
  }
}
