import { TunnelFailure } from '../provider.ts'
import type { ProgramReader, ProgramLine, TunnelProgram } from './reader.ts'

/**
 * Quick tunnels. Started with an empty configuration file, because rules in its own one would respond instead of the listener. It prints its URL in a
 * box below an announcement; "Registered tunnel connection" means that the URL is reachable.
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
    // Grace period for pending requests; the default is 30 s.
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
    // These switch the log to JSON.
    'TUNNEL_LOG_OUTPUT',
    'TUNNEL_MANAGEMENT_OUTPUT',
  ],
  reader,
}

const lost =
  /^(Unregistered tunnel connection|Lost connection with the edge|Connection terminated|Failed to serve (quic|http2|tunnel) connection|Serve tunnel error|Retrying connection in up to)/

function reader(quote: (text: string) => string): ProgramReader {
  const open = new Set<number>()
  let most = 1
  /** Further lines in which the URL is expected. */
  let box = 0
  let failure: TunnelFailure | null = null

  const counted = (change: () => void): ProgramLine[] => {
    const before = open.size
    change()
    most = Math.max(most, open.size)
    return open.size === before ? [] : [{ what: 'connections', open: open.size, most }]
  }
  return {
    messageOf: (text) => parse(text).message,
    line(text) {
      const { message, index } = parse(text)
      failure ??= failureOf(message, quote)
      if (/quick tunnel has been created/i.test(message)) {
        box = 3
        return []
      }
      const boxed = box-- > 0 ? /^\|\s(.*)\s\|$/u.exec(message)?.[1]?.trim() : undefined
      if (boxed) {
        box = 0
        return [{ what: 'address', text: boxed }]
      }
      if (/^Registered tunnel connection|^Connection \S+ registered/.test(message)) {
        return counted(() => open.add(index))
      }
      return lost.test(message) ? counted(() => open.delete(index)) : []
    },
    failure: () => failure,
  }
}

/** `2022-11-11T19:57:58Z INF Registered tunnel connection connIndex=0 location=ORD` */
function parse(text: string): { message: string; index: number } {
  const plain = text.replaceAll(/\u001b\[[0-9;]*m/g, '')
  return {
    message: plain.replace(/^\S+ (?:TRC|DBG|INF|WRN|ERR|FTL|PNC) /, ''),
    index: Number(/\bconnIndex=(\d+)/.exec(plain)?.[1] ?? 0),
  }
}

function failureOf(message: string, quote: (text: string) => string): TunnelFailure | null {
  const output = () => `cloudflared reported: "${quote(message)}".`
  // Of the text "error code: 1015", older versions print only what JSON cannot begin with.
  if (/429 Too Many Requests|error code: 1015|invalid character 'e'/i.test(message)) {
    return new TunnelFailure(
      'server_refused',
      'Cloudflare refused a quick tunnel, usually because too many were requested from this network. Tabscope retries, with longer pauses.',
    )
  }
  if (/failed to request quick Tunnel/i.test(message)) {
    return /no such host|server misbehaving/i.test(message)
      ? new TunnelFailure(
          'server_unresolved',
          `cloudflared cannot find the quick tunnel service. Check your internet connection. ${output()}`,
        )
      : new TunnelFailure(
          'server_down',
          `cloudflared cannot reach the quick tunnel service. Check your internet connection. ${output()}`,
        )
  }
  if (
    /failed to (unmarshal|parse|read) quick.?tunnel|Error unmarshaling QuickTunnel/i.test(message)
  ) {
    return new TunnelFailure(
      'server_answer',
      `The quick tunnel service returned an invalid response. ${output()}`,
    )
  }
  if (
    /flag provided but not defined|Incorrect Usage|error parsing YAML|cloudflared tunnel run/i.test(
      message,
    )
  ) {
    return new TunnelFailure(
      'program_failed',
      `cloudflared cannot open a quick tunnel with its current setup. Update it, and check its environment variables (TUNNEL_…). ${output()}`,
      { retry: false },
    )
  }
  return null
}
