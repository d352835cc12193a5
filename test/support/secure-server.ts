import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { listenOnLoopback, type OnLoopback } from './listen.ts'

export const tlsFixture = (name: string): string =>
  readFileSync(new URL(`fixtures/tls/${name}.pem`, import.meta.url), 'utf8')

/** Responds with `safe`. `prefix`: which certificate, such as `expired-`. */
export async function secureServer(
  prefix = '',
): Promise<OnLoopback & { readonly names: readonly unknown[] }> {
  const names: unknown[] = []
  const server = createServer(
    { cert: tlsFixture(`${prefix}cert`), key: tlsFixture(`${prefix}key`) },
    (_, response) => response.setHeader('Content-Length', 4).end('safe'),
  )
  server.on('secureConnection', (socket) => names.push(socket.servername))
  return { ...(await listenOnLoopback(server)), names }
}
