import { z } from 'zod'
import type { TunnelFailure } from '../provider.ts'
import { ngrokFailure } from './ngrok-failure.ts'
import type { ProgramReader, Said, TunnelProgram } from './reader.ts'

/** A line of its log. What else stands there differs from message to message. */
const LogLine = z.object({
  msg: z.string(),
  err: z.string().optional(),
  url: z.string().optional(),
})

const lost = new Set([
  'session closed, starting reconnect loop',
  'heartbeat timeout, terminating session',
  'failed to reconnect session',
])

/** ngrok's agent. Its log is asked for as JSON; the address stands in "started tunnel". */
export const ngrok: TunnelProgram = {
  name: 'ngrok',
  from: 'https://ngrok.com/download',
  args: (port, { domain }) => [
    'http',
    `127.0.0.1:${port}`,
    '--log',
    'stdout',
    '--log-format',
    'json',
    '--log-level',
    'info',
    ...(domain === undefined ? [] : ['--url', `https://${domain}`]),
  ],
  withoutVariables: [],
  reader,
}

function reader(quote: (text: string) => string): ProgramReader {
  let open = 0
  let started = false
  let failure: TunnelFailure | null = null

  const connections = (now: number): Said[] => {
    if (open === now) return []
    open = now
    return [{ what: 'connections', open, most: 1 }]
  }
  return {
    words: (text) => wordsOf(text, parse(text)),
    line(text) {
      const said = parse(text)
      const { msg, url } = said ?? { msg: '', url: undefined }
      if (msg === 'started tunnel' && url !== undefined) {
        started = true
        return [{ what: 'address', text: url }, ...connections(1)]
      }
      if (msg === 'client session established' || msg === 'tunnel session started') {
        return connections(1)
      }
      // Once it has an address it comes back by itself, and says so.
      if (!started && failure === null) {
        failure = ngrokFailure(wordsOf(text, said), quote)
        // It tries again for ever where its server cannot be reached; waiting for that is not its concern here.
        if (failure !== null && msg === 'failed to reconnect session') {
          return [{ what: 'failed', failure }]
        }
      }
      return lost.has(msg) ? connections(0) : []
    },
    failure: () => failure,
  }
}

function parse(text: string): z.infer<typeof LogLine> | null {
  // Each line is looked at, however many there are: a failed parse is dear.
  if (!text.startsWith('{"') || !text.endsWith('}')) return null
  try {
    return LogLine.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function wordsOf(text: string, line: z.infer<typeof LogLine> | null): string {
  if (line === null) return text.replace(/^ERROR:\s*/, '')
  return line.err === undefined || line.err === '<nil>' ? line.msg : `${line.msg}: ${line.err}`
}
