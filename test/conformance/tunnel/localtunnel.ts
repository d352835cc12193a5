import { tunnelThread } from '#test/support/localtunnel.ts'
import type { TunnelRig } from '#test/support/tunnel-rig.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'

const threads = (): string[] =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort')

const rig: TunnelRig = {
  label: 'the real client and a test server',
  notHere: null,
  holds: true,
  absence: ['server_down'],
  written: [
    ['', {}],
    [':', {}],
    ['@', {}],
    [':pier9', { subdomain: 'pier9' }],
    ['@tunnel.example.test', { host: 'https://tunnel.example.test' }],
    ['@Tunnel.example.test:8443/', { host: 'https://tunnel.example.test:8443' }],
    [':pier9@http://localhost:4000', { host: 'http://localhost:4000', subdomain: 'pier9' }],
    [':pier-9@localhost:4000', { host: 'http://localhost:4000', subdomain: 'pier-9' }],
    ['@127.0.0.1:4000', { host: 'http://127.0.0.1:4000' }],
    ['@[::1]:4000', { host: 'http://[::1]:4000' }],
    ['@https://localhost', { host: 'https://localhost' }],
  ],
  refusedWritten: [
    ['pier9', 'subdomain'],
    [':http://localhost:4000', 'subdomain'],
    [':Pier9', 'subdomain'],
    [':pier9@ftp://tunnel.example.test', 'host'],
    [':pier9@somebody:word@tunnel.example.test', 'host'],
  ],
  refused: [
    [{ subdomain: 'abc' }, 'subdomain'],
    [{ subdomain: 'a'.repeat(64) }, 'subdomain'],
    [{ subdomain: '-pier9' }, 'subdomain'],
    [{ subdomain: 'pier9-' }, 'subdomain'],
    [{ subdomain: 'pier.nine' }, 'subdomain'],
    [{ subdomain: '?new' }, 'subdomain'],
    [{ host: 'https://tunnel.example.test/path' }, 'host'],
    [{ host: 'https://tunnel.example.test?a=1' }, 'host'],
    [{ host: 'https://somebody:word@tunnel.example.test' }, 'host'],
    [{ host: 'tunnel example.test' }, 'host'],
    [{ host: 'localhost:99999' }, 'host'],
    [{ local_host: 'example.test' }, 'local_host'],
  ],
  async start() {
    const before = threads().length
    const server = await tunnelServer()
    const circumstances = { world: { tunnelThread, env: {} }, options: { host: server.host } }
    return {
      towards: async () => circumstances,
      // The server runs in this process, so its sockets are among the counted resources.
      left: () => threads().slice(before),
      held: {
        async absent() {
          await server.kill()
          return circumstances
        },
        async silent() {
          server.answerWith('nothing')
          return circumstances
        },
        end: () => server.restart(),
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  },
}
export default rig
