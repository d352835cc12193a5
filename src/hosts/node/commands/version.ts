import { action, defineCommand } from '../command-line/command.ts'
import { print } from '../output/output.ts'
import { version } from '../version.ts'

/** As in `#contract/cli-output.ts`, which is not loaded at runtime. */
const outputVersion = 1

export const command = defineCommand('version', 'Show the version', [
  ['Show the version', 'version'],
]).action(
  action(() => {
    print('version', { version: version(), outputVersion }, () => `tabscope ${version()}`)
  }),
)
