import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { RawBodyCheck } from '#catalogue/raw-body-check.ts'

const harness = (file: string): string => path.join(import.meta.dirname, 'harness', file)

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
  /** Setup that is required once before the start. */
  readonly build?: Command
  start(file: string, port: number): Command
  /** Cases that its server does not pass, or not always. */
  readonly fails?: readonly string[]
  /** Starts a generated project, if not by the command of its README. */
  startProject?(folder: string, port: number): Command
  /** Command that checks the syntax of the file, which may be available without the framework. */
  readonly syntax: ((file: string) => Command) | null
}

const flask = pythonWith('flask')
const django = pythonWith('django, waitress')
const fastapi = pythonWith('fastapi, uvicorn')
const python = pythonWith('ast')
const parsePython =
  python === null
    ? null
    : (file: string): Command => [
        python,
        '-c',
        'import ast, sys; ast.parse(open(sys.argv[1]).read())',
        file,
      ]

const node = (start: Runtime['start']): Runtime => ({ missing: null, start, syntax: null })

const runtimes: Readonly<Record<string, Runtime>> = {
  express: node((file) => [process.execPath, file]),
  fastify: node((file) => [process.execPath, file]),
  hono: node((file, port) => [process.execPath, harness('fetch-server.mjs'), file, `${port}`]),
  next: {
    ...node((file, port) => [process.execPath, harness('fetch-server.mjs'), file, `${port}`]),
    // Next.js is too large to be installed for it.
    startProject: (folder, port) => [
      process.execPath,
      harness('fetch-server.mjs'),
      path.join(folder, 'app/webhooks/route.ts'),
      `${port}`,
    ],
  },
  flask: {
    missing: flask === null ? 'no Python with Flask is here' : null,
    start: (file) => [flask ?? 'python3', file],
    syntax: parsePython,
  },
  django: {
    missing: django === null ? 'no Python with Django and Waitress is here' : null,
    start: (_file, port) => [django ?? 'python3', harness('django_server.py'), `${port}`],
    syntax: parsePython,
  },
  fastapi: {
    missing: fastapi === null ? 'no Python with FastAPI is here' : null,
    start: (file) => [fastapi ?? 'python3', file],
    syntax: parsePython,
  },
  rails: {
    missing: runs('ruby', '-e', 'require "action_controller/railtie"; require "puma"')
      ? null
      : 'no Ruby with Rails and Puma is here',
    // Puma limits bodies since version 6, by config/puma.rb.
    fails: ['T4 warn'],
    start: (_file, port) => ['ruby', harness('rails_server.rb'), `${port}`],
    startProject: (_folder, port) => ['puma', '-C', '-', '-b', `tcp://127.0.0.1:${port}`],
    syntax: runs('ruby', '-v') ? (file) => ['ruby', '-c', file] : null,
  },
  go: {
    missing: runs('go', 'version') ? null : 'no Go is here',
    build: ['go', 'build', '-o', 'handler', 'main.go'],
    start: () => ['./handler'],
    syntax: runs('gofmt', '-h') ? (file) => ['gofmt', '-e', file] : null,
  },
  php: {
    missing: runs('php', '-v') ? null : 'no PHP is here',
    // Its server closes connections whose head arrives in small pieces, and reads bodies of any size.
    fails: ['T2 fail', 'T4 warn'],
    start: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
    syntax: null,
  },
  aspnet: {
    missing: 'there is no ASP.NET project for it here',
    start: () => ['dotnet', 'run'],
    syntax: null,
  },
  spring: {
    missing: 'there is no Spring project for it here',
    start: () => ['mvn', 'spring-boot:run'],
    syntax: null,
  },
}

/** Runtime of each framework. A framework without an entry fails the test, because it would never be run. */
export function runtimeOf({ id }: Pick<RawBodyCheck, 'id'>): Runtime {
  const runtime = runtimes[id]
  if (!runtime) throw new Error(`There is no way to run the check for ${id}: add it here.`)
  return runtime
}
