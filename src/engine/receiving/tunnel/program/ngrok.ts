import * as z from 'zod'
import { TunnelFailure } from '../provider.ts'
import type { ProgramReader, ProgramLine, TunnelProgram } from './reader.ts'

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

/** Logs JSON; "started tunnel" contains the URL. */
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
    messageOf: (text) => messageIn(text, parse(text)),
    line(text) {
      const parsed = parse(text)
      const { msg, url } = parsed ?? { msg: '', url: undefined }
      if (msg === 'started tunnel' && url !== undefined) {
        started = true
        return [{ what: 'address', text: url }, ...connections(1)]
      }
      if (msg === 'client session established' || msg === 'tunnel session started') {
        return connections(1)
      }
      // Once it has a URL, it reconnects by itself and reports that.
      if (!started && failure === null) {
        failure = ngrokFailure(messageIn(text, parsed), quote)
        // ngrok retries forever if it cannot reach its server. Tabscope handles retries itself.
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
  // A failed parse is slow, and every line is checked.
  if (!text.startsWith('{"') || !text.endsWith('}')) return null
  try {
    return LogLine.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function messageIn(text: string, line: z.infer<typeof LogLine> | null): string {
  if (line === null) return text.replace(/^ERROR:\s*/, '')
  return line.err === undefined || line.err === '<nil>' ? line.msg : `${line.msg}: ${line.err}`
}

/** By its error code (https://ngrok.com/docs/errors) or its text; null if it is unknown. */
function ngrokFailure(message: string, quote: (text: string) => string): TunnelFailure | null {
  const code = /\bERR_NGROK_(\d+)/.exec(message)
  if (code) return byCode(code[0], Number(code[1]), quote(message))
  const output = `ngrok reported: "${quote(message)}".`
  if (/\bis limited to \d|too many requests/i.test(message)) {
    return new TunnelFailure(
      'server_refused',
      `ngrok limits your account. Stop an agent that runs elsewhere. Tabscope retries, with longer pauses. ${output}`,
    )
  }
  if (/no such host|has no records|server misbehaving/i.test(message)) {
    return new TunnelFailure(
      'server_unresolved',
      `ngrok cannot find its server. Check your internet connection. ${output}`,
    )
  }
  if (/^failed to (reconnect session|dial)/i.test(message)) {
    return new TunnelFailure(
      'server_down',
      `ngrok cannot reach its server. Check your internet connection. ${output}`,
    )
  }
  if (/configuration file|unknown (flag|command)|unmarshal|yaml/i.test(message)) {
    return new TunnelFailure(
      'program_failed',
      `ngrok rejected its configuration or arguments. Run "ngrok config check", and update ngrok. ${output}`,
      { retry: false },
    )
  }
  return null
}

function byCode(code: string, number: number, output: string): TunnelFailure {
  switch (number) {
    case 105:
    case 106:
    case 107:
    case 4018:
      return new TunnelFailure(
        'server_refused',
        `ngrok has no authtoken, or a rejected one (${code}). Run "ngrok config add-authtoken" with the token from your account at ngrok.com, then reopen the tunnel.`,
        { retry: false },
      )
    case 108:
      return new TunnelFailure(
        'server_refused',
        `Your ngrok account does not allow another agent (${code}). Stop one that runs elsewhere. Tabscope keeps retrying.`,
      )
    case 334:
      return new TunnelFailure(
        'server_refused',
        `Another ngrok agent of your account uses this URL (${code}). Stop it. Tabscope keeps retrying.`,
      )
    case 120:
    case 121:
      return new TunnelFailure(
        'program_failed',
        `This version of ngrok is too old for its server (${code}). Run "ngrok update", then reopen the tunnel.`,
        { retry: false },
      )
    default:
      return new TunnelFailure(
        'server_refused',
        `The ngrok server refused the tunnel (${code}): "${output}".`,
        {
          // Errors 300 to 399 concern names and domains, as far as documented: the user has to choose another.
          retry: number < 300 || number >= 400,
        },
      )
  }
}
