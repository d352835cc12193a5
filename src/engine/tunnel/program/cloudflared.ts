import { z } from 'zod'
import { TunnelFailure } from '../provider.ts'
import type { ProgramReader, ProgramLine, TunnelProgram } from './reader.ts'

/** A line of its log as JSON, which a variable can make it write. */
const JsonLine = z.object({
  message: z.string(),
  error: z.string().optional(),
  connIndex: z.int().optional(),
})

/**
 * cloudflared's quick tunnels. Its own configuration file would be read, and its rules would answer in place of the listener: it is given an
 * empty one. Its address stands in a box, below a line that says so; that it can be reached is said by "Registered tunnel connection".
 */
export const cloudflared: TunnelProgram = {
  name: 'cloudflared',
  from: 'https://developers.cloudflare.com (Cloudflare Tunnel, Downloads)',
  args: (port) => [
    'tunnel',
    '--config',
    process.platform === 'win32' ? 'NUL' : '/dev/null',
    '--no-autoupdate',
    '--loglevel',
    'info',
    // The requests that are under way when it is asked to end; unasked it waits for them for 30 s.
    '--grace-period',
    '1s',
    '--url',
    `http://127.0.0.1:${port}`,
  ],
  withoutVariables: [
    'TUNNEL_NAME',
    'TUNNEL_HOSTNAME',
    'TUNNEL_TOKEN',
    'TUNNEL_TOKEN_FILE',
    'TUNNEL_UNIX_SOCKET',
    'TUNNEL_HELLO_WORLD',
    'TUNNEL_BASTION',
  ],
  reader,
}

const lost =
  /^(Unregistered tunnel connection|Lost connection with the edge|Connection terminated|Failed to serve (quic|http2|tunnel) connection|Serve tunnel error|Retrying connection in up to)/

function reader(quote: (text: string) => string): ProgramReader {
  const open = new Set<number>()
  let most = 1
  /** Lines in which the address is still looked for. */
  let box = 0
  let failure: TunnelFailure | null = null

  const counted = (change: () => void): ProgramLine[] => {
    const before = open.size
    change()
    most = Math.max(most, open.size)
    return open.size === before ? [] : [{ what: 'connections', open: open.size, most }]
  }
  return {
    words: (text) => parse(text).words,
    line(text) {
      const { words, index } = parse(text)
      failure ??= failureOf(words, quote)
      if (/quick tunnel has been created/i.test(words)) {
        box = 3
        return []
      }
      const boxed = box-- > 0 ? /^\|\s(.*)\s\|$/u.exec(words)?.[1]?.trim() : undefined
      if (boxed) {
        box = 0
        return [{ what: 'address', text: boxed }]
      }
      if (/^Registered tunnel connection|^Connection \S+ registered/.test(words)) {
        return counted(() => open.add(index))
      }
      return lost.test(words) ? counted(() => open.delete(index)) : []
    },
    failure: () => failure,
  }
}

/** `2022-11-11T19:57:58Z INF Registered tunnel connection connIndex=0 location=ORD`, or the same as JSON. */
function parse(text: string): { words: string; index: number } {
  const plain = text.replaceAll(/\u001b\[[0-9;]*m/g, '')
  const json = plain.startsWith('{"') && plain.endsWith('}') ? jsonLine(plain) : null
  if (json) {
    const words = json.error === undefined ? json.message : `${json.message} error="${json.error}"`
    return { words, index: json.connIndex ?? 0 }
  }
  return {
    words: plain.replace(/^\S+ (?:TRC|DBG|INF|WRN|ERR|FTL|PNC) /, ''),
    index: Number(/\bconnIndex=(\d+)/.exec(plain)?.[1] ?? 0),
  }
}

function jsonLine(text: string): z.infer<typeof JsonLine> | null {
  try {
    return JsonLine.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** What it ends of, told by what it says before. */
function failureOf(words: string, quote: (text: string) => string): TunnelFailure | null {
  const said = () => `It said: "${quote(words)}".`
  if (/429 Too Many Requests|error code: 1015/i.test(words)) {
    return new TunnelFailure(
      'server_refused',
      'Cloudflare gives out no quick tunnel now: too many were asked for from this network. It is asked again later.',
    )
  }
  if (/failed to request quick Tunnel/i.test(words)) {
    return /no such host|server misbehaving/i.test(words)
      ? new TunnelFailure(
          'server_unresolved',
          `cloudflared cannot find the service that gives out quick tunnels. Look at the connection to the internet. ${said()}`,
        )
      : new TunnelFailure(
          'server_down',
          `cloudflared cannot reach the service that gives out quick tunnels. Look at the connection to the internet. ${said()}`,
        )
  }
  if (
    /failed to (unmarshal|parse|read) quick.?tunnel|Error unmarshaling QuickTunnel/i.test(words)
  ) {
    return new TunnelFailure(
      'server_answer',
      `The service that gives out quick tunnels answered something that is none. ${said()}`,
    )
  }
  if (
    /flag provided but not defined|Incorrect Usage|error parsing YAML|cloudflared tunnel run/i.test(
      words,
    )
  ) {
    return new TunnelFailure(
      'program_failed',
      `cloudflared does not open a quick tunnel as it is set up here. Update it, and look at its variables (TUNNEL_…). ${said()}`,
      { retry: false },
    )
  }
  return null
}
