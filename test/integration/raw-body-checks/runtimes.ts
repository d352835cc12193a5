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

const goCommand: string = 'go'

/** Patterns with a method need Go 1.22. */
function hasGo(): boolean {
  const { stdout } = spawnSync(goCommand, ['version'], { encoding: 'utf8' })
  return Number(/go1\.(\d+)/.exec(stdout ?? '')?.[1] ?? 0) >= 22
}

type Command = readonly [command: string, ...args: string[]]

export interface Runtime {
  /** Why it cannot be run; null: it can. */
  readonly missing: string | null
  /** Setup that is required once before the start. */
  readonly build?: Command
  start(file: string, port: number): Command
  /** Command that checks the syntax of the file, which may be available without the framework. */
  readonly syntax: ((file: string) => Command) | null
}

const flask = pythonWith('flask')
const django = pythonWith('django')
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
  next: node((file, port) => [process.execPath, harness('fetch-server.mjs'), file, `${port}`]),
  flask: {
    missing: flask === null ? 'no Python with Flask is here' : null,
    start: (file) => [flask ?? 'python3', file],
    syntax: parsePython,
  },
  django: {
    missing: django === null ? 'no Python with Django is here' : null,
    start: (_file, port) => [django ?? 'python3', harness('django_server.py'), `${port}`],
    syntax: parsePython,
  },
  rails: {
    missing: runs('ruby', '-e', 'require "action_controller/railtie"')
      ? null
      : 'no Ruby with Rails is here',
    start: (_file, port) => ['ruby', harness('rails_server.rb'), `${port}`],
    syntax: runs('ruby', '-v') ? (file) => ['ruby', '-c', file] : null,
  },
  go: {
    missing: hasGo() ? null : 'no Go 1.22 or later is here',
    build: ['go', 'build', '-o', 'handler', 'main.go'],
    start: () => ['./handler'],
    syntax: runs('gofmt', '-h') ? (file) => ['gofmt', '-e', file] : null,
  },
  php: {
    missing: runs('php', '-v') ? null : 'no PHP is here',
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
export function runtimeOf({ id }: RawBodyCheck): Runtime {
  const runtime = runtimes[id]
  if (!runtime) throw new Error(`There is no way to run the check for ${id}: add it here.`)
  return runtime
}
