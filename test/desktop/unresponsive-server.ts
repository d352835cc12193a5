import { createServer } from 'node:net'

export async function openUnresponsiveServer(): Promise<
  AsyncDisposable & { readonly url: string; readonly asked: Promise<void> }
> {
  const asked = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => asked.resolve())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    asked: asked.promise,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
