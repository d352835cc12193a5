import path from 'node:path'
import { exits, group, leaf, type ExitCode } from '../command-line/command.ts'
import { dataFolder, globals } from '../command-line/globals.ts'
import { choice } from '../command-line/values.ts'
import { assistants } from '../mcp/assistants.ts'
import { confirmChange } from '../confirm.ts'
import { print, printMessage } from '../output.ts'

const serve = leaf('serve', 'Serve deliveries to a coding assistant (Model Context Protocol)', [
  ['Serve the default data folder over stdio', 'mcp'],
  ['Serve another data folder', 'mcp --data ./data'],
]).action(
  exits(async (): Promise<ExitCode> => {
    // Only this command loads the protocol.
    const { serve: run } = await import('../mcp/server.ts')
    await run(dataFolder())
    return 0
  }),
)

const install = leaf('install', "Add Tabscope to an assistant's configuration of this project", [
  ['Configure Claude Code in the project of the current folder', 'mcp install claude-code'],
  [
    'Change the configuration of the user instead',
    'mcp install cursor --config ~/.cursor/mcp.json',
  ],
])
  .argument('<assistant>', assistants.join(', '), choice('assistant', assistants))
  .option('--config <file>', 'Configuration file (default: that of the project)')
  .option('--yes', 'Change the file without asking')
  .action(
    exits(async (assistant, { config, yes }): Promise<ExitCode> => {
      const { planChange, serverCommand, writeChange } = await import('../mcp/install.ts')
      const data = globals.data === undefined ? [] : ['--data', path.resolve(globals.data)]
      const server = serverCommand(['mcp', ...data])
      const change = planChange(assistant, config ?? null, server)
      const changed = change.before !== change.after
      if (changed) {
        printMessage(`${change.entry}\n`)
        if (!(await confirmChange(`This entry will be written to ${change.file}.`, yes ?? false)))
          return 1
        await writeChange(change)
      }
      print({ event: 'assistant_configured', assistant, file: change.file, changed }, () =>
        changed
          ? `${change.file} configures Tabscope. Restart the assistant to use it.`
          : `${change.file} already configures Tabscope.`,
      )
      return 0
    }),
  )

export const command = group(
  'mcp',
  'Serve deliveries to a coding assistant, and configure assistants',
  [serve, install],
  serve,
)
