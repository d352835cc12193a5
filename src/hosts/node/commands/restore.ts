import { existsSync } from 'node:fs'
import { AppError } from '#engine/platform/errors.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { formatFileTime, plural } from '#shared/text/format.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { dataFolder, globals } from '../command-line/globals.ts'
import { withSession } from '../session/in-session.ts'
import { resolvePath } from '../command-line/io.ts'
import { confirms, print, printMessage } from '../output/output.ts'

export const command = defineCommand(
  'restore',
  'Restore a backup into a data folder that has no deliveries yet',
  [
    ['Restore on another computer', 'restore friday.backup'],
    ['Restore into a new folder', 'restore friday.backup --data ~/restored'],
  ],
)
  .argument('<file>', 'File written by tabscope backup')
  .option('--yes', 'Turn on forward targets, response rules, relays and the tunnel as they were')
  .action(
    action(async (file, { yes = false }) => {
      const folder = dataFolder()
      if (existsSync(storePath(folder))) {
        throw new AppError(
          'bad_input',
          `There is already data in ${folder}. Restore the backup into a new folder: --data DIR`,
        )
      }
      const { readBackup, restoreBackup } = await import('#engine/app/opening/restore.ts')
      const unasked = readBackup(resolvePath(file)).join(', ')
      const question = `Turn on as in the backup: ${unasked}?`
      const turnsOff = unasked !== '' && !yes && (globals.json || !(await confirms(question)))
      restoreBackup(resolvePath(file), folder, formatFileTime(new Date()), turnsOff)
      return withSession('change', async (session) => {
        const { stats } = await session.call('app.snapshot', {})
        const { deliveries } = stats
        print('restored', { dataDir: folder, deliveries, turnedOff: turnsOff }, () => {
          const count = plural(deliveries, 'delivery', 'deliveries')
          return `Restored ${count} and the configuration into ${folder}.`
        })
        if (turnsOff)
          printMessage(
            `Turned off: ${unasked}. To turn them on, restore it into another folder with --yes, or turn on each.`,
          )
        printMessage(
          'Secrets and tokens can be used with the key they were encrypted with: copy the file "key" of the original data folder, or enter them again.',
        )
      })
    }),
  )
