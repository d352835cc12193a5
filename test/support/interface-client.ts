import { once } from 'node:events'
import { decode, encode } from '@msgpack/msgpack'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { HostFrame, type ClientFrame } from '#contract/host.ts'
import { until } from './until.ts'

export interface InterfaceClient extends AsyncDisposable {
  readonly socket: WebSocket
  readonly frames: readonly HostFrame[]
  send(frame: ClientFrame): void
  hello(session?: string | null, lastSeq?: number): Promise<Extract<HostFrame, { kind: 'welcome' }>>
  call(name: string, input: unknown): Promise<Extract<HostFrame, { kind: 'reply' }>>
  closed(): Promise<number>
}

/** A plain union, because two frames have the `kind` `reply`. */
const Frame = z.union(HostFrame.options)

/** Connects like a page. Throws if the upgrade is rejected. */
export async function interfaceClient(address: string): Promise<InterfaceClient> {
  const { host, hash } = new URL(address)
  const token = hash.replace('#token=', '')
  const socket = new WebSocket(`ws://${host}/wire`, ['tabscope', `token.${token}`], {
    origin: `http://${host}`,
  })
  const frames: HostFrame[] = []
  let code: number | null = null
  socket.on('message', (data: Buffer) => frames.push(Frame.parse(decode(data))))
  socket.on('close', (closeCode) => {
    code = closeCode
  })
  await once(socket, 'open')
  socket.on('error', () => undefined)
  let id = 0
  const send = (frame: ClientFrame): void => socket.send(encode(frame))
  return {
    socket,
    frames,
    send,
    hello: async (session = null, lastSeq = 0) => {
      send({ kind: 'hello', session, lastSeq })
      return until('the welcome', () => frames.find((frame) => frame.kind === 'welcome'))
    },
    call: async (name, input) => {
      id += 1
      const mine = id
      send({ kind: 'call', id: mine, name, input })
      return until(`the reply to ${name}`, () =>
        frames.find((frame) => frame.kind === 'reply' && frame.id === mine),
      ).then((frame) => {
        if (frame.kind !== 'reply') throw new Error('no reply')
        return frame
      })
    },
    closed: () => until('the close', () => code),
    [Symbol.asyncDispose]: async () => socket.terminate(),
  }
}
