import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { release, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Run } from '#contract/authorization.ts'
import type { Engine } from '#engine/engine.ts'
import { logFileIn } from '../../log-place.ts'
import {
  checkAuthorization,
  checkDelivery,
  checkListener,
  checkSecrets,
  checkThreads,
} from '../../self-check/engine-checks.ts'
import { createRunner, writeStdout } from '../../self-check/runner.ts'
import { openEngine } from '../host.ts'
import { openInterfaceServer } from '../interface-server.ts'
import { createSecretBox } from '../secrets.ts'
import { parse, wholeNumber } from '../options.ts'
import { version } from '../version.ts'

/**
 * `self-check`: what `--self-check` of the desktop app checks, without Electron: a temporary data folder, a JSON line for each check and a
 * verdict. `--report DIR` also writes `self-check.jsonl` there, and `tabscope.log` where anything was logged; `--timeout S` is how long a check may take. 0 when no check failed, else 1.
 */
export async function selfCheck(args: string[]): Promise<number> {
  const { values } = parse(args, { report: { type: 'string' }, timeout: { type: 'string' } })
  const timeout = wholeNumber('timeout', values.timeout, 1, 3600)
  const report = values.report === undefined ? null : path.resolve(values.report)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tabscope-self-check-'))
  if (report !== null) {
    mkdirSync(report, { recursive: true })
    rmSync(path.join(report, 'self-check.jsonl'), { force: true })
  }
  const runner = createRunner(
    (line) => {
      writeStdout(line)
      if (report !== null) appendFileSync(path.join(report, 'self-check.jsonl'), `${line}\n`)
    },
    timeout === undefined ? undefined : timeout * 1000,
  )
  try {
    await checkSecrets(
      runner,
      createSecretBox(dataDir),
      () => 'sealed with a key in the data folder',
    )
    let engine: Engine | undefined
    await runner.check('engine', async () => {
      engine = await openEngine({ dataDir, listenerPort: 0 })
      return `version ${version()}`
    })
    if (engine !== undefined) await checkWith(engine)
    for (const name of ['window', 'menu', 'tray', 'links']) {
      runner.skip(name, 'Checked where Electron runs.')
    }
    return runner.finish({
      version: version(),
      packaged: false,
      node: process.versions.node,
      system: `${process.platform} ${release()} ${process.arch}`,
    })
  } finally {
    const log = logFileIn(dataDir)
    if (report !== null && existsSync(log)) copyFileSync(log, path.join(report, 'tabscope.log'))
    rmSync(dataDir, { recursive: true, force: true })
  }

  async function checkWith(engine: Engine): Promise<void> {
    await checkListener(runner, engine)
    await runner.check('interface', () => checkInterface(engine))
    const deliveryId = await checkDelivery(runner, engine)
    await checkThreads(runner, engine, deliveryId, dataDir)
    await checkAuthorization(runner, engine, 'none', approve)
    await runner.check('close', async () => {
      await engine.close()
      return null
    })
  }
}

/** The page is served, with the scripts and styles that it names. */
async function checkInterface(engine: Engine): Promise<string> {
  const folder = fileURLToPath(new URL('../renderer', import.meta.url))
  const server = await openInterfaceServer(engine, folder, 0)
  try {
    const { origin } = new URL(server.address)
    const page = await read(new URL('/', origin))
    const assets = Array.from(
      page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g),
      ([, url]) => url,
    )
    if (assets.length === 0) throw new Error('The page names no scripts.')
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

/** Approves as a user would in a browser: submits the form of the sandbox's page, and follows the redirect. */
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
  const answer = await fetch(action, { method: 'POST', body, headers, signal })
  if (!answer.ok) throw new Error(`The redirect URL returned ${answer.status}.`)
}
