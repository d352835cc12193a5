// A fake ngrok agent: prints the output of the real program (version 3, JSON log), and forwards on loopback. It does not use ngrok.
import { behave } from './behave.ts'

const argv = process.argv.slice(2)

const log = (
  lvl: 'info' | 'warn' | 'eror' | 'crit',
  msg: string,
  fields: Record<string, string> = {},
): string => JSON.stringify({ lvl, msg, t: '2026-04-01T12:00:00.000000000Z', ...fields })

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const session = { obj: 'tunnels.session' }
const established = [
  log('info', 'client session established', session),
  log('info', 'tunnel session started', session),
]
const starting = [
  log('info', 'no configuration paths supplied'),
  log('info', 'open config file', { path: '/home/somebody/.config/ngrok/ngrok.yml', err: '<nil>' }),
  log('info', 'starting web service', { obj: 'web', addr: '127.0.0.1:4040' }),
]

function terminating(err: string): string[] {
  return [
    ...starting,
    log('eror', 'failed to auth', { ...session, err }),
    log('eror', 'terminating with error', { obj: 'app', err }),
    log('crit', 'command failed', { err }),
    ...err.split('\n').map((line) => `ERROR:  ${line}`),
  ]
}

const [command, target] = argv
if (command !== 'http' || !argv.includes('json')) throw new Error('started otherwise')
const port = Number(new URL(`http://${target}`).port)
const asked = argv.includes('--url')
  ? new URL(argv[argv.indexOf('--url') + 1] ?? '').hostname
  : null
await behave(port, say, {
  opened: (url) => [
    ...starting,
    ...established,
    log('info', 'started tunnel', {
      obj: 'tunnels',
      name: 'command_line',
      addr: `http://127.0.0.1:${port}`,
      url:
        asked === null || process.env['STAND_IN_OTHER'] !== undefined
          ? url
          : url.replace(/\/\/[^:]+/, `//${asked}`),
    }),
  ],
  lost: () => [
    log('eror', 'heartbeat timeout, terminating session', session),
    log('eror', 'session closed, starting reconnect loop', { ...session, err: 'session closed' }),
  ],
  found: () => [
    ...established,
    // It is not documented whether the real program keeps a random name after a lost session.
    ...(process.env['STAND_IN_MOVES'] === undefined
      ? []
      : [log('info', 'started tunnel', { obj: 'tunnels', url: 'https://elsewhere.localhost' })]),
  ],
  passing: (fault) => [log('warn', 'failed to open private leg', { obj: 'join', err: fault })],
  failing(behaviour) {
    switch (behaviour) {
      case 'unreachable':
        // The real program retries forever.
        setInterval(() => {}, 60_000)
        return [
          ...starting,
          log('eror', 'failed to reconnect session', {
            ...session,
            err: 'failed to dial ngrok server with address "connect.ngrok-agent.com:443": dial tcp: lookup connect.ngrok-agent.com: no such host',
          }),
        ]
      case 'refused':
        return terminating(
          'authentication failed: The authtoken you specified does not look like a proper ngrok tunnel authtoken.\nYour authtoken: 1yaP1QLD0cVVKBknmtX9TAduxr6_6BSaEj1DVgGXFiVSHZbz9\r\n\r\nERR_NGROK_105\r\n',
        )
      case 'limited':
        return terminating(
          "failed to start tunnel: The endpoint 'https://pier9.ngrok.app' is already online.\r\n\r\nERR_NGROK_334\r\n",
        )
      case 'odd':
        return terminating('failed to start tunnel: Something new.\r\n\r\nERR_NGROK_999\r\n')
      case 'misconfigured':
        return [
          "ERROR:  Error reading configuration file '/home/somebody/.config/ngrok/ngrok.yml': `version` property is required.",
        ]
      default:
        return null
    }
  },
  last: [log('eror', 'terminating with error', { obj: 'app', err: 'remote gone away' })],
})
