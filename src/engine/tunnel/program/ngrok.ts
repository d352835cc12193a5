import { z } from 'zod'
import { TunnelFailure } from '../provider.ts'
import type { ProgramReader, ProgramLine, TunnelProgram } from './reader.ts'

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

  const connections = (now: number): ProgramLine[] => {
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

/** What a line of ngrok's says went wrong, by its code (https://ngrok.com/docs/errors) or its words; null: nothing that is known. */
function ngrokFailure(words: string, quote: (text: string) => string): TunnelFailure | null {
  const code = /\bERR_NGROK_(\d+)/.exec(words)
  if (code) return byCode(code[0], Number(code[1]), quote(words))
  const said = `It said: "${quote(words)}".`
  if (/no such host|has no records|server misbehaving/i.test(words)) {
    return new TunnelFailure(
      'server_unresolved',
      `ngrok cannot find its server. Look at the connection to the internet. ${said}`,
    )
  }
  if (/^failed to (reconnect session|dial)/i.test(words)) {
    return new TunnelFailure(
      'server_down',
      `ngrok cannot reach its server. Look at the connection to the internet. ${said}`,
    )
  }
  if (/configuration file|unknown (flag|command)|unmarshal|yaml/i.test(words)) {
    return new TunnelFailure(
      'program_failed',
      `ngrok does not take its configuration, or what it is started with. Run "ngrok config check", and update it. ${said}`,
      { retry: false },
    )
  }
  return null
}

function byCode(code: string, number: number, said: string): TunnelFailure {
  switch (number) {
    case 105:
    case 106:
    case 107:
    case 4018:
      return new TunnelFailure(
        'server_refused',
        `ngrok has no authtoken, or one that is not accepted (${code}). Run "ngrok config add-authtoken" with the one from your account at ngrok.com, then open the tunnel again.`,
        { retry: false },
      )
    case 108:
      return new TunnelFailure(
        'server_refused',
        `Your ngrok account allows no further agent (${code}). End one that runs elsewhere; it is tried again meanwhile.`,
      )
    case 334:
      return new TunnelFailure(
        'server_refused',
        `The address is in use by another ngrok of your account (${code}). End that one; it is tried again meanwhile.`,
      )
    case 120:
    case 121:
      return new TunnelFailure(
        'program_failed',
        `This ngrok is too old for its server (${code}). Run "ngrok update", then open the tunnel again.`,
        { retry: false },
      )
    default:
      return new TunnelFailure(
        'server_refused',
        `ngrok was refused (${code}). It said: "${said}".`,
        {
          // Of names and domains, as far as they are documented: another one is to be chosen.
          retry: number < 300 || number >= 400,
        },
      )
  }
}
