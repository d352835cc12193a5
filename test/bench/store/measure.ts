import { connectControl, type RemoteEngine } from '#hosts/control/client.ts'
import { readHolder } from '#engine/platform/store/data-folder.ts'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { quantile, root } from '../processes.ts'
import { memoryOf, questionsFor, type Question } from './queries.ts'
import { appVersion } from '../../support/app-version.ts'

const rounds = 3
const pageRows = 100

/** Milliseconds until the first screen of rows, or all rows. */
export interface Times {
  readonly name: string
  readonly goal: number | null
  /** Time of the first query, without caches. */
  readonly cold: number
  readonly p50: number
  readonly p95: number
  readonly max: number
  /** Time until the result is complete, 95th percentile. */
  readonly whole: number
  /** Only for results in steps: time until the first result, and the longest step. */
  readonly steps: { readonly first: number; readonly longest: number; readonly most: number } | null
}

export interface Measured {
  readonly startToRows: number
  readonly memory: { readonly now: number; readonly most: number } | null
  readonly times: readonly Times[]
}

/** Timeout of a query in milliseconds. Queries that take longer are not repeated. */
const timeoutMs = 60_000

interface Taken {
  readonly total: number
  readonly shown: number
  readonly first: number
  readonly longest: number
  readonly answers: number
}

async function untilComplete(
  ask: () => Promise<{ complete: boolean; rows?: readonly unknown[] }>,
): Promise<Taken> {
  const began = performance.now()
  let first = 0
  let longest = 0
  let shown: number | null = null
  for (let answers = 1; ; answers += 1) {
    const asked = performance.now()
    const { complete, rows } = await ask()
    const took = performance.now() - asked
    if (rows && rows.length >= pageRows) shown ??= performance.now() - began
    if (answers === 1) first = took
    longest = Math.max(longest, took)
    if (complete || performance.now() - began > timeoutMs) {
      const total = performance.now() - began
      return { total, shown: shown ?? total, first, longest, answers }
    }
  }
}

function pageOf(engine: RemoteEngine, filter: string, offset: number): Promise<Taken> {
  let pinned: { upTo: number | null; asOf: number | null } = { upTo: null, asOf: null }
  return untilComplete(async () => {
    const answer = await engine.call('deliveries.page', {
      filter,
      ...pinned,
      offset,
      limit: pageRows,
    })
    pinned = { upTo: answer.upTo, asOf: answer.asOf }
    return answer
  })
}

const complete = { complete: true }

async function* waysOf(
  engine: RemoteEngine,
  { ask }: Question,
  round: number,
): AsyncGenerator<Taken> {
  switch (ask.kind) {
    case 'filter':
      for (const filter of ask.filters) yield await pageOf(engine, filter, 0)
      break
    case 'jump': {
      const input = { filter: ask.filter, upTo: null, offset: 0, limit: 1 }
      const { total } = await engine.call('deliveries.page', input)
      for (let n = 1; n <= 12; n += 1)
        yield await pageOf(engine, ask.filter, Math.floor((((n * 7 + round) % 13) / 13) * total))
      break
    }
    case 'groups':
      for (const by of ask.by)
        yield await untilComplete(() => engine.call('deliveries.groups', { by }))
      break
    case 'conformance':
      yield await untilComplete(async () => {
        await engine.call('deliveries.conformance', { since: null, before: null })
        return complete
      })
      break
    case 'suggest':
      for (const input of ask.inputs) {
        yield await untilComplete(async () => {
          await engine.call('filters.suggest', input)
          return complete
        })
      }
      break
  }
}

async function attempts(engine: RemoteEngine, question: Question): Promise<Taken[]> {
  const began = performance.now()
  const taken: Taken[] = []
  // Full scans take long, with little variation.
  const times = question.goal === null ? 1 : rounds
  for (let round = 0; round < times; round += 1) {
    for await (const one of waysOf(engine, question, round)) {
      taken.push(one)
      if (performance.now() - began > timeoutMs) return taken
    }
  }
  return taken
}

function summed({ name, goal }: Question, taken: readonly Taken[]): Times {
  const shown = taken.map((one) => one.shown)
  const stepped = taken.some(({ answers }) => answers > 1)
  return {
    name,
    goal,
    cold: shown[0] ?? 0,
    p50: quantile(shown, 0.5),
    p95: quantile(shown, 0.95),
    max: Math.max(...shown),
    whole: quantile(
      taken.map(({ total }) => total),
      0.95,
    ),
    steps: stepped
      ? {
          first: Math.max(...taken.map(({ first }) => first)),
          longest: Math.max(...taken.map(({ longest }) => longest)),
          most: Math.max(...taken.map(({ answers }) => answers)),
        }
      : null,
  }
}

export async function measureStore(
  folder: string,
  count: number,
  rareWord: string,
  say: (line: string) => void,
): Promise<Measured> {
  const wanted = new RegExp(process.env['ASK'] ?? '')
  const questions = questionsFor(folder, count, rareWord).filter(({ name }) => wanted.test(name))
  const began = performance.now()
  const cli = path.join(root, 'out/main/cli.js')
  const args = ['serve', '--no-open', '--json', '--port', '0', '--data', folder]
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    const engine = await reach(folder, child.pid ?? 0)
    await engine.call('deliveries.page', { upTo: null, offset: 0, limit: pageRows })
    const startToRows = performance.now() - began
    const times: Times[] = []
    for (const question of questions) {
      const asked = performance.now()
      times.push(summed(question, await attempts(engine, question)))
      say(`  ${question.name}: asked for ${((performance.now() - asked) / 1000).toFixed(1)} s`)
    }
    const memory = memoryOf(child.pid ?? 0)
    await engine.close()
    return { startToRows, memory, times }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

async function reach(folder: string, pid: number): Promise<RemoteEngine> {
  for (let tries = 0; tries < 6000; tries += 1) {
    const holder = readHolder(folder)
    if (holder?.pid === pid && holder.control) {
      try {
        return await connectControl(holder.control, appVersion)
      } catch {
        // Not listening yet.
      }
    }
    await pause(5)
  }
  throw new Error('Tabscope did not start')
}
