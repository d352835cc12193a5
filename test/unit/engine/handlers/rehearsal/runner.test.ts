import { expect, it } from 'vitest'
import { RehearsalOptions, type CaseResult, type RehearsalProblem } from '#contract/rehearsal.ts'
import { gradeOf } from '#catalogue/rehearsal/grade.ts'
import type { DesignedRequest } from '#catalogue/rehearsal/define.ts'
import { CaseRequestBuilder } from '#engine/handlers/rehearsal/request-builder.ts'
import type { Sent } from '#engine/handlers/rehearsal/all-responses.ts'
import { repeatCommand, runCases } from '#engine/handlers/rehearsal/runner.ts'
import { instantClock } from '#test/support/rehearsal/instant-clock.ts'

const identity = {
  secret: 'a secret of tests',
  previousSecret: null,
  accessSecret: null,
  brand: 'Acme',
  applicationId: 'tests',
  customHeaders: [],
}

interface Event {
  readonly type: string
  readonly targetUuid: string
  readonly createdAt: string
}

const described = {
  method: 'POST',
  url: '',
  headers: [],
  missingHeaders: [],
  changedHeaders: [],
  bodyChange: null,
  responseHeaders: [],
  responseBody: new Uint8Array(),
}

/** Runs cases against a handler that is called instead of connected to. */
async function run(
  only: string[],
  handler: {
    status?: (request: DesignedRequest) => number
    counts?: (event: Event) => boolean
    reject?: number
    /** What it responds with to invalid signatures. */
    text?: string
  },
): Promise<CaseResult[]> {
  const { results } = await runWithProblem(only, handler)
  return results
}

async function runWithProblem(
  only: string[],
  handler: Parameters<typeof run>[1],
): Promise<{ results: CaseResult[]; problem: RehearsalProblem | null }> {
  let effects = 0
  const results: CaseResult[] = []
  const builder = new CaseRequestBuilder(identity, 7, 'handler')
  const statusOf = (request: DesignedRequest): number => {
    const { headers, body } = request
    const given = headers.find(([name]) => name === 'X-Acme-Signature')?.[1]
    if (given !== builder.sign(body)) return handler.reject ?? 401
    const status = handler.status?.(request) ?? 204
    const event: Event = JSON.parse(Buffer.from(body).toString())
    if (status === 204 && (handler.counts?.(event) ?? true)) effects += 1
    return status
  }
  const send = (request: DesignedRequest): Promise<Sent> => {
    const status = statusOf(request)
    const outcome = { status, error: null, durationMs: 1 }
    return Promise.resolve({
      ...outcome,
      stopped: false,
      closed: false,
      bodySent: true,
      request: {
        ...outcome,
        ...described,
        body: request.body,
        bodyBytes: request.body.byteLength,
      },
      response: { text: status === 401 ? (handler.text ?? '') : '', location: null },
    })
  }
  const problem = await runCases({
    options: RehearsalOptions.parse({ url: 'http://127.0.0.1:3000/', only, seed: 7 }),
    secret: identity.secret,
    effects: () => Promise.resolve(effects),
    clock: instantClock(),
    builder: (name) => new CaseRequestBuilder(identity, 7, name),
    send,
    result: (result) => results.push(result),
    signal: new AbortController().signal,
  })
  return { results, problem }
}
const resultOf = async (...args: Parameters<typeof run>) => (await run(...args))[0]?.result

const counting = (...types: string[]) => ({
  counts: ({ type }: Event) => ['ORDER_PLACED', ...types].includes(type),
})
const limit = (bytes: number) => ({
  status: ({ body }: DesignedRequest) => (body.byteLength > bytes ? 500 : 204),
})

it('a comparison without effects gives a review, beside one with effects nothing', async () => {
  expect(await resultOf(['I4'], counting('PRODUCT_UPDATED'))).toBe('pass')
  expect(await resultOf(['I4'], counting())).toBe('review')
  expect(await resultOf(['I7'], counting())).toBe('review')
  expect(await resultOf(['I7'], counting('OPEN_TAB', 'CLOSE_TAB'))).toBe('pass')
})

