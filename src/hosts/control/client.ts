import { connect, type Socket } from 'node:net'
import { createFrameClient, hostFrame } from '#contract/frame-client.ts'
import { AppError, fromWire } from '#engine/platform/errors.ts'
import type { Engine } from '#engine/app/engine.ts'
import type { ControlAddress } from '#engine/platform/store/data-folder.ts'
import { encodeFrame, farewell, FrameReader } from './frames.ts'

/** Bodies are received in slices of 4 MiB, lists in pages. */
const frameLimit = 64 * 1024 * 1024

const welcomeMs = 5000

/** In another process, with the same calls. */
export interface RemoteEngine extends Pick<Engine, 'call' | 'on' | 'close'> {
  readonly gone: Promise<void>
}

/**
 * Rejects if the process does not respond with a welcome; with an `AppError` if its version is not `version`. Frames are not parsed: only a process of the
 * same user knows the token, the same version has the same contract, and loading the schemas would take longer than a short command.
 */
export async function connectControl(
  { path, token }: ControlAddress,
  version: string,
): Promise<RemoteEngine> {
  const socket = connect(path)
  const welcome = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  let isClosing = false

  const frames = createFrameClient({
    welcomed(frame) {
      if (frame.version === version) welcome.resolve()
      else welcome.reject(versionMismatch(frame.version))
    },
    refused: fromWire,
    lost: (sent) => (sent && !isClosing ? unanswered() : notSent()),
    // A short command must not wait for all pushes of a flood, which arrive before its reply.
    subscribes: true,
  })
  receiveFrames(socket, (value) => {
    const frame = hostFrame(value)
    if (frame) frames.received(frame)
    else if (value === farewell) isClosing = true
    else throw new TypeError('not a frame')
  })
  socket.on('error', welcome.reject)
  socket.on('close', () => {
    welcome.reject(new Error('the connection was closed'))
    frames.closed()
    gone.resolve()
  })
  socket.write(encodeFrame(token))
  frames.opened((frame) => void socket.write(encodeFrame(frame)))
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
      if (isClosing || !socket.writable) throw notSent()
      return frames.call(name, input)
    },
    on: frames.on,
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

function versionMismatch(running: string): AppError {
  return new AppError(
    'internal',
    `A different version of Tabscope (${running}) is running on this data folder. Close it, or use the same version.`,
    { details: { version: running } },
  )
}

/** The call was not sent, so it can be retried. */
function notSent(): AppError {
  return new AppError(
    'connection_lost',
    'The Tabscope process that used this data folder has exited. Run the command again.',
    {
      retry: 'later',
    },
  )
}

function unanswered(): AppError {
  return new AppError(
    'connection_lost',
    'The Tabscope process that used this data folder exited before it responded. The call may have been executed: check before you retry.',
  )
}
