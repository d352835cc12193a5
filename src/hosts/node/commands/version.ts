import { exits, leaf } from '../command-line/command.ts'
import { print } from '../output.ts'
import { version } from '../version.ts'

/** As in `#contract/cli-output`, which is loaded by nothing that runs. */
const outputVersion = 1

export const command = leaf('version', 'Show the version', [
  ['Show the version', 'version'],
  ['The version of the JSON output as well', 'version --json'],
]).action(
  exits(() => {
    print({ event: 'version', version: version(), outputVersion }, () => `tabscope ${version()}`)
    return 0
  }),
)
