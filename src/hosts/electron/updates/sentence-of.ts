/** Libraries put more than a sentence into their errors: the stack, the headers of an answer. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
    return 'The disk is full. Free disk space, then try again.'
  }
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  const sentence = line.trim().slice(0, 300)
  return sentence === '' ? 'Could not reach the release server.' : sentence
}
