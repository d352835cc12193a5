import { AppError } from '#engine/platform/errors.ts'
import { targetAddress } from '#shared/text/address.ts'
import { writeFileAt } from '#engine/platform/save-file.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { declare } from '../command-line/declaration.ts'
import { dataFolder, globals } from '../command-line/globals.ts'
import { choice } from '../command-line/values.ts'
import { assistants, fileOf } from '../mcp/assistants.ts'
import { confirmChange, confirming } from '../command-line/confirm.ts'
import { settingsOf, withSession } from '../session/in-session.ts'
import { print, printMessage } from '../output/output.ts'
import { endpointOf } from '../command-line/send-options.ts'
import { printList } from '../output/table.ts'
import { io, resolvePath } from '../command-line/io.ts'

const serve = defineCommand(
  'serve',
  'Serve deliveries to a coding assistant (Model Context Protocol)',
  [
    ['Serve the default data folder over stdio', 'mcp'],
    ['Serve another data folder', 'mcp --data ./data'],
    ['Let the assistant ask to send to approved targets', 'mcp --allow-send'],
  ],
)
  .option('--allow-send', 'Add the tools send and rehearse; you confirm each request in Tabscope')
  .action(
    action(async ({ allowSend }) => {
      // Only this command loads the protocol.
      const { serve: run } = await import('../mcp/server.ts')
      await run(dataFolder(), allowSend ?? false)
    }),
  )

const install = defineCommand(
  'install',
  "Add Tabscope to an assistant's configuration of this project",
  [
    ['Configure Claude Code in the project of the current folder', 'mcp install claude-code'],
    [
      'Change the configuration of the user instead',
      'mcp install cursor --config ~/.cursor/mcp.json',
    ],
  ],
)
  .argument('<assistant>', assistants.join(', '), choice('assistant', assistants))
  .option('--config <file>', 'Configuration file (default: that of the project)')
  .option('--allow-send', 'Configure it with --allow-send')
  .option('-y, --yes', 'Change the file without asking')
  .action(
    action(async (assistant, { config, allowSend, yes }) => {
      const { planChange, readText, serverCommand } = await import('../mcp/install.ts')
      // The assistant has another environment.
      const folder = globals.data ?? io.env['TABSCOPE_DATA']
      const data = folder ? ['--data', resolvePath(folder)] : []
      const server = serverCommand(['mcp', ...(allowSend ? ['--allow-send'] : []), ...data])
      const change = planChange(assistant, config ?? null, server)
      const changed = change.before !== change.after
      if (changed) {
        printMessage(`${change.entry}\n`)
        if (!(await confirmChange(`This entry will be written to ${change.file}.`, yes ?? false)))
          return 1
        if (readText(change.file) !== change.before) {
          const message = `${change.file} was changed by another program meanwhile. Run the command again.`
          throw new AppError('bad_input', message)
        }
        writeFileAt(change.file, change.after, false)
      }
      print('assistant_configured', { assistant, file: change.file, changed }, () =>
        changed
          ? `${change.file} configures Tabscope. Restart the assistant to use it.`
          : `${change.file} already configures Tabscope.`,
      )
      const { next } = fileOf(assistant)
      if (next !== undefined) printMessage(next)
      return 0
    }),
  )

const add = defineCommand('add', 'Add a target that assistants may ask to send to', [
  ['Add a handler on this machine', 'mcp target add handler http://127.0.0.1:3000/webhooks'],
  [
    'Sign with the secret of an endpoint',
    'mcp target add handler http://127.0.0.1:3000 --endpoint bar',
  ],
])
  .argument('<name>', 'Name that assistants use')
  .argument('<url>', 'URL of the handler')
  .option('--endpoint <path>', 'Endpoint whose secret signs (default: the first)')
  .option('--allow-target', 'Allow a target outside the local network')
  .action(
    action((name, typed, { endpoint, allowTarget }) =>
      withSession('create', async (session) => {
        const url = targetAddress(typed)
        const { settings, endpoints } = await session.call('app.snapshot', {})
        await confirming(
          session,
          { allowed: allowTarget ?? false, asks: !globals.json },
          async () => {
            const { location, confirmed, origin } = await session.call('targets.resolve', { url })
            if (location !== 'public' || confirmed) return
            const message = `${origin} is outside the local network.`
            throw new AppError('target_unconfirmed', message, { details: { origin } })
          },
        )
        const { id: endpointId } = endpointOf(endpoints, endpoint)
        const assistantTargets = [...settings.assistantTargets, { name, url, endpointId }]
        await session.call('settings.update', { assistantTargets })
        print('assistant_target', { name, url, endpointId }, () => `Added target ${name}: ${url}`)
      }),
    ),
  )

const list = declare('list', {
  does: 'List the targets that assistants may ask to send to',
  examples: [['List all targets', 'mcp target list']],
  access: 'read',
  run: settingsOf,
  print: ({ assistantTargets }) =>
    printList(
      'assistant_target',
      assistantTargets,
      { Name: ({ name }) => name, URL: ({ url }) => url },
      'No targets. To add one: tabscope mcp target add NAME URL',
    ),
})

const remove = defineCommand('remove', 'Remove a target', [
  ['Remove a target', 'mcp target remove handler'],
  ['Remove it with the short form', 'mcp target rm handler'],
])
  .argument('<name>', 'Name of the target')
  .action(
    action((name) =>
      withSession('change', async (session) => {
        const { settings } = await session.call('app.snapshot', {})
        const left = settings.assistantTargets.filter((target) => target.name !== name)
        if (left.length === settings.assistantTargets.length) {
          throw new AppError('not_found', `Target "${name}" does not exist.`)
        }
        await session.call('settings.update', { assistantTargets: left })
        print('assistant_target_removed', { name }, () => `Removed target ${name}.`)
      }),
    ),
  )

const target = group('target', 'Targets that assistants may ask to send to', [add, list, remove])

export const command = group(
  'mcp',
  'Serve deliveries to a coding assistant, and configure assistants',
  [serve, install, target],
  serve,
)
