import { createServer } from 'node:net'

/** The next port after `port` that can be listened on now; null when none of the next hundred can. */
export async function nextFreePort(port: number): Promise<number | null> {
  for (let candidate = port + 1; candidate <= Math.min(port + 100, 65535); candidate += 1) {
    if (await isFree(candidate)) return candidate
  }
  return null
}

/** Whether nobody listens on it on the loopback interface. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
