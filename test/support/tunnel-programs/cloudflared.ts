// A fake cloudflared: prints the output of the real program (2022 to 2026), and forwards on loopback. It does not use Cloudflare.
import { behave } from './behave.ts'

const argv = process.argv.slice(2)

function log(
  level: 'INF' | 'WRN' | 'ERR',
  message: string,
  fields: Record<string, string | number> = {},
): string {
  const pairs = Object.entries(fields).map(([name, value]) =>
    typeof value === 'string' && /[\s"]/.test(value)
      ? ` ${name}=${JSON.stringify(value)}`
      : ` ${name}=${value}`,
  )
  return `2026-04-01T12:00:00Z ${level} ${message}${pairs.join('')}`
}

function box(lines: readonly string[]): string[] {
  const width = Math.max(...lines.map((line) => line.length))
  const border = `+${'-'.repeat(width + 4)}+`
  return [border, ...lines.map((line) => `|  ${line.padEnd(width)}  |`), border].map((line) =>
    log('INF', line),
  )
}

const say = (line: string): void => void process.stderr.write(`${line}\n`)
const edge = { connIndex: 0, event: 0, ip: '192.0.2.200' }
const registered = log('INF', 'Registered tunnel connection', {
  ...edge,
  connection: 'bb527b3a-8a27-467b-9fca-84972898be5c',
  location: 'lis01',
  protocol: 'quic',
})
const asking = [
  log(
    'INF',
    'Thank you for trying Cloudflare Tunnel. If you intend to use Tunnels in production, see https://developers.cloudflare.com/cloudflare-one/connections/connect-apps',
  ),
  log('INF', 'Requesting new quick Tunnel on trycloudflare.com...'),
]

const at = argv.indexOf('--url')
const port = Number(new URL(argv[at + 1] ?? '').port)
if (argv[0] !== 'tunnel' || !argv.includes('--no-autoupdate')) throw new Error('started otherwise')
await behave(port, say, {
  opened: (url) => [
    ...asking,
    ...box([
      'Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):',
      url,
    ]),
    log('ERR', 'Configuration file /dev/null was empty'),
    log('INF', 'Version 2026.3.0'),
    log('INF', 'Settings: map[ha-connections:1 no-autoupdate:true protocol:auto]'),
    log('INF', 'Initial protocol quic'),
    registered,
  ],
  lost: () => [
    log('WRN', 'Failed to serve tunnel connection', {
      ...edge,
      error: 'timeout: no recent network activity',
    }),
    log('INF', 'Retrying connection in up to 1s', edge),
  ],
  found: () => [registered],
  passing: (fault) => [
    log('ERR', 'Request failed', {
      ...edge,
      error: `Unable to reach the origin service: ${fault}`,
    }),
  ],
  failing(behaviour) {
    switch (behaviour) {
      case 'unreachable':
        return [
          ...asking,
          'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup api.trycloudflare.com on 127.0.0.53:53: no such host',
        ]
      case 'limited':
        return [
          ...asking,
          log('ERR', 'Error unmarshaling QuickTunnel response: error code: 1015', {
            error: "invalid character 'e' looking for beginning of value",
            status_code: '429 Too Many Requests',
          }),
          "failed to unmarshal quick Tunnel: invalid character 'e' looking for beginning of value",
        ]
      case 'odd':
        return [...asking, 'failed to parse quick Tunnel ID: invalid UUID length: 0']
      case 'misconfigured':
        return ['Use `cloudflared tunnel run` to start tunnel 717b32eb-69e8-48f6-ade2-e692f5831480']
      case 'refused':
        return [
          log('ERR', 'Something nobody has seen before, token=eyJhIjoiYWJjZGVmMDEyMzQ1Njc4OTAifQ'),
        ]
      default:
        return null
    }
  },
  last: [
    log('ERR', 'Initiating shutdown', {
      error: 'accept stream listener encountered a failure while serving',
    }),
  ],
})
