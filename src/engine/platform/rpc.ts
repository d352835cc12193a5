import { MessagePort, type Worker } from 'node:worker_threads'
import type { WireError } from '#contract/errors.ts'
import { AppError, fromWire } from './errors.ts'
import { storageFailure } from './storage-failure.ts'

export type ThreadApi = Record<string, (input: never) => unknown>

type Request = { rpc: 'call'; id: number; name: string; input: unknown }
type Reply =
  | { rpc: 'reply'; id: number; ok: true; output: unknown }
  | { rpc: 'reply'; id: number; ok: false; error: WireError | { unknown: string } }

export interface RpcPort {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once the other end is gone, with the error that ended it. */
  onEnd(listener: (error: Error) => void): void
}

type Channel = Worker | MessagePort | RpcPort

function portOf(channel: Channel): RpcPort {
  if ('post' in channel) return channel
  return {
    post: (message) => channel.postMessage(message),
    onMessage: (listener) => void channel.on('message', listener),
    onEnd(listener) {
      const ended = (): void => listener(new Error('the thread has ended'))
      if (channel instanceof MessagePort) channel.on('close', ended)
      else channel.on('error', listener).on('exit', ended)
    },
  }
}

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

export function serveApi(channel: Channel, api: ThreadApi): void {
  const port = portOf(channel)
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
    port.post(reply)
  }
  port.onMessage((message) => {
    if (isRequest(message)) void respond(message)
  })
}

export interface ThreadClient<A extends ThreadApi> {
  /** Only a type: a client of more functions is one of fewer. */
  readonly api?: A
  call<N extends keyof A & string>(
    name: N,
    ...input: Parameters<A[N]>
  ): Promise<Awaited<ReturnType<A[N]>>>
}

/** Several clients can share a channel. */
let lastId = 0

/** For a thread or process that runs `serveApi` with the same type. If the other end is gone, open calls are rejected. */
export function connectApi<A extends ThreadApi>(channel: Channel): ThreadClient<A> {
  const port = portOf(channel)
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  port.onMessage((message) => {
    if (!isReply(message)) return
    const call = pending.get(message.id)
    pending.delete(message.id)
    if (!call) return
    if (message.ok) call.resolve(message.output)
    else if ('unknown' in message.error) call.reject(new Error(message.error.unknown))
    else call.reject(fromWire(message.error))
  })
  let ended: Error | null = null
  port.onEnd((error) => {
    ended ??= error
    for (const call of pending.values()) call.reject(error)
    pending.clear()
  })
  return {
    call: (name, ...input) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        const id = (lastId += 1)
        pending.set(id, { resolve, reject })
        const request: Request = { rpc: 'call', id, name, input: input[0] }
        port.post(request)
      }),
  }
}
