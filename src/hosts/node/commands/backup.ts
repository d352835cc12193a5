import { formatSize } from '#shared/text/format.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { withSession } from '../session/in-session.ts'
import { resolvePath } from '../command-line/io.ts'
import { print } from '../output/output.ts'

export const command = defineCommand(
  'backup',
  'Back up deliveries and configuration to one file, also while Tabscope is running',
  [
    ['Back up', 'backup friday.backup'],
    ['Of another data folder', 'backup friday.backup --data ~/tabscope-test'],
  ],
)
  .argument('<file>', 'File to write')
  .option('--force', 'Replace the file if it exists')
  .action(
    action((file, { force: overwrite = false }) =>
      withSession('change', async (session) => {
        const to = { path: resolvePath(file), overwrite }
        const { path, bytes } = await session.call('app.backUp', to)
        const saved = path ?? to.path
        print('backup', { path: saved, bytes }, () => `Saved ${formatSize(bytes)} to ${saved}.`)
      }),
    ),
  )
