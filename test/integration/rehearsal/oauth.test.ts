import { describe, expect, test } from 'vitest'
import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import { full } from '#test/support/full.ts'
import { faultyClients } from '#test/support/rehearsal/faulty-oauth-clients.ts'
import { startClient } from '#test/support/rehearsal/oauth-client.ts'
import { accessId, accessSecret, runOAuth } from '#test/support/rehearsal/run-oauth.ts'

const all = oauthCases.map(({ id }) => id)
/** O8 waits for the timeout of the client, so that it needs a client with a short one, which a slow machine exceeds elsewhere. */
const withoutTimeout = all.filter((id) => id !== 'O8')
/** The others run in `npm run test:full`. */
const representatives = ['sends no state', 'retries a call with the expired token']
const tested = full
  ? faultyClients
  : faultyClients.filter(({ name }) => representatives.includes(name))

test('a correct client passes every case', async () => {
  const cases = full ? all : withoutTimeout
  await using client = await startClient({}, full ? {} : { timeout: 20_000 })
  const { problem, results } = await runOAuth(client, full ? [] : cases)
  expect(problem).toBeNull()
  expect(results.map(({ id, result, reason }) => ({ id, result, reason }))).toEqual(
    cases.map((id) => ({ id, result: 'pass', reason: null })),
  )
})

describe.concurrent('each fault is found by its cases, and by no other', () => {
  test.each(tested)('a client that $name', async ({ changes, timeout, results }) => {
    const only = !full ? Object.keys(results) : 'O8' in results ? all : withoutTimeout
    const usual = 'O8' in results ? {} : { timeout: 20_000 }
    await using client = await startClient(changes, timeout === undefined ? usual : { timeout })
    const run = await runOAuth(client, only)
    expect(run.problem).toBeNull()
    const found = run.results.filter(({ result }) => result !== 'pass')
    expect(
      Object.fromEntries(found.map(({ id, result }) => [id, result])),
      found.map(({ id, reason }) => `${id}: ${reason}`).join('\n'),
    ).toEqual(results)
    // Not even a client that sends it everywhere makes it appear in a report.
    const stored = JSON.stringify([
      run.results,
      run.requests.map(({ body, responseBody, ...request }) => [
        request,
        Buffer.from(body).toString('latin1'),
        Buffer.from(responseBody).toString('latin1'),
      ]),
    ])
    const basic = Buffer.from(`${accessId}:${accessSecret}`).toString('base64')
    for (const form of ['access/secret', encodeURIComponent(accessSecret), basic]) {
      expect(stored).not.toContain(form)
    }
  })
})

test('each case is failed by a faulty client', () => {
  const failed = new Set(
    faultyClients.flatMap(({ results }) =>
      Object.entries(results).flatMap(([id, result]) => (result === 'fail' ? [id] : [])),
    ),
  )
  expect(all.filter((id) => !failed.has(id))).toEqual([])
})
