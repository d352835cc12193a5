import type { RunFailureCode } from '#contract/authorization.ts'
import { judgeReturn, type ExpectedReturn } from '../redirect.ts'
import { readReturn } from '../returned.ts'
import type { LoopbackPage } from './loopback-page.ts'

const goBack = 'You can close this page and go back to Tabscope.'

/**
 * What a visit to the listener does and shows: the first way back is taken, what is refused for good ends the run, and anything else is told that
 * nothing is here.
 */
export function visited(
  address: string,
  expected: ExpectedReturn,
  flow: {
    /** False when something was taken before. */
    take(): boolean
    refuse(code: RunFailureCode, message: string): void
  },
): LoopbackPage {
  const judged = judgeReturn(address, expected)
  if (judged.kind === 'ours') {
    if (!flow.take()) {
      return {
        status: 409,
        title: 'This was taken already',
        text: `The run has its answer, and this one changed nothing. ${goBack}`,
      }
    }
    const read = readReturn(address, expected.state)
    return read.ok
      ? { status: 200, title: 'You are back', text: goBack }
      : { status: 400, title: 'This did not work', text: `${read.message} ${goBack}` }
  }
  if (judged.kind === 'refused' && judged.final) {
    flow.refuse(judged.code, judged.message)
    return { status: 404, title: 'This did not work', text: `${judged.message} ${goBack}` }
  }
  return { status: 404, title: 'Nothing is here', text: 'Only the redirect URL itself is served.' }
}
