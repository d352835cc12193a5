import { rawServer } from '#test/support/raw-server.ts'

export async function openUnresponsiveServer(): Promise<
  AsyncDisposable & { readonly url: string; readonly asked: Promise<void> }
> {
  const asked = Promise.withResolvers<void>()
  const server = await rawServer(() => asked.resolve())
  return { ...server, url: `${server.origin}/`, asked: asked.promise }
}
