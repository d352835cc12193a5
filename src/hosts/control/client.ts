import { connect, type Socket } from 'node:net'
import type { CallOutput } from '#contract/calls.ts'
import type { ClientFrame, HostFrame } from '#contract/host.ts'
import type { PushPayload } from '#contract/pushes.ts'
import { AppError, fromWire } from '#engine/errors.ts'
import type { Engine } from '#engine/engine.ts'
import type { ControlAddress } from '#engine/store/data-folder.ts'
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

/**
 * Connects to the process that announced `address`. Rejects when it does not answer, or not with a welcome; with an `AppError` when it is of
 * another version than `version`, the one of this process.
 *
 * What it sends is not parsed: only a process of the same user knows the token, and one of the same version has the same contract, by which
 * its handlers are typed. The schemas would take longer to load than a short command takes to run.
 */
export async function connectControl(
  { path, token }: ControlAddress,
  version: string,
): Promise<RemoteEngine> {
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
    if (!isFrame(value)) throw new TypeError('a value that is no frame')
    const frame = value
    switch (frame.kind) {
      case 'welcome':
        if (frame.version === version) welcome.resolve()
        else welcome.reject(anotherVersion())
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
  } catch (error) {
    socket.destroy()
    throw error
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
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the handler of `name` in the same version: see above
      return reply.output as CallOutput<typeof name>
    },
    on: (name, listener) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pushed as `name` by the same version: see above
      const take = (payload: unknown): void => listener(payload as PushPayload<typeof name>)
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

const frameKinds: ReadonlySet<unknown> = new Set<HostFrame['kind']>(['welcome', 'reply', 'push'])

/** Whether it is a frame by its kind: of a process of the same version the rest is as the contract has it. */
function isFrame(value: unknown): value is HostFrame {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && frameKinds.has(value.kind)
  )
}

function anotherVersion(): AppError {
  return new AppError(
    'internal',
    'The Tabscope that runs on this data is of another version. Close it, or use the same version.',
  )
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
