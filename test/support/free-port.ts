import { createServer } from 'node:net'
import { listenOnLoopback } from './listen.ts'

export async function freePort(host = '127.0.0.1'): Promise<number> {
  const { port, close } = await listenOnLoopback(createServer(), 0, host)
  await close()
  return port
}
