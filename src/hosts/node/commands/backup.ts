import { formatSize } from '#shared/text/format.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { withSession } from '../in-session.ts'
import { resolvePath } from '../io.ts'
import { print } from '../output.ts'

export const command = defineCommand(
  'backup',
  'Back up deliveries and configuration to one file, also while Tabscope is running',
  [
    ['Back up', 'backup friday.backup'],
    ['Of another data folder', 'backup friday.backup --data ~/tabscope-test'],
  ],
)
  .argument('<file>', 'New file')
  .action(
    action((file) =>
      withSession('change', async (session) => {
        const { path, bytes } = await session.call('app.backUp', { path: resolvePath(file) })
        const saved = path ?? resolvePath(file)
        print('backup', { path: saved, bytes }, () => `Saved ${formatSize(bytes)} to ${saved}.`)
      }),
    ),
  )
