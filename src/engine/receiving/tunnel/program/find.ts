import type { ProviderDependencies } from '../provider.ts'
import type { TunnelProgram } from './reader.ts'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'

/** Tabscope's own environment without its variables, and without those that would change which tunnel is opened. */
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

/** Apps started from the macOS Dock have only the system folders on their path. */
const macSystem = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']
const macInstalled = ['/opt/homebrew/bin', '/usr/local/bin']

/** On Windows, names are case-insensitive (`Path`). */
function valueOf(env: Environment, name: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return env[name] ?? ''
  const key = Object.keys(env).find((key) => key.toUpperCase() === name)
  return (key === undefined ? undefined : env[key]) ?? ''
}

/** In the order of the path. Skips relative folders, so that no program in the current folder is run. On Windows only files that start without a shell. */
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

/** Null if the program is not on the path. Runs nothing. */
export async function findProgram(name: string, env: Environment): Promise<string | null> {
  for (const file of candidates(name, env)) {
    if (await isExecutable(file)) return file
  }
  return null
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

export async function detectProgram(
  program: TunnelProgram,
  { env }: ProviderDependencies,
): Promise<{ missing: string | null; program: string | null }> {
  const file = await findProgram(program.name, env)
  return { missing: file === null ? missing(program) : null, program: file }
}

export function missing({ name, from }: TunnelProgram): string {
  return `The program "${name}" was not found on the path. Install it from ${from}, then try again. Tabscope does not download it.`
}
