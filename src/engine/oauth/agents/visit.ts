import type { RunFailureCode } from '#contract/authorization.ts'
import { judgeReturn, type ExpectedReturn } from '../redirect.ts'
import { readReturn } from '../returned.ts'
import type { StateRefusal } from '../state.ts'
import type { LoopbackPage } from './loopback-page.ts'

const goBack = 'You can close this page and go back to Tabscope.'

/**
 * What a visit to the listener does and shows: the first way back is taken, what is refused for good ends the run, the redirect URL without the
 * run's state is noted, and anything else is told that nothing is here.
 */
export function visited(
  address: string,
  expected: ExpectedReturn,
  flow: {
    /** False when something was taken before. */
    take(): boolean
    refuse(code: RunFailureCode, message: string): void
    note(code: StateRefusal, message: string): void
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
  if (judged.kind === 'unsolicited') {
    flow.note(judged.code, judged.message)
    return {
      status: 400,
      title: 'This address does not belong to the authorization',
      text: `${judged.message} Nothing was changed. Finish the authorization in the page that Tabscope opened, or start again in Tabscope.`,
    }
  }
  if (judged.kind === 'refused' && judged.final) {
    flow.refuse(judged.code, judged.message)
    return { status: 404, title: 'This did not work', text: `${judged.message} ${goBack}` }
  }
  return { status: 404, title: 'Nothing is here', text: 'Only the redirect URL itself is served.' }
}
