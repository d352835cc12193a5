import { startEdge, type Edge } from '#test/support/tunnel-programs/edge.ts'
import type { TunnelRig } from '#test/support/tunnel-rig.ts'

const rig: TunnelRig = {
  label: 'a reverse proxy on loopback, as a user would wire it',
  notHere: null,
  holds: false,
  absence: [],
  written: [
    [':https://hooks.example.test', { url: 'https://hooks.example.test' }],
    [':https://Hooks.example.test:443/', { url: 'https://hooks.example.test' }],
    [':http://127.0.0.1:4000', { url: 'http://127.0.0.1:4000' }],
  ],
  refusedWritten: [
    ['', 'url'],
    [':', 'url'],
    [':hooks.example.test', 'url'],
    [':https://hooks.example.test/hooks', 'url'],
  ],
  refused: [
    [{}, 'url'],
    [{ url: ' ' }, 'url'],
    [{ url: 'ftp://hooks.example.test' }, 'url'],
    [{ url: 'https://somebody:word@hooks.example.test' }, 'url'],
    [{ url: 'https://hooks.example.test/?a=1' }, 'url'],
    [{ url: 'https://hooks.example.test?' }, 'url'],
    [{ url: 'https://hooks.example.test#' }, 'url'],
    [{ url: 'https:\\\\hooks.example.test' }, 'url'],
    [{ url: 'https://hooks.\nexample.test' }, 'url'],
    [{ url: 'https://' }, 'url'],
    [{ url: 'https://hooks.example.test:99999' }, 'url'],
    [{ url: 'https://hooks.example.test', host: 'x' }, 'host'],
  ],
  async start() {
    const edges: Edge[] = []
    return {
      async towards(port) {
        const edge = await startEdge(port)
        edges.push(edge)
        return {
          world: { tunnelThread: new URL('file:///none'), env: {} },
          options: { url: edge.url },
        }
      },
      left: () => [],
      held: null,
      async [Symbol.asyncDispose]() {
        await Promise.all(edges.map((edge) => edge.close()))
      },
    }
  },
}
export default rig
