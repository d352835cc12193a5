import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tempFolder } from '#test/support/temp-folder.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { electronBinary, installElectron } from '../../../src/build/install-electron.mjs'
import { listenOnLoopback } from '#test/support/listen.ts'

const repository = path.resolve(import.meta.dirname, '../../..')

let root: string
beforeEach(() => {
  // A copy of the small package, so that no test can change an installed binary.
  root = tempFolder()
  mkdirSync(path.join(root, 'node_modules'))
  cpSync(path.join(repository, 'node_modules/electron'), path.join(root, 'node_modules/electron'), {
    recursive: true,
    filter: (file) => !/[\\/](dist|path\.txt)$/.test(file),
  })
  for (const name of ['@electron', '@electron-internal']) {
    const target = path.join(repository, 'node_modules', name)
    symlinkSync(target, path.join(root, 'node_modules', name), 'junction')
  }
  vi.stubEnv('electron_config_cache', path.join(root, 'cache'))
})
afterEach(() => {
  vi.unstubAllEnvs()
})

/** Runs the installer with a mirror that responds like this. */
async function install(
  answer: (response: http.ServerResponse) => void,
  options: Parameters<typeof installElectron>[1] = {},
): Promise<void> {
  await using server = await loopbackService((_, response) => answer(response))
  vi.stubEnv('ELECTRON_MIRROR', `${server.baseUrl}/`)
  await installElectron(root, options)
}

describe('downloading Electron', () => {
  it('stops if no server responds', async () => {
    let requests = 0
    await install(
      () => {
        requests += 1
      },
      { firstByteMs: 2_000 },
    )
    expect(requests).toBe(1)
    expect(electronBinary(root)).toBeUndefined()
  })

  it('uses the proxy from the environment', async () => {
    const requests: string[] = []
    const proxy = http.createServer()
    proxy.on('connect', ({ url }, socket) => {
      requests.push(url ?? '')
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    })
    await using listening = await listenOnLoopback(proxy)
    for (const name of ['no_proxy', 'NO_PROXY']) vi.stubEnv(name, undefined)
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'])
      vi.stubEnv(name, `http://127.0.0.1:${listening.port}`)
    // As in Node 22.12, whose fetch does not support proxies.
    vi.stubEnv('NODE_OPTIONS', '--no-use-env-proxy')
    vi.stubEnv('ELECTRON_MIRROR', 'https://mirror.invalid/')
    await installElectron(root)
    expect(requests).toEqual(['mirror.invalid:443'])
  })

  it('does not fail if its temporary folder cannot be deleted', async () => {
    let tried = 0
    await install((response) => response.writeHead(404).end(), {
      remove: async (folder) => {
        tried += 1
        rmSync(String(folder), { recursive: true, force: true })
        throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' })
      },
    })
    expect(tried).toBe(1)
  })
})
