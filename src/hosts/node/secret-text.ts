import type { SecretView } from '#contract/models.ts'

/** What `--json` prints of a secret: never the secret. */
export function secretOutput({
  set,
  ending,
  unavailable,
  whiteSpaceAtEnds,
}: SecretView): SecretView {
  return {
    set,
    ending,
    unavailable,
    ...(whiteSpaceAtEnds === undefined ? {} : { whiteSpaceAtEnds }),
  }
}

/** The same for people. */
export function secretText({ set, ending, unavailable, whiteSpaceAtEnds }: SecretView): string {
  if (unavailable) return 'set, but encrypted with another key: set it again'
  if (!set) return 'not set'
  const space = whiteSpaceAtEnds === true ? ', begins or ends with white space' : ''
  return `set${ending === null ? '' : `, ends in ${ending}`}${space}`
}
