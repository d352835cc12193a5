import { connect, type Socket } from 'node:net'
import { calls, type CallName, type CallOutput } from '#contract/calls.ts'
import { HostFrame, type ClientFrame } from '#contract/host.ts'
import { pushes, type PushPayload } from '#contract/pushes.ts'
import { AppError, fromWire } from '#engine/errors.ts'
import type { Engine } from '#engine/engine.ts'
import type { ControlAddress } from '#engine/store/lock.ts'
import { encodeFrame, farewell, FrameReader } from './frames.ts'

/** The largest frame that is taken, in bytes: bodies come in slices of 4 MiB, lists in pages. */
const frameLimit = 64 * 1024 * 1024

/** How long the holder may take to say welcome, in milliseconds. */
const welcomeMs = 5000

/** The engine of another process, with the same calls. */
export interface RemoteEngine extends Pick<Engine, 'call' | 'on' | 'close'> {
  /** Resolves when the connection has ended. */
  readonly gone: Promise<void>
}

type Reply = Extract<HostFrame, { kind: 'reply' }>

/** Connects to the process that announced `address`. Rejects when it does not answer, or not with a welcome. */
export async function connectControl({ path, token }: ControlAddress): Promise<RemoteEngine> {
  const socket = connect(path)
  const waiting = new Map<number, (reply: Reply | null) => void>()
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const welcome = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  let lastId = 0
  let left = false

  const send = (frame: ClientFrame): void => void socket.write(encodeFrame(frame))
  receiveFrames(socket, (value) => {
    if (value === farewell) {
      left = true
      return
    }
    const frame = HostFrame.parse(value)
    switch (frame.kind) {
      case 'welcome':
        welcome.resolve()
        break
      case 'reply':
        waiting.get(frame.id)?.(frame)
        break
      case 'push':
        for (const listener of listeners.get(frame.name) ?? []) listener(frame.payload)
        break
    }
  })
  socket.on('error', welcome.reject)
  socket.on('close', () => {
    welcome.reject(new Error('the connection was closed'))
    for (const settle of waiting.values()) settle(null)
    gone.resolve()
  })
  socket.write(encodeFrame(token))
  send({ kind: 'hello', session: null, lastSeq: 0 })
  const timer = setTimeout(() => socket.destroy(), welcomeMs)
  try {
    await welcome.promise
  } finally {
    clearTimeout(timer)
  }

  return {
    gone: gone.promise,
    call: async (name, input) => {
      if (left || !socket.writable) throw notAsked()
      lastId += 1
      const id = lastId
      const { promise, resolve } = Promise.withResolvers<Reply | null>()
      waiting.set(id, resolve)
      send({ kind: 'call', id, name, input })
      const reply = await promise
      waiting.delete(id)
      if (!reply) throw left ? notAsked() : unanswered()
      if (!reply.ok) throw fromWire(reply.error)
      return outputOf(name, reply.output)
    },
    on: (name, listener) => {
      const take = (payload: unknown): void => {
        const parsed = pushes[name].safeParse(payload)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the schema of this very push; TypeScript cannot follow it through the union
        if (parsed.success) listener(parsed.data as PushPayload<typeof name>)
      }
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(take))
      return () => set.delete(take)
    },
    close: async () => {
      socket.end()
      socket.destroySoon()
      await gone.promise
    },
  }
}

function receiveFrames(socket: Socket, take: (value: unknown) => void): void {
  const reader = new FrameReader(frameLimit)
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const value of reader.read(chunk)) take(value)
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined)
    }
  })
}

/** What came for a call, by the contract: the holder may be of another version. */
function outputOf<N extends CallName>(name: N, output: unknown): CallOutput<N> {
  const parsed = calls[name].output.safeParse(output)
  if (!parsed.success) {
    throw new AppError(
      'internal',
      'The Tabscope that runs on this data is of another version. Close it, or use the same version.',
      { cause: parsed.error },
    )
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the schema of this very call; TypeScript cannot follow it through the union
  return parsed.data as CallOutput<N>
}

/** It was not asked for: the same may be asked again. */
function notAsked(): AppError {
  return new AppError('connection_lost', 'The Tabscope that ran on this data has ended.', {
    retry: 'later',
  })
}

function unanswered(): AppError {
  return new AppError(
    'connection_lost',
    'The Tabscope that ran on this data ended before it answered. Whether it was done is not known: look before you ask again.',
  )
}
