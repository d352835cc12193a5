import { expect, test } from 'vitest'
import { startClient } from '#test/support/rehearsal/oauth-client.ts'
import { runOAuth } from '#test/support/rehearsal/run-oauth.ts'

test('a correct client passes every case', async () => {
  await using client = await startClient()
  const { problem, results } = await runOAuth(client)
  expect(problem).toBeNull()
  expect(
    results.map(({ id, result, reason, received }) => ({ id, result, reason, received })),
  ).toMatchObject(
    Array.from({ length: 12 }, (_, index) => ({ id: `O${index + 1}`, result: 'pass' })),
  )
})
