// Measures the resident memory of what runs all day, after a minute of rest: `listen`, and the server of the interface with one page open and
// 1,000 deliveries, beside an empty Node. `npm run bench -- memory ../other` compares with another checkout, which must be built.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { launchBrowser } from '../support/browser.ts'
import { load, mib, print, resident, root, secret, startTabscope } from './processes.ts'

/** Threads end after a minute without work. */
const restMs = 75_000
const deliveries = 1000

const started: ChildProcess[] = []

function start(args: readonly string[], output: 'stdout' | 'stderr'): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return new Promise((resolve, reject) => {
    createInterface({ input: child[output] }).once('line', () => resolve(child))
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}.`)))
  })
}

const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-memory-'))
const browser = await launchBrowser()

async function listen(checkout: string, name: string): Promise<number> {
  const data = path.join(folder, name)
  const args = [path.join(checkout, 'out/main/cli.js'), 'listen', '--data', data, '--port', '0']
  return (await start(args, 'stderr')).pid ?? 0
}

async function serve(checkout: string, opened: AsyncDisposableStack): Promise<number> {
  const { port, pid, ui } = opened.use(await startTabscope(checkout))
  const page = await browser.newPage()
  await page.goto(ui)
  const sent = { path: '/hooks/sandbox', secret, connections: 4, seconds: 60, rate: 500 } as const
  await load({ ...sent, port, count: deliveries })
  await page.getByTestId('delivery-row').first().waitFor()
  return pid
}

try {
  await using opened = new AsyncDisposableStack()
  const other = process.argv[2]
  const checkouts = [root, ...(other === undefined ? [] : [path.resolve(other)])]
  const empty = await start(['-e', 'console.log(1); setInterval(() => {}, 1e9)'], 'stdout')
  const sides: { listen: number; serve: number }[] = []
  for (const [at, checkout] of checkouts.entries()) {
    const listening = await listen(checkout, `listen-${at}`)
    sides.push({ listen: listening, serve: await serve(checkout, opened) })
  }
  await pause(restMs)
  print(`memory: after ${restMs / 1000} s of rest`)
  print(`  empty Node      ${mib(resident(empty.pid ?? 0))}`)
  for (const kind of ['listen', 'serve'] as const) {
    const [ours = null, theirs = null] = sides.map((side) => resident(side[kind]))
    const label = kind === 'listen' ? 'listen' : `interface, ${deliveries} deliveries, a page`
    const compared = `, ${mib(theirs)} there: ${((ours ?? 0) / (theirs ?? 0)).toFixed(2)}`
    print(`  ${label.padEnd(15)} ${mib(ours)}${theirs === null ? '' : compared}`)
  }
} finally {
  await browser.close()
  const ended = started.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of started) child.kill('SIGTERM')
  await Promise.all(ended)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
