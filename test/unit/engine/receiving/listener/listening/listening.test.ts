import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ListenerState } from '#contract/models.ts'
import type { Capture } from '#engine/receiving/listener/capture.ts'
import { nextFreePort, createListening } from '#engine/receiving/listener/listening/listening.ts'
import { listenersUnder, portHolder } from '#engine/receiving/listener/listening/port-owner.ts'
import { listenOnLoopback } from '#test/support/listen.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

async function occupiedPort(wanted = 0): Promise<number> {
  const { port, close } = await listenOnLoopback(createServer(), wanted)
  onTestFinished(close)
  return port
}

function listening(listen: (port: number) => number) {
  const states: ListenerState[] = []
  const call = async (name: string, port: number) => {
    if (name !== 'listen') throw new Error('not for this test')
    return listen(port)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a double: of the thread's functions only `listen` is called here
  const capture = { api: { call }, close: async () => undefined } as unknown as Capture
  const made = createListening(capture, (state) => states.push(state))
  return {
    states,
    state: () => made.state(),
    start: (port: number) => made.start(port),
    look: () => made.recheck(),
    origin: () => made.origin(),
    setFailing: (reason: string | null) => made.setFailing('store', reason),
    stopped: () => made.stopped(),
  }
}
const failWith = (text: string) => (): number => {
  throw new Error(text)
}
// An error from another thread includes its stack.
const inUse = failWith(
  'Error: listen EADDRINUSE: address already in use\n    at Server.setup (node:net:1)',
)

describe('listening', () => {
  it('reports its port and its start', async () => {
    const { start, state, origin, states } = listening((port) => port || 4999)
    expect(() => origin()).toThrow(expect.objectContaining({ code: 'listener_down' }))
    await start(0)
    expect(state()).toMatchObject({ state: 'listening', port: 4999, failing: null })
    expect(origin()).toBe('http://127.0.0.1:4999')
    expect(states.map(({ state }) => state)).toEqual(['starting', 'listening'])
    await start(4999)
    expect(states).toHaveLength(2)
  })

  it('names the port in use, the program that uses it, and the next free port', async () => {
    const port = await occupiedPort()
    const { start, origin } = listening(inUse)
    const state = await start(port)
    const free = await nextFreePort(port)
    const holder = process.platform === 'linux' ? `(process ${process.pid})` : 'another program'
    expect(state).toMatchObject({ state: 'failed', port, code: 'port_in_use', freePort: free })
    const message = state.state === 'failed' ? state.message : ''
    expect(message).toMatch(new RegExp(`^Port ${port} is in use by .*\\. Port ${free} is free\\.$`))
    expect(message).toContain(holder)
    expect(() => origin()).toThrow(message)
  })

  it('reports which ports are reserved by the system', async () => {
    const state = await listening(failWith('Error: listen EACCES: permission denied')).start(80)
    expect(state).toMatchObject({
      code: 'port_forbidden',
      message: expect.stringContaining('1023'),
    })
  })

  it('explains any other error without the text of the system', async () => {
    const state = await listening(
      failWith('Error: listen EMFILE\n    at f (/app/out/x.js:1)'),
    ).start(1)
    expect(state).toMatchObject({
      code: 'internal',
      message:
        'The listener could not start on port 1. Too many files are open. Close other programs, or raise the limit on open files. Or choose another port.',
    })
  })

  it('keeps listening when another port is not available', async () => {
    const { start, state, origin } = listening((port) => (port === 4999 ? port : inUse()))
    await start(4999)
    const before = state()
    const port = await occupiedPort()
    const freePort = await nextFreePort(port)
    await expect(start(port)).rejects.toMatchObject({
      code: 'port_in_use',
      details: { port, freePort },
    })
    expect(state()).toEqual(before)
    expect(origin()).toBe('http://127.0.0.1:4999')
  })

  it('stays unchanged after a sleep if its socket is alive', async () => {
    const { start, look, states } = listening((port) => port)
    await start(await occupiedPort())
    await look()
    expect(states).toHaveLength(2)
  })

  it('restarts on its port after a sleep if its socket has died', async () => {
    const asked: number[] = []
    const { start, look, state, states } = listening((port) => {
      asked.push(port)
      return port
    })
    const port = (await nextFreePort(await occupiedPort())) ?? 0
    await start(port)
    await look()
    expect(asked).toEqual([port, port])
    expect(state()).toMatchObject({ state: 'listening', port })
    expect(states.map(({ state }) => state)).toEqual([
      'starting',
      'listening',
      'starting',
      'listening',
    ])
  })

  it('retries a port in use after a sleep, and reports if it is still in use', async () => {
    let isTaken = true
    const { start, look, state } = listening((port) => (isTaken ? inUse() : port))
    const port = await occupiedPort()
    await start(port)
    await look()
    expect(state()).toMatchObject({ state: 'failed', code: 'port_in_use' })
    isTaken = false
    await look()
    expect(state()).toMatchObject({ state: 'listening', port })
  })

  it('does not retry a forbidden port after a sleep', async () => {
    const asked: number[] = []
    const { start, look } = listening((port) => {
      asked.push(port)
      return failWith('Error: listen EACCES: permission denied')()
    })
    await look()
    await start(80)
    await look()
    expect(asked).toEqual([80])
  })

  it('reports while deliveries cannot be stored, also when this starts later', async () => {
    const { start, state, setFailing, stopped } = listening((port) => port)
    setFailing('The disk is full.')
    await start(4999)
    expect(state()).toMatchObject({
      failing: 'Deliveries cannot be stored and are rejected with 503: The disk is full.',
    })
    setFailing(null)
    expect(state()).toMatchObject({ state: 'listening', failing: null })
    stopped()
    expect(state()).toEqual({ state: 'stopped', port: 4999 })
  })
})

describe('the next free port', () => {
  it('is a free port, or null if there is none', async () => {
    const port = await occupiedPort()
    const free = (await nextFreePort(port)) ?? 0
    expect(free).toBeGreaterThan(port)
    expect(await nextFreePort(65535)).toBeNull()
    await occupiedPort(free)
    expect(await nextFreePort(free - 1)).not.toBe(free)
  })

  it.runIf(process.platform === 'linux')('is found at the process above its owner', async () => {
    const port = await occupiedPort()
    const held = [`127.0.0.1:${port}`]
    expect(await listenersUnder(process.ppid)).toEqual(expect.arrayContaining(held))
    if (!hasIpv6) return
    const server = createServer()
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(port, '::1', resolve))
    held.push(`[::1]:${port}`)
    expect(await listenersUnder(process.pid)).toEqual(expect.arrayContaining(held))
  })

  it.runIf(process.platform === 'linux')(
    'is held by a program, not one of its threads',
    async () => {
      expect(await portHolder(await occupiedPort())).toBe(
        `${path.basename(process.execPath)} (process ${process.pid})`,
      )
    },
  )

  it.runIf(process.platform === 'linux')('has no owner', async () => {
    expect(await portHolder((await nextFreePort(await occupiedPort())) ?? 0)).toBeNull()
  })
})
