import { buffer } from 'node:stream/consumers'
import type { SecretView } from '#contract/models.ts'
import { UsageError } from './errors.ts'
import { io } from './io.ts'

export function secretText({ set, ending, unavailable, whiteSpaceAtEnds }: SecretView): string {
  if (unavailable) return 'set, but encrypted with another key. Set it again'
  if (!set) return 'not set'
  const space = whiteSpaceAtEnds === true ? ', starts or ends with whitespace' : ''
  return `set${ending === null ? '' : `, ends in ${ending}`}${space}`
}

/** Without the line break that `echo` adds. Throws `UsageError` if stdin is empty. */
export async function secretFromStdin(): Promise<string> {
  const secret = (await buffer(io.stdin)).toString('utf8').replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError('No secret was received on stdin.')
  return secret
}
