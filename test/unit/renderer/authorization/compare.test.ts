import { expect, it } from 'vitest'
import { runText } from '#pages/authorization/runs/RunsView.tsx'
import { run, step } from './samples.ts'

/** A run with a unique state in its URL and its facts. */
function begun(id: number, state: string) {
  const url = `http://service.test/manager/oauth?state=${state}`
  return run(
    id,
    [
      step('opened', {
        at: id * 1000,
        durationMs: id,
        facts: [{ name: 'state', value: state }],
        request: { method: 'GET', url, headers: [['Accept', 'text/html']], body: null },
      }),
      step('response', {
        response: {
          status: 400,
          statusText: 'Bad Request',
          httpVersion: '1.1',
          headers: [
            ['Date', `day ${id}`],
            ['X-Trace', '1'],
          ],
          body: '{"error":"«code»"}',
          bytes: 18,
          truncated: false,
        },
      }),
    ],
    { authorizeUrl: url },
  )
}

it('the record of a run as text has neither times nor state', () => {
  const text = runText(begun(1, 'state-one'))
  expect(text).toBe(runText(begun(2, 'state-two')))
  for (const line of [
    'GET http://service.test/manager/oauth',
    '  ?state={state}',
    'state: {state}',
    'X-Trace: 1',
    '400 Bad Request',
    '  "error": "«code»"',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
})
