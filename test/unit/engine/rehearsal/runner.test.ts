import { expect, it } from 'vitest'
import { RehearsalOptions, type CaseResult } from '#contract/rehearsal.ts'
import type { DesignedRequest } from '#catalogue/rehearsal/define.ts'
import { createKit } from '#engine/rehearsal/kit.ts'
import { repeatCommand, runCases, type Sent } from '#engine/rehearsal/runner.ts'

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
  handler: { status?: (request: DesignedRequest) => number; counts?: (event: Event) => boolean },
): Promise<CaseResult[]> {
  let effects = 0
  const results: CaseResult[] = []
  const kit = createKit(identity, 7, 'handler')
  const statusOf = (request: DesignedRequest): number => {
    const { headers, body } = request
    const given = headers.find(([name]) => name === 'X-Acme-Signature')?.[1]
    if (given !== kit.sign(body)) return 401
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
      response: { text: '', location: null },
    })
  }
  await runCases({
    options: RehearsalOptions.parse({ url: 'http://127.0.0.1:3000/', only, seed: 7 }),
    secret: identity.secret,
    oracle: { read: () => Promise.resolve(effects) },
    done: [],
    kit: (name) => createKit(identity, 7, name),
    send,
    result: (result) => results.push(result),
    proceed: () => Promise.resolve(),
  })
  return results
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
  expect(results[0]?.reason).toMatch(/^The oracle went from/)
})

const commandOf = (options: object): string =>
  repeatCommand(
    'S4',
    RehearsalOptions.parse({ url: 'http://127.0.0.1:3000/hooks?a=1&b=2', seed: 7, ...options }),
  )

it('a case is repeated with the options that its result depends on', () => {
  expect(commandOf({})).toBe(
    "tabscope rehearse --to 'http://127.0.0.1:3000/hooks?a=1&b=2' --only S4 --seed 7",
  )
  expect(
    commandOf({
      secretOption: '--endpoint main',
      accept: [200, 202],
      acknowledgesFirst: true,
      oracle: { kind: 'url', url: 'http://127.0.0.1:3000/count' },
      load: true,
    }),
  ).toBe(
    "tabscope rehearse --to 'http://127.0.0.1:3000/hooks?a=1&b=2' --only S4 --seed 7 --endpoint main --accept 200,202 --acknowledges-first --observe http://127.0.0.1:3000/count --load",
  )
  expect(
    commandOf({
      url: 'http://127.0.0.1:3000/hooks',
      oracle: { kind: 'command', command: "psql -At -c 'select count(*)' test" },
    }),
  ).toBe(
    `tabscope rehearse --to http://127.0.0.1:3000/hooks --only S4 --seed 7 --observe-command 'psql -At -c '\\''select count(*)'\\'' test'`,
  )
})