it('a variant that is only recorded does not change the result of its case', async () => {
  const [recorded] = await run(['T3'], limit(300 * 1024))
  expect(recorded).toMatchObject({ result: 'pass', reason: null })
  expect(recorded?.variants.map(({ result }) => result)).toEqual(['pass', 'pass', 'warn', 'warn'])
  expect(await resultOf(['T3'], limit(200 * 1024))).toBe('fail')
})

it('a wrong number of effects fails the case, without the name of a variant', async () => {
  let effects = 0
  const results = await run(['S2'], {
    status: () => 204,
    counts: () => {
      effects += 1
      // After P1 and the first valid delivery.
      return effects !== 3
    },
  })
  expect(results[0]?.result).toBe('fail')
  expect(results[0]?.reason).toMatch(/^The observer went from/)
})

it('a server error for a random signature is told apart, and fails the cases of the signature', async () => {
  const { results, problem } = await runWithProblem(['P1', 'S3'], { reject: 500 })
  expect(problem).toBeNull()
  expect(results.map(({ id, result }) => [id, result])).toEqual([
    ['P1', 'pass'],
    ['S3', 'fail'],
  ])
})

it('a handler that takes a random signature for a valid one fails the first case and those of the signature', async () => {
  const { results, problem } = await runWithProblem(['S3'], { reject: 204 })
  expect(problem).toBeNull()
  expect(results).toMatchObject([
    {
      id: 'P1',
      level: 'MUST',
      result: 'fail',
      reason: expect.stringMatching(/^It accepted the request with 204\. .*--acknowledges-first$/),
    },
    { id: 'S3', result: 'fail' },
  ])
  expect(gradeOf(results, { only: [], skip: [], hasSecret: true })).toMatchObject({ grade: 'F' })
})

it('a case that judges all responses is repeated with the case whose response decided', async () => {
  const [alone] = await run(['S14'], { text: 'Traceback (most recent call last)' })
  expect(alone).toMatchObject({ result: 'fail', reason: expect.stringContaining('to P1') })
  expect(alone?.repeat).toContain(' --only P1,S14 ')
  expect((await run(['S14'], {}))[0]).toMatchObject({ result: 'pass', received: '2 responses' })
})

it('a handler that no longer accepts valid deliveries ends the run at the case that shows it', async () => {
  let received = 0
  const ends = { status: () => ((received += 1) > 2 ? 503 : 204) }
  const { results, problem } = await runWithProblem(['S3', 'S4', 'S6'], ends)
  expect(results.map(({ id, result }) => [id, result])).toEqual([
    ['S3', 'pass'],
    ['S4', 'fail'],
    ['S6', 'skipped'],
  ])
  expect(problem?.message).toBe('The handler no longer accepts valid deliveries after S4.')
})

it('a run in which every case is skipped could not judge the handler', async () => {
  const { results, problem } = await runWithProblem(['T4'], {})
  expect(results).toMatchObject([{ id: 'T4', result: 'skipped' }])
  expect(problem?.causes).not.toEqual([])
})

const commandOf = (options: object): string =>
  repeatCommand(
    'S4',
    RehearsalOptions.parse({ url: 'http://127.0.0.1:3000/hooks?a=1&b=2', seed: 7, ...options }),
  )

it('a case is repeated with the options that its result depends on, without the queries of URLs', () => {
  expect(commandOf({})).toBe(
    "tabscope rehearse --to 'http://127.0.0.1:3000/hooks?…' --only S4 --seed 7",
  )
  expect(
    commandOf({
      secretOption: '--endpoint main',
      accept: [200, 202],
      acknowledgesFirst: true,
      load: true,
      requestTimeout: 500,
      allowTarget: true,
    }),
  ).toBe(
    "tabscope rehearse --to 'http://127.0.0.1:3000/hooks?…' --only S4 --seed 7 --endpoint main --accept 200,202 --acknowledges-first --load --timeout 500ms --allow-target",
  )
  expect(
    commandOf({
      url: 'http://127.0.0.1:3000/hooks',
      observer: { kind: 'command', command: "psql -At -c 'select count(*)' test" },
    }),
  ).toBe(
    `tabscope rehearse --to http://127.0.0.1:3000/hooks --only S4 --seed 7 --observe-command 'psql -At -c '\\''select count(*)'\\'' test'`,
  )
})
