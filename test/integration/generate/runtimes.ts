import { spawnSync } from 'node:child_process'
import path from 'node:path'

export function runs(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

export function pythonWith(module: string): string | null {
  const found = ['python3', 'python', '/usr/bin/python3'].find((command) =>
    runs(command, '-c', `import ${module}`),
  )
  return found ?? null
}

export type Command = readonly [command: string, ...args: string[]]

export interface Runtime {
  /** Why it cannot be run; null: it can. */
  readonly missing: string | null
  /** In place of the one in the commands of the README. */
  readonly interpreter?: string
  /** Cases that its server does not pass, or not always. */
  readonly fails?: readonly string[]
  /** Starts a project, if not by the command of its README. */
  readonly start?: (folder: string, port: number) => Command
}

function python(modules: string, names: string): Runtime {
  const interpreter = pythonWith(modules)
  return interpreter === null
    ? { missing: `no Python with ${names} is here` }
    : { missing: null, interpreter }
}

const runtimes: Readonly<Record<string, Runtime>> = {
  express: { missing: null, interpreter: process.execPath },
  fastify: { missing: null, interpreter: process.execPath },
  hono: { missing: null, interpreter: process.execPath },
  next: {
    missing: null,
    // Next.js is too large to be installed for it.
    start: (folder, port) => [
      process.execPath,
      path.join(import.meta.dirname, 'harness/route-server.mjs'),
      path.join(folder, 'app/webhooks/route.ts'),
      `${port}`,
    ],
  },
  flask: python('flask', 'Flask'),
  django: python('django, waitress', 'Django and Waitress'),
  fastapi: python('fastapi, uvicorn', 'FastAPI'),
  rails: {
    missing: runs('ruby', '-e', 'require "action_controller/railtie"; require "puma"')
      ? null
      : 'no Ruby with Rails and Puma is here',
    // Puma limits bodies since version 6, by config/puma.rb.
    fails: ['T4 warn'],
    start: (_folder, port) => ['puma', '-C', '-', '-b', `tcp://127.0.0.1:${port}`],
  },
  go: { missing: runs('go', 'version') ? null : 'no Go is here' },
  php: {
    missing: runs('php', '-v') ? null : 'no PHP is here',
    // Its server closes connections whose head arrives in small pieces, and reads bodies of any size.
    fails: ['T2 fail', 'T4 warn'],
  },
  aspnet: { missing: 'there is no ASP.NET project for it here' },
  spring: { missing: 'there is no Spring project for it here' },
}

/** Runtime of each framework. A framework without an entry fails the test, because it would never be run. */
export function runtimeOf(id: string): Runtime {
  const runtime = runtimes[id]
  if (!runtime) throw new Error(`There is no way to run the handler for ${id}: add it here.`)
  return runtime
}
