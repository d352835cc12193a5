import type { CliLine } from '#contract/cli-output.ts'
import type { Settings } from '#contract/models.ts'
import { formatSize } from '#shared/text/format.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { choice, integer, size } from '../command-line/values.ts'
import { settingsOf, withSession } from '../in-session.ts'
import { resolvePath } from '../io.ts'
import { print, printMessage } from '../output.ts'
import { printTable } from '../table.ts'

type Name = keyof typeof settings
type Value = string | number | boolean

/** In the order and with the wording of the settings page. */
const settings = {
  theme: { key: 'theme', type: 'choice', text: 'Colors of the interface' },
  port: { key: 'listenerPort', type: 'integer', text: 'Port of the listener; 0: any free port' },
  'body-limit': { key: 'bodyLimit', type: 'size', text: 'Maximum size of a body' },
  'keep-deliveries': {
    key: 'keepDeliveries',
    type: 'integer',
    text: 'Maximum number of stored deliveries',
  },
  'keep-days': {
    key: 'keepDays',
    type: 'integer',
    text: 'Days after which deliveries are deleted; 0: never',
  },
  'keep-bytes': { key: 'keepBytes', type: 'size', text: 'Maximum size of stored deliveries' },
  proxy: {
    key: 'proxy',
    type: 'text',
    text: 'Proxy of requests to other machines: system, none, or the URL of an HTTP proxy',
  },
  'ca-file': {
    key: 'caFile',
    type: 'file',
    text: 'PEM file with certificates to trust in addition to those of the system; none: no file',
  },
  background: {
    key: 'background',
    type: 'switch',
    text: 'Keep receiving deliveries when the window is closed (desktop app)',
  },
  'open-at-login': { key: 'openAtLogin', type: 'switch', text: 'Open at login (desktop app)' },
  'prevent-sleep': {
    key: 'preventSleep',
    type: 'switch',
    text: 'Keep the computer awake while a tunnel is open or a job runs (desktop app)',
  },
  'hardware-acceleration': {
    key: 'hardwareAcceleration',
    type: 'switch',
    text: 'Draw with the graphics processor, from the next start on (desktop app)',
  },
  'notify-verdicts': {
    key: 'notifyVerdicts',
    type: 'switch',
    text: 'Notify about invalid and missing signatures (desktop app)',
  },
  'notify-tunnel': {
    key: 'notifyTunnel',
    type: 'switch',
    text: 'Notify about a lost tunnel (desktop app)',
  },
  'notify-alerts': {
    key: 'notifyAlerts',
    type: 'switch',
    text: 'Notify about alerts of health (desktop app)',
  },
  'assistant-access': {
    key: 'assistantAccess',
    type: 'switch',
    text: 'Coding assistants may read deliveries',
  },
  updates: { key: 'updates', type: 'choice', text: 'Check for new versions (desktop app)' },
} as const satisfies Record<
  string,
  { key: Exclude<keyof Settings, 'guide' | 'guideAt'>; type: string; text: string }
>

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
const names = Object.keys(settings) as Name[]

const get = defineCommand('get', 'Show all settings, or the value of one setting', [
  ['All settings', 'settings get'],
  ['One value', 'settings get port'],
])
  .argument('[name]', 'Name of a setting', choice('name', names))
  .action(
    action((name) =>
      withSession('read', async (session) => {
        const current = await settingsOf(session)
        const output = await outputOf(current)
        if (name !== undefined) {
          print('setting', output(name), () => valueText(name, current))
          return 0
        }
        printTable(
          'setting',
          names,
          [
            { title: 'Name', value: (each) => each },
            { title: 'Value', value: (each) => valueText(each, current) },
            { title: 'Description', value: (each) => settings[each].text },
          ],
          output,
        )
      }),
    ),
  )

const set = defineCommand('set', 'Change a setting', [
  ['Change the port of the listener', 'settings set port 4790'],
  ['Accept bodies of up to 50 MiB', 'settings set body-limit 50MiB'],
  ['Store fewer deliveries', 'settings set keep-bytes 512MiB'],
  ['Delete deliveries after 30 days', 'settings set keep-days 30'],
  ['Send requests through a proxy', 'settings set proxy http://proxy.example:3128'],
  ['Trust a certificate authority', 'settings set ca-file company-ca.pem'],
])
  .argument('<name>', 'Name of a setting', choice('name', names))
  .argument('<value>', 'New value; sizes with a unit such as 25MiB, switches as on or off')
  .action(
    action(async (name, text) => {
      const value = await parsed(name, text)
      return withSession('create', async (session) => {
        const after = await session.call('settings.update', { [settings[name].key]: value })
        print('setting', (await outputOf(after))(name), () => `${name}: ${valueText(name, after)}`)
        if (name === 'port' && session.joined) {
          printMessage('Restart Tabscope to use the new port.')
        }
      })
    }),
  )

export const command = group('settings', 'Show and change settings', [get, set])

/** Throws `UsageError` for an invalid value. */
async function parsed(name: Name, text: string): Promise<Value> {
  const { Settings: schema } = await import('#contract/models.ts')
  const { shape } = schema
  const { key } = settings[name]
  switch (key) {
    case 'theme':
    case 'updates':
      return choice('value', shape[key].options)(text)
    case 'listenerPort':
    case 'keepDeliveries':
    case 'keepDays':
      return integer('value', shape[key].minValue ?? 0, shape[key].maxValue ?? 0)(text)
    case 'proxy':
      return text
    case 'caFile':
      return text === 'none' || text === '' ? '' : resolvePath(text)
    case 'bodyLimit':
    case 'keepBytes':
      return size('value', shape[key].minValue ?? 0, shape[key].maxValue ?? 0)(text)
    default:
      return choice('value', ['on', 'off'])(text) === 'on'
  }
}

async function outputOf(current: Settings): Promise<(name: Name) => CliLine<'setting'>> {
  const { defaultSettings } = await import('#contract/models.ts')
  return (name) => {
    const { key } = settings[name]
    return { name, value: current[key], default: defaultSettings[key] }
  }
}

function valueText(name: Name, current: Settings): string {
  const { key, type } = settings[name]
  const value = current[key]
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (type === 'file' && value === '') return 'none'
  return type === 'size' && typeof value === 'number' ? formatSize(value) : String(value)
}
