import type { ProviderDependencies } from '../provider.ts'
import type { TunnelProgram } from './reader.ts'

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
