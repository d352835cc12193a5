import { exits, leaf } from '../command-line/command.ts'
import { print } from '../output.ts'
import { version } from '../version.ts'

/** As in `#contract/cli-output.ts`, which is not loaded at runtime. */
const outputVersion = 1

export const command = leaf('version', 'Show the version', [
  ['Show the version', 'version'],
  ['Also show the version of the JSON output', 'version --json'],
]).action(
  exits(() => {
    print('version', { version: version(), outputVersion }, () => `tabscope ${version()}`)
  }),
)
