import { buffer } from 'node:stream/consumers'
import type { SecretView } from '#contract/models.ts'
import { secretFrom } from './command-line/values.ts'
import { UsageError } from './errors.ts'
import { io } from './io.ts'

export function secretText({ set, ending, unavailable, whiteSpaceAtEnds }: SecretView): string {
  if (unavailable) return 'set, but encrypted with another key. Set it again'
  if (!set) return 'not set'
  const space = whiteSpaceAtEnds === true ? ', starts or ends with whitespace' : ''
  return `set${ending === null ? '' : `, ends in ${ending}`}${space}`
}

/** Undefined if the options give none. Throws `UsageError`, also if stdin is empty. */
export async function secretOf({
  secret,
  secretEnv,
  secretStdin,
}: {
  readonly secret?: string | undefined
  readonly secretEnv?: string | undefined
  readonly secretStdin?: true | undefined
}): Promise<string | undefined> {
  if (!secretStdin) return secretFrom('secret', secret, secretEnv)
  if (secret !== undefined || secretEnv !== undefined) {
    throw new UsageError('Use one of --secret, --secret-env and --secret-stdin.')
  }
  // Without the line break that `echo` adds.
  const given = (await buffer(io.stdin)).toString('utf8').replace(/\r?\n$/, '')
  if (given === '') throw new UsageError('No secret was received on stdin.')
  return given
}
