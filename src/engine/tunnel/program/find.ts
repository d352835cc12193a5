import type { ProviderDependencies } from '../provider.ts'
import { type TunnelProgram, quoted } from './reader.ts'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import { startChild } from './child.ts'

/** What a program is started with: Tabscope's own environment, without what is Tabscope's, and without what would make another tunnel of it. */
export function environmentFor(
  { withoutVariables }: TunnelProgram,
  { env }: ProviderDependencies,
): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || /^TABSCOPE_/i.test(name) || withoutVariables.includes(name)) continue
    passed[name] = value
  }
  return passed
}

type Environment = Readonly<Record<string, string | undefined>>

/** What is started from the Dock of a Mac has the system's own folders on its path, and not those to which programs are installed. */
const macSystem = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']
const macInstalled = ['/opt/homebrew/bin', '/usr/local/bin']

/** The variable's name is `Path` on Windows, and case does not matter there. */
function valueOf(env: Environment, name: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return env[name] ?? ''
  const key = Object.keys(env).find((key) => key.toUpperCase() === name)
  return (key === undefined ? undefined : env[key]) ?? ''
}

/**
 * The files that a program may be, in the order of the path. Relative places are left out: what lies in the folder from which Tabscope was
 * started is not run. On Windows only what can be started without a shell.
 */
export function candidates(
  name: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const paths = platform === 'win32' ? path.win32 : path.posix
  const folders = valueOf(env, 'PATH', platform)
    .split(paths.delimiter)
    .map((folder) => (platform === 'win32' ? folder.replaceAll('"', '') : folder))
    .filter((folder) => paths.isAbsolute(folder))
  const fromDock =
    platform === 'darwin' &&
    folders.length > 0 &&
    folders.every((folder) => macSystem.includes(folder))
  if (fromDock) folders.push(...macInstalled)
  const endings =
    platform === 'win32'
      ? (valueOf(env, 'PATHEXT', platform) || '.COM;.EXE')
          .split(';')
          .filter((ending) => /^\.(com|exe)$/i.test(ending))
      : ['']
  const files = folders.flatMap((folder) =>
    endings.map((ending) => paths.join(folder, name + ending)),
  )
  return [...new Set(files)]
}

/** The program as the path has it; null: there is none. Nothing is run. */
export async function findProgram(name: string, env: Environment): Promise<string | null> {
  for (const file of candidates(name, env)) {
    if (await runnable(file)) return file
  }
  return null
}

async function runnable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

/**
 * Where the program is, and its version as it says it itself; else what is to be done. One that does not say it within `versionMs` is shown
 * without.
 */
export async function lookForProgram(
  program: TunnelProgram,
  world: ProviderDependencies,
  versionMs = 3000,
): Promise<{ missing: string | null; program: string | null }> {
  const file = await findProgram(program.name, world.env)
  if (file === null) return { missing: missing(program), program: null }
  const version = await versionOf(file, environmentFor(program, world), versionMs)
  return { missing: null, program: version === null ? file : `${file} (${version})` }
}

/** Why it cannot be used. */
export function missing({ name, from }: TunnelProgram): string {
  return `There is no program "${name}" on the path. Install it from ${from}, then try again. Tabscope downloads nothing by itself.`
}

async function versionOf(
  file: string,
  env: Record<string, string>,
  versionMs: number,
): Promise<string | null> {
  let first: string | null = null
  const child = startChild(file, ['--version'], env, (line) => (first ??= line))
  const enough = setTimeout(() => void child.end(), versionMs)
  const { code } = await child.gone
  clearTimeout(enough)
  return code === 0 && first !== null ? quoted(first, env) : null
}
