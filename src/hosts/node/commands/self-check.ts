import type { Engine } from '#engine/app/engine.ts'
import type { SelfCheckLine } from '../../self-check/self-check.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { duration } from '../command-line/values.ts'
import { io, resolvePath } from '../command-line/io.ts'
import { colored, print } from '../output/output.ts'
import { version } from '../version.ts'

export const command = defineCommand(
  'self-check',
  'Check that Tabscope works on this computer, using a temporary data folder',
  [
    ['Run all checks', 'self-check'],
    ['Keep the result and the log for a bug report', 'self-check --report ./report'],
  ],
)
  .option('--report <dir>', 'Write self-check.jsonl and the log to this folder')
  .option(
    '--timeout <duration>',
    'Time limit of each check (default: 1m)',
    duration('--timeout', { from: 1000, to: 3_600_000 }),
  )
  .action(action(({ report, timeout }) => selfCheck(report, timeout)))

/** The checks of the desktop app's `--self-check` that do not need Electron. Resolves to the exit code. */
async function selfCheck(report: string | undefined, timeout: number | undefined) {
  const [{ SelfCheck }, { createSecretBox }, { openEngine }] = await Promise.all([
    import('../../self-check/self-check.ts'),
    import('../session/secrets.ts'),
    import('../session/host.ts'),
  ])
  const folder = report === undefined ? null : resolvePath(report)
  const run = new SelfCheck(printLine, folder, timeout)
  let engine: Engine | undefined
  await run.run({
    secrets: createSecretBox(run.dataDir, io.env),
    protection: async () => 'encrypted with a key in the data folder',
    openEngine: async () => (engine = await openEngine({ dataDir: run.dataDir, listenerPort: 0 })),
    checkHost: async () => run.report('window', 'skipped', 'Only checked in the desktop app.'),
    closeEngine: async () => engine?.close(),
  })
  return run.finish({ version: version(), packaged: false, node: process.versions.node }, io.env)
}

function printLine(line: SelfCheckLine): void {
  if (line.event === 'verdict') {
    const { passed, failed, skipped, durationMs } = line
    const text = `${passed} passed, ${failed} failed, ${skipped} skipped in ${durationMs} ms.`
    return print('verdict', line, () => text)
  }
  const style = ({ passed: 'green', failed: 'red', skipped: 'gray' } as const)[line.status]
  const time = line.status === 'skipped' ? '' : `${line.durationMs} ms`
  const status = colored(style, line.status.padEnd(7))
  const text = `${line.check.padEnd(13)}  ${status}  ${time.padStart(8)}  ${line.detail ?? ''}`
  print('check', line, () => text.trimEnd())
}
