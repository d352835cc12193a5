import type { ProviderDependencies } from '../provider.ts'
import { startChild } from './child.ts'
import { environmentFor } from './environment.ts'
import { findProgram } from './find.ts'
import { quoted } from './quoted.ts'
import type { TunnelProgram } from './reader.ts'

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
