import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { full } from '#test/support/full.ts'
import { installedPackages } from './packages.ts'

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
  /** By a server that is not in the project. */
  readonly served?: true
  /** The `node_modules` of a project in Node.js, if not that of this repository. */
  readonly modules?: string
  /** Runs before its types are checked. */
  readonly prepare?: (folder: string) => Command
  /** Starts a project, if not by the command of its README. */
  readonly start?: (folder: string, port: number) => Command
}

function python(modules: string, names: string): Runtime {
  const interpreter = pythonWith(modules)
  return interpreter === null
    ? { missing: `no Python with ${names} is here` }
    : { missing: null, interpreter }
}

const node: Runtime = { missing: null, interpreter: process.execPath }

/** Serves a file of a project by a server in `harness/`. */
const servedBy = (harness: string, file: string): Pick<Runtime, 'served' | 'start'> => ({
  served: true,
  start: (folder, port) => [
    process.execPath,
    path.join(import.meta.dirname, 'harness', harness),
    path.join(folder, file),
    `${port}`,
  ],
})

const hasGo = runs('go', 'version')
const gin = 'github.com/gin-gonic/gin@v1.10.1'

const runtimes: Readonly<Record<string, Runtime>> = {
  express: node,
  fastify: node,
  hono: node,
  // Next.js is too large to be installed for it.
  next: { missing: null, ...servedBy('route-server.mjs', 'app/webhooks/route.ts') },
  flask: python('flask', 'Flask'),
  django: python('django, waitress', 'Django and Waitress'),
  fastapi: python('fastapi, uvicorn', 'FastAPI'),
  aiohttp: python('aiohttp', 'aiohttp'),
  rails: {
    missing: runs('ruby', '-e', 'require "action_controller/railtie"; require "puma"')
      ? null
      : 'no Ruby with Rails and Puma is here',
    // Puma limits bodies since version 6, by config/puma.rb.
    fails: ['T4 warn'],
    start: (_folder, port) => ['puma', '-C', '-', '-b', `tcp://127.0.0.1:${port}`],
  },
  go: { missing: hasGo ? null : 'no Go is here' },
  gin: {
    missing: hasGo && runs('go', 'mod', 'download', gin) ? null : 'no Go with Gin is here',
  },
  php: {
    missing: runs('php', '-v') ? null : 'no PHP is here',
    // Its server closes connections whose head arrives in small pieces, and reads bodies of any size. On a busy machine, pieces arrive together.
    fails: ['T2 fail', 'T2 flaky', 'T4 warn'],
  },
  aspnet: { missing: 'there is no ASP.NET project for it here' },
  spring: { missing: 'there is no Spring project for it here' },
}

/** In Node.js with packages that this repository does not have. */
const packaged: Readonly<Record<string, Partial<Runtime>>> = {
  koa: { interpreter: process.execPath },
  nestjs: { start: (folder) => [process.execPath, path.join(folder, 'dist/main.js')] },
  // Nitro is too large: this is h3, which calls its routes.
  nitro: servedBy('h3-server.mjs', 'server/routes/webhooks.post.ts'),
  sveltekit: {
    prepare: (folder) => [
      process.execPath,
      path.join(folder, 'node_modules/vite/bin/vite.js'),
      'build',
    ],
    start: (folder) => [process.execPath, path.join(folder, 'server.js')],
  },
  workers: servedBy('route-server.mjs', 'src/index.ts'),
  lambda: { interpreter: process.execPath },
  // Bun is too large.
  elysia: servedBy('route-server.mjs', 'app.ts'),
}

function withPackages(runtime: Partial<Runtime> | undefined): Runtime | undefined {
  // Only `test:full` runs it.
  const modules = runtime && full ? installedPackages() : ''
  if (modules === null) return { missing: 'its packages could not be installed' }
  return runtime && { missing: null, modules, ...runtime }
}

/** Runtime of each framework. A framework without an entry fails the test, because it would never be run. */
export function runtimeOf(id: string): Runtime {
  const runtime = runtimes[id] ?? withPackages(packaged[id])
  if (!runtime) throw new Error(`There is no way to run the handler for ${id}: add it here.`)
  return runtime
}
