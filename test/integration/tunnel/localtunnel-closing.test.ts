import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openLocalServer, openingError, startTunnel } from '#test/support/localtunnel.ts'
import { publicRequest } from '#test/support/public-request.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'

describe('Closing a localtunnel', () => {
  it('finishes a response that is being sent', async () => {
    await using server = await tunnelServer()
    let answer: (() => void) | null = null
    await using localServer = await openLocalServer((_request, response) => {
      answer = () => void response.end('in time')
    })
    await using tried = startTunnel({ options: { host: server.host }, port: localServer.port })
    const tunnel = await tried.opening
    const asked = publicRequest(tunnel.url, { body: 'x' })
    const give = await until('the request', () => answer)
    tried.abort()
    setTimeout(give, 50)
    expect((await asked).body.toString()).toBe('in time')
    expect(await tunnel.closed).toBeNull()
  })

  it('does not wait for a missing response', async () => {
    await using server = await tunnelServer()
    let received = false
    await using localServer = await openLocalServer(() => {
      received = true
    })
    await using tried = startTunnel({ options: { host: server.host }, port: localServer.port })
    const tunnel = await tried.opening
    const asked = publicRequest(tunnel.url, { body: 'x' })
    await until('the request', () => received)
    tried.abort()
    expect(await tunnel.closed).toBeNull()
    expect((await asked).status).toBe(502)
  })
})

/** A thread that misbehaves in ways that the client's thread must not. */
async function withThread(text: string, use: (entry: URL) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tabscope-'))
  try {
    const file = path.join(folder, 'thread.mjs')
    await writeFile(file, text)
    await use(pathToFileURL(file))
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('The thread of the localtunnel client', () => {
  const openedThenThrows = `
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage({ event: 'opened', id: 'pier9', url: 'http://pier9.test' })
    setTimeout(() => { throw new Error('out of the blue') }, 100)
  `
  const deaf = `
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage({ event: 'opened', id: 'pier9', url: 'http://pier9.test' })
    parentPort.on('message', () => undefined)
  `

  it('affects nothing else if it dies while it is open', async () => {
    await withThread(openedThenThrows, async (tunnelThread) => {
      await using tried = startTunnel({ options: {} }, { tunnelThread, env: {} })
      expect(await (await tried.opening).closed).toMatchObject({
        code: 'ended',
        message: 'The localtunnel client stopped unexpectedly (out of the blue).',
      })
    })
  })

  it('affects nothing else if it dies before it is open', async () => {
    await withThread('throw new Error("at once")', async (tunnelThread) => {
      await using tried = startTunnel({ options: {} }, { tunnelThread, env: {} })
      expect(await openingError(tried.opening)).toMatchObject({ code: 'internal' })
    })
  })

  it('is killed when it does not stop', async () => {
    await withThread(deaf, async (tunnelThread) => {
      await using tried = startTunnel({ options: {} }, { tunnelThread, env: {} })
      const tunnel = await tried.opening
      tried.abort()
      expect(await tunnel.closed).toBeNull()
    })
  })
})
