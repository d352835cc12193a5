import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { release, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Run } from '#contract/authorization.ts'
import type { Engine } from '#engine/app/engine.ts'
import { logFileIn } from '../../data-dir.ts'
import type { CheckLine, SelfCheckRunner, VerdictLine } from '../../self-check/runner.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { duration } from '../command-line/values.ts'
import { colored, writeLine } from '../output.ts'
import { builtFile, version } from '../version.ts'
import { io, resolvePath } from '../io.ts'

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

/** Those checks of the desktop app's `--self-check` that do not need Electron. Resolves to 0 if none failed, else 1. */
async function selfCheck(reportDir: string | undefined, timeout: number | undefined) {
  const [{ createRunner, writeStdout }, checks, { createSecretBox }, { openEngine }] =
    await Promise.all([
      import('../../self-check/runner.ts'),
      import('../../self-check/engine-checks.ts'),
      import('../secrets.ts'),
      import('../host.ts'),
    ])
  const report = reportDir === undefined ? null : resolvePath(reportDir)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tabscope-self-check-'))
  if (report !== null) {
    mkdirSync(report, { recursive: true })
    rmSync(path.join(report, 'self-check.jsonl'), { force: true })
  }
  const runner = createRunner((text, line) => {
    if (globals.json) writeStdout(text)
    else writeLine(lineText(line))
    if (report !== null) appendFileSync(path.join(report, 'self-check.jsonl'), `${text}\n`)
  }, timeout)
  try {
    await checks.checkSecrets(
      runner,
      createSecretBox(dataDir, io.env),
      () => 'encrypted with a key in the data folder',
    )
    let engine: Engine | undefined
    await runner.check('engine', async () => {
      engine = await openEngine({ dataDir, listenerPort: 0 })
      return `version ${version()}`
    })
    if (engine !== undefined) await checkWith(runner, engine)
    for (const name of ['window', 'menu', 'tray', 'links']) {
      runner.skip(name, 'Only checked in the desktop app.')
    }
    return runner.finish({
      version: version(),
      packaged: false,
      node: process.versions.node,
      system: `${process.platform} ${release()} ${process.arch}`,
    })
  } finally {
    const log = logFileIn(dataDir, process.platform, io.env)
    if (report !== null && existsSync(log)) copyFileSync(log, path.join(report, 'tabscope.log'))
    rmSync(dataDir, { recursive: true, force: true })
  }

  async function checkWith(to: SelfCheckRunner, engine: Engine): Promise<void> {
    await checks.checkListener(to, engine)
    await checks.checkCertificates(to)
    await to.check('interface', () => checkInterface(engine))
    const deliveryId = await checks.checkDelivery(to, engine)
    await checks.checkThreads(to, engine, deliveryId, dataDir)
    await checks.checkTls(to, engine, deliveryId)
    await checks.checkAuthorization(to, engine, 'none', approve)
    await checks.checkCrashReports(to)
    await to.check('close', async () => {
      await engine.close()
      return null
    })
  }
}

function lineText(line: CheckLine | VerdictLine): string {
  if (line.event === 'verdict') {
    const { passed, failed, skipped, durationMs } = line
    return `${passed} passed, ${failed} failed, ${skipped} skipped in ${durationMs} ms.`
  }
  const style = ({ passed: 'green', failed: 'red', skipped: 'gray' } as const)[line.status]
  const time = line.status === 'skipped' ? '' : `${line.durationMs} ms`
  return `${line.check.padEnd(14)}  ${colored(style, line.status.padEnd(7))}  ${time.padStart(8)}  ${line.detail ?? ''}`.trimEnd()
}

/** The page is served with all of its scripts and styles. */
async function checkInterface(engine: Engine): Promise<string> {
  const { openInterfaceServer } = await import('../interface-server.ts')
  const folder = fileURLToPath(builtFile('renderer'))
  const server = await openInterfaceServer(engine, folder, 0)
  try {
    const { origin } = new URL(server.address)
    const page = await read(new URL('/', origin))
    const assets = Array.from(
      page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g),
      ([, url]) => url,
    )
    if (assets.length === 0) throw new Error('The page contains no scripts.')
    for (const url of assets) await read(new URL(url ?? '', origin))
    return `${assets.length} scripts and styles`
  } finally {
    await server.close()
  }
}

async function read(url: URL): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url.pathname} returned ${response.status}.`)
  return response.text()
}

/** As a user would in a browser: submits the form of the sandbox's page, and follows the redirect. */
async function approve({ authorizeUrl }: Run, signal: AbortSignal): Promise<void> {
  const url = new URL(authorizeUrl ?? '')
  const page = await (await fetch(url, { signal })).text()
  const value = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? ''
  const body = new URLSearchParams({
    ticket: value('ticket'),
    user: value('user'),
    decision: 'approve',
  })
  const action = new URL(/<form method="post" action="([^"]+)"/.exec(page)?.[1] ?? '', url)
  const headers = { origin: url.origin }
  const response = await fetch(action, { method: 'POST', body, headers, signal })
  if (!response.ok) throw new Error(`The redirect URL returned ${response.status}.`)
}
