// Opens a tunnel by a program, and holds it until it is killed, or, with "exit" behind it, ends without closing it: a Tabscope that comes to a
// sudden end.
import provider from '#engine/tunnel/providers/cloudflared.ts'

const { url } = await provider.open(
  { port: 9, options: {}, previousName: null },
  { tunnelThread: new URL('file:///none'), env: process.env },
  { trouble: () => undefined, connections: () => undefined },
  new AbortController().signal,
)
process.stdout.write(`${url}\n`, () => {
  if (process.argv.includes('exit')) process.exit(0)
})
