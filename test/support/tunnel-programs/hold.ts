// Opens a tunnel with a program, and keeps it open until this process is killed, or with the argument "exit", exits without closing it. Simulates a
// crash of Tabscope.
import provider from '#engine/receiving/tunnel/providers/cloudflared.ts'

const { url } = await provider.open(
  { port: 9, options: {}, previousName: null },
  { tunnelThread: new URL('file:///none'), env: process.env },
  { trouble: () => undefined, connections: () => undefined },
  new AbortController().signal,
)
process.stdout.write(`${url}\n`, () => {
  if (process.argv.includes('exit')) process.exit(0)
})
