import type { SecretView } from '#contract/models.ts'

export function secretText({ set, ending, unavailable, whiteSpaceAtEnds }: SecretView): string {
  if (unavailable) return 'set, but encrypted with another key. Set it again'
  if (!set) return 'not set'
  const space = whiteSpaceAtEnds === true ? ', starts or ends with whitespace' : ''
  return `set${ending === null ? '' : `, ends in ${ending}`}${space}`
}
