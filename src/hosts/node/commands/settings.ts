import type { CliLine } from '#contract/cli-output.ts'
import type { Settings } from '#contract/models.ts'
import { formatSize } from '#shared/text/format.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { fieldsOf } from '../command-line/declaration.ts'
import { choice, integer, size } from '../command-line/values.ts'
import { settingsOf, withSession } from '../session/in-session.ts'
import { resolvePath } from '../command-line/io.ts'
import { print, printMessage } from '../output/output.ts'
import { columnsOf, printTable } from '../output/table.ts'

type Key = Exclude<keyof Settings, 'assistantTargets'>

const settings = new Map(
  Object.entries(fieldsOf('settings.update'))
    .filter(([, { description }]) => description !== '')
    .map(([key, field]) => [
      key === 'listenerPort' ? 'port' : key.replaceAll(/[A-Z]/g, (at) => `-${at.toLowerCase()}`),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of the settings
      { key: key as Key, field },
    ]),
)

const names = [...settings.keys()]

function settingNamed(name: string) {
  const setting = settings.get(name)
  if (!setting) throw new TypeError(`${name} is no setting.`)
  return setting
}

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
          return
        }
        printTable(
          'setting',
          names,
          columnsOf({
            Name: (each) => each,
            Value: (each) => valueText(each, current),
            Description: (each) => settingNamed(each).field.description,
          }),
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
    action((name, text) => {
      const value = parsed(name, text)
      return withSession('create', async (session) => {
        const after = await session.call('settings.update', { [settingNamed(name).key]: value })
        print('setting', (await outputOf(after))(name), () => `${name}: ${valueText(name, after)}`)
        if (name === 'port' && session.joined) {
          printMessage('Restart Tabscope to use the new port.')
        }
      })
    }),
  )

export const command = group('settings', 'Show and change settings', [get, set])

function parsed(name: string, text: string): string | number | boolean {
  const { key, field } = settingNamed(name)
  const { type, choices, minimum = 0, maximum = 0 } = field
  if (choices) return choice('value', choices)(text)
  if (type === 'boolean') return choice('value', ['on', 'off'])(text) === 'on'
  if (type === 'integer') {
    return (isSize(key) ? size : integer)('value', minimum, maximum)(text)
  }
  return key === 'caFile' ? (text === 'none' || text === '' ? '' : resolvePath(text)) : text
}

function isSize(key: Key): boolean {
  return key === 'bodyLimit' || key === 'keepBytes'
}

async function outputOf(current: Settings): Promise<(name: string) => CliLine<'setting'>> {
  const { defaultSettings } = await import('#contract/models.ts')
  return (name) => {
    const { key } = settingNamed(name)
    return { name, value: current[key], default: defaultSettings[key] }
  }
}

function valueText(name: string, current: Settings): string {
  const { key } = settingNamed(name)
  const value = current[key]
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (key === 'caFile' && value === '') return 'none'
  return typeof value === 'number' && isSize(key) ? formatSize(value) : String(value)
}
