import { withoutQuery } from '#shared/text/address.ts'
import { plural, quoteForeign } from '#shared/text/format.ts'
import type { Judgement } from '../judge.ts'
import {
  callbackUrl,
  correctRedirect,
  json,
  page,
  randomText,
  type Behavior,
  type ClientRequest,
  type Flow,
  type Reply,
} from './server.ts'
import type { Begun, Stage } from './stage.ts'
import type { Load } from './user-agent.ts'

export interface Outcome extends Judgement {
  /** "no token request" … */
  readonly received: string
}

/** What the first, ordinary flow of a run showed. */
export interface Facts {
  readonly flow: Flow
  /** Null: the client did not exchange the code. */
  readonly exchange: ClientRequest | null
  /** Calls of the client for each address of the API, by method and URL. */
  readonly calls: ReadonlyMap<string, number>
  readonly flows: Flow[]
  readonly accessId: string
  readonly redirectUrl: string | null
}

export interface Scenario {
  readonly name: string
  run(stage: Stage, facts: Facts): Promise<Outcome>
}

/** Requests that a client may send to a token endpoint that fails. */
const maxAttempts = 5
const callsAtOnce = 20
/** A client must stop waiting for the token endpoint within this many times the time that a run watches. */
const silenceTimes = 6

const pass = (received: string): Outcome => ({ result: 'pass', reason: null, received })
const fail = (reason: string, received: string): Outcome => ({ result: 'fail', reason, received })
const warn = (reason: string, received: string): Outcome => ({ result: 'warn', reason, received })
const review = (reason: string, received: string): Outcome => ({
  result: 'review',
  reason,
  received,
})
const skipped = (reason: string): Outcome => ({ result: 'skipped', reason, received: '' })
const noExchange = skipped('The app did not exchange the code.')
const noCall = skipped(
  'The app made no API call. Start the run with a URL of your app that makes one.',
)

const times = (count: number, what: string): string => plural(count, what, `${what}s`)

function serverError(loads: readonly Load[], stage: Stage): Load | undefined {
  return loads.find(
    ({ status, error, url }) =>
      url.origin !== stage.server.baseUrl && ((status !== null && status >= 500) || error !== null),
  )
}

/** The pages of the client must be no server errors. In a manual run only the user sees them. */
function judgePages(stage: Stage, received: string): Outcome {
  const broken = serverError(stage.loads, stage)
  if (broken) {
    const got = broken.status === null ? broken.error : `status ${broken.status}`
    return fail(`${quoteForeign(broken.url.pathname)} failed: ${got}`, received)
  }
  if (!stage.isManual) return pass(received)
  return review('Check that your app showed a message, not a server error.', received)
}

/** A flow whose redirect is changed, and must not lead to a token request. */
function withoutExchange(
  name: string,
  redirect: (flow: Flow) => readonly [string, string | null][],
  judge: (stage: Stage, received: string) => Outcome = (_stage, received) => pass(received),
): Scenario {
  return {
    name,
    run: async (stage) => {
      const begun = await stage.begin({
        reply: (flow) => redirectTo(callbackUrl(flow.redirectUrl, redirect(flow))),
      })
      if ('notBegun' in begun) return skipped(begun.notBegun)
      return (await judgeNoExchange(stage, begun.flow, begun.visit)) ?? judge(stage, noRequest)
    },
  }
}

const noRequest = 'no token request'

async function judgeNoExchange(
  stage: Stage,
  flow: Flow | null,
  visit: Promise<unknown>,
): Promise<Outcome | null> {
  const find = (): ClientRequest | undefined => stage.exchanges(flow)[0]
  const found = await stage.watchFor(find)
  if (!found) await visit
  if (!found && !find()) return null
  return fail('The app sent a token request.', times(stage.exchanges(flow).length, 'token request'))
}

function redirectTo(location: string): Reply {
  return { status: 302, headers: { Location: location } }
}

const o1: Scenario = {
  name: 'two ordinary flows',
  run: async (stage, { flow: first, flows, accessId }) => {
    const begun = await stage.begin()
    if ('notBegun' in begun) return skipped(begun.notBegun)
    const { flow: second } = begun
    flows.push(second)
    await stage.exchanged(begun)
    const received = [first, second]
      .map(({ state }) => `state ${state === null ? 'absent' : quoteForeign(state)}`)
      .join(', ')
    const wanted: readonly (readonly [string, string | null])[] = [
      ['response_type', 'code'],
      ['access_id', accessId],
      ['redirect_url', null],
      ['state', null],
    ]
    for (const { query } of [first, second]) {
      for (const [name, value] of wanted) {
        const given = query.getAll(name)
        if (given.length === 0) return fail(`${name} is missing.`, received)
        if (given.length > 1) return fail(`${name} is present ${given.length} times.`, received)
        if (value !== null && given[0] !== value) {
          return fail(`${name} is ${quoteForeign(given[0] ?? '')} instead of “${value}”.`, received)
        }
      }
    }
    const [a = '', b = ''] = [first.state, second.state].map((state) => state ?? '')
    if (a === b) return fail('The state is the same in both flows.', received)
    const bits = Math.min(bitsOf(a), bitsOf(b))
    if (bits < 128) return fail(`The state has at most ${bits} bits.`, received)
    const [partA, partB] = differentParts(a, b)
    if (Math.min(bitsOf(partA), bitsOf(partB)) < 64) {
      return fail(
        `Only ${quoteForeign(partA)} and ${quoteForeign(partB)} differ in the states of two flows.`,
        received,
      )
    }
    const known = new Set(wanted.map(([name]) => name))
    const extra = [...second.query.keys()].find((name) => !known.has(name))
    if (extra !== undefined)
      return warn(`The parameter ${quoteForeign(extra)} is not documented.`, received)
    return pass(received)
  },
}

function bitsOf(text: string): number {
  const plain = text.replaceAll(/[-_.~=]/g, '')
  if (/^\d*$/.test(plain)) return Math.floor(plain.length * Math.log2(10))
  if (/^(?:[\da-f]*|[\dA-F]*)$/.test(plain)) return plain.length * 4
  return text.length * 6
}

function differentParts(a: string, b: string): [string, string] {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)]
}

const o2: Scenario = {
  name: 'the redirect URL of each flow',
  run: async (_stage, { flows, redirectUrl }) => {
    const given = [...new Set(flows.map((flow) => flow.redirectUrl))]
    const received = given.map(withoutQuery).join(', ')
    const right = redirectUrl ?? given[0] ?? ''
    const wrong = given.find((url) => url !== right)
    if (wrong !== undefined) {
      const shown = withoutQuery(wrong)
      return fail(
        shown === withoutQuery(right)
          ? `The redirect URL is ${shown}, but with another query than it must have.`
          : `The redirect URL is ${shown}, not exactly ${withoutQuery(right)}.`,
        received,
      )
    }
    if (redirectUrl !== null) return pass(received)
    return review(
      'Compare it with the configured redirect URL, or start the run with that.',
      received,
    )
  },
}

const o4: readonly Scenario[] = [
  {
    name: 'a callback that nobody began',
    run: async (stage, { flow, redirectUrl }) => {
      const target = redirectUrl ?? flow.redirectUrl
      const callback = URL.parse(
        callbackUrl(target, [
          ['code', `ac_${randomText()}`],
          ['state', randomText()],
        ]),
      )
      if (callback === null || !stage.mayLoad(callback)) return outsideCallback
      const visit = stage.newAgent().open(callback.href)
      return (await judgeNoExchange(stage, null, visit)) ?? pass(noRequest)
    },
  },
  {
    name: 'the state of another session',
    run: async (stage) => {
      const begun = await stage.begin({ reply: held })
      if ('notBegun' in begun) return skipped(begun.notBegun)
      await begun.visit
      const callback = new URL(correctRedirect(begun.flow))
      if (!stage.mayLoad(callback)) return outsideCallback
      const other = stage.newAgent()
      if (!stage.isManual) {
        // The other session is in the middle of a flow of its own.
        const second = await stage.begin({ agent: other, reply: held })
        if ('notBegun' in second) return skipped(second.notBegun)
        await second.visit
      }
      const visit = other.open(callback.href)
      return (await judgeNoExchange(stage, begun.flow, visit)) ?? pass(noRequest)
    },
  },
]
const held = (): Reply => page('This authorization is completed in another session.')
const outsideCallback = skipped('The redirect URL is outside this machine. Allow it to be loaded.')

const o5: readonly Scenario[] = [
  { name: 'one after the other', run: (stage) => loadTwice(stage, false) },
  { name: 'at the same time', run: (stage) => loadTwice(stage, true) },
]

async function loadTwice(stage: Stage, together: boolean): Promise<Outcome> {
  if (stage.isManual && together) {
    return review(
      'Only a run with a URL that begins flows can load the callback twice at the same time.',
      '',
    )
  }
  const begun = await stage.begin({
    reply: (flow) =>
      stage.isManual
        ? page('Click this link twice.', {
            link: { href: correctRedirect(flow), label: 'Load the callback' },
          })
        : page('The callback is loaded twice.'),
    afterwards: 'Then click the link that it shows twice.',
  })
  if ('notBegun' in begun) return skipped(begun.notBegun)
  const { flow, agent } = begun
  await begun.visit
  const callback = new URL(correctRedirect(flow))
  if (agent !== null) {
    if (!stage.mayLoad(callback)) return outsideCallback
    const load = (): Promise<Load> => agent.open(callback.href)
    if (together) await Promise.all([load(), load()])
    else {
      await load()
      await load()
    }
  } else {
    stage.ask('Click the link that your browser shows twice.')
    await stage.until(() => stage.exchanges(flow)[0], stage.callTimeout)
  }
  await stage.watchFor(() => (stage.exchanges(flow).length > 1 ? true : null))
  const count = stage.exchanges(flow).length
  const received = times(count, 'token request')
  if (count === 0) return noExchange
  if (count > 1) return fail(`The app exchanged the code ${count} times.`, received)
  if (!stage.isManual) return pass(received)
  return review('Did you load the callback twice?', received)
}

const o7: Scenario = {
  name: 'the token request',
  run: async (stage, { exchange, accessId, flow }) => {
    if (exchange === null) return fail('The app sent no token request.', noRequest)
    const { fields, isJson, method, headers } = exchange
    const header = (wanted: string): string =>
      headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
    const type = header('content-type')
    const names = [...fields.keys()].map(quoteForeign).join(', ')
    const received = `${method} ${quoteForeign(type)} with ${names || 'no fields'}`
    if (stage.leak !== null) return fail(`The access secret is in ${stage.leak}.`, received)
    if (method !== 'POST')
      return fail(`The method is ${quoteForeign(method)} instead of POST.`, received)
    if (!isJson || !/^application\/json\s*(?:;|$)/i.test(type)) {
      return fail('The body is not JSON with Content-Type: application/json.', received)
    }
    const wanted = {
      grant_type: 'authorization_code',
      api_access_id: accessId,
      api_access_secret: null,
      code: flow.code,
    }
    for (const [name, value] of Object.entries(wanted)) {
      const given = fields.get(name)
      if (given === undefined) return fail(`The field ${name} is missing.`, received)
      if (value !== null && given !== value) return fail(`The field ${name} is wrong.`, received)
    }
    const extra = [...fields.keys()].find((name) => !(name in wanted))
    if (extra !== undefined)
      return warn(`The field ${quoteForeign(extra)} is not documented.`, received)
    if (!/application\/json/i.test(header('accept'))) {
      return warn('The header "Accept: application/json" is missing.', received)
    }
    return pass(received)
  },
}

function failingToken(name: string, reply: (stage: Stage) => Reply): Scenario {
  return {
    name,
    run: async (stage) => {
      const response = reply(stage)
      stage.server.behavior = { token: () => response }
      const begun = await stage.begin()
      if ('notBegun' in begun) return skipped(begun.notBegun)
      const { flow } = begun
      const first = await stage.until(() => stage.exchanges(flow)[0])
      if (!first) return noExchange
      const leaked = (): boolean =>
        stage.server.requests.some(
          (request) => request.kind === 'other-origin' && stage.hasSecret(textOf(request)),
        )
      const attempts = (): number =>
        stage.server.requests.filter(({ kind }) => kind === 'token').length
      const restarts = (): number =>
        stage.server.requests.filter(({ kind }) => kind === 'authorize').length - 1
      const loops = (): boolean => attempts() > maxAttempts || restarts() > maxAttempts
      if (response === 'silence') {
        await stage.until(() => (first.closed ? true : null), stage.watchTime * silenceTimes)
      } else {
        const ends = (): true | null => (loops() || leaked() ? true : null)
        await Promise.race([begun.visit, stage.until(ends, stage.watchTime * silenceTimes)])
      }
      const isPatient = response === 'silence' && !first.closed
      await stage.watchFor(() => (loops() || leaked() ? true : null))
      const received = times(attempts(), 'token request')
      if (leaked()) {
        return fail(
          'The app sent the access secret to the host that it was redirected to.',
          received,
        )
      }
      if (attempts() > maxAttempts) return fail(`The app sent ${received}.`, received)
      if (restarts() > maxAttempts) {
        return fail(`The app started the authorization ${restarts()} times again.`, received)
      }
      if (isPatient) {
        const seconds = Math.round((stage.watchTime * silenceTimes) / 1000)
        return fail(`The app still waits for a response after ${seconds} seconds.`, received)
      }
      return pass(received)
    },
  }
}

const html: Reply = {
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Service</title><p>Maintenance.</p>\n',
}
const truncated: Reply = {
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: '{"tokenType":"Bearer","token":"at_trunc',
}
const movedTo = (stage: Stage, status: number, path: string): Reply => ({
  status,
  headers: { Location: `${stage.server.otherOrigin}${path}` },
})

const o8: readonly Scenario[] = [
  failingToken('status 400', () => json(400, { error: 'invalid_grant' })),
  failingToken('status 500', () => json(500, { error: 'server_error' })),
  failingToken('an HTML page', () => html),
  failingToken('truncated JSON', () => truncated),
  failingToken('a redirect with status 302', (stage) => movedTo(stage, 302, '/api/oauth/token')),
  failingToken('a redirect with status 307', (stage) => movedTo(stage, 307, '/api/oauth/token')),
  failingToken('a connection that is closed', () => 'reset'),
  failingToken('no response', () => 'silence'),
]

type Issued = NonNullable<Behavior['issued']>

function unusualToken(
  name: string,
  issued: Issued,
  judge: (stage: Stage, flow: Flow) => Promise<Outcome>,
): Scenario {
  return {
    name,
    run: async (stage, { calls }) => {
      if (calls.size === 0) return noCall
      stage.server.behavior = { issued }
      const begun = await stage.begin()
      if ('notBegun' in begun) return skipped(begun.notBegun)
      if (!(await stage.exchanged(begun))) return noExchange
      await stage.call(begun, 1)
      const outcome = await judge(stage, begun.flow)
      stage.stepDone()
      return outcome
    },
  }
}

const without = (fields: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

async function judgeUsable(stage: Stage, flow: Flow): Promise<Outcome> {
  const acts = (): boolean => stage.apiCalls(flow).length + stage.refreshes().length > 0
  await stage.until(() => (acts() ? true : null), stage.callTimeout)
  return judgePages(stage, acts() ? 'an API call or a refresh' : 'no API call')
}

const o9: readonly Scenario[] = [
  unusualToken(
    'the type "bearer"',
    (fields) => ({ ...fields, tokenType: 'bearer' }),
    async (stage, flow) =>
      (await stage.until(() => stage.apiCalls(flow)[0], stage.callTimeout))
        ? pass('used')
        : fail('The app did not use the token. The type is not case-sensitive.', 'not used'),
  ),
  unusualToken(
    'the type "MAC"',
    (fields) => ({ ...fields, tokenType: 'MAC' }),
    async (stage, flow) =>
      (await stage.until(() => stage.apiCalls(flow)[0]))
        ? fail('The app used a token of a type that it cannot understand.', 'used')
        : pass('not used'),
  ),
  unusualToken(
    'no expiry',
    (fields) => without(fields, ['initiated', 'expires', 'expiresIn']),
    judgeUsable,
  ),
  unusualToken(
    'already expired',
    ({ initiated, expires, ...fields }) => ({
      ...fields,
      initiated: Number(initiated) - 200_000,
      expires: Number(expires) - 200_000,
    }),
    judgeUsable,
  ),
]

/**
 * The client calls the API of a server with this behavior after a flow. Without a URL that makes it call, the behavior begins with the flow, so that the
 * calls at its end get it.
 */
async function callDuring(
  stage: Stage,
  facts: Facts,
  count: number,
  behaviorOf: (isOurs: (request: ClientRequest) => boolean) => Behavior,
): Promise<{ begun: Begun; before: number } | Outcome> {
  if (facts.calls.size === 0) return noCall
  let flow: Flow | null = null
  const behavior = behaviorOf((request) => request.flow !== null && request.flow === flow)
  if (!stage.canCall) stage.server.behavior = behavior
  const begun = await stage.begin({
    reply: (arrived) => {
      flow = arrived
      return redirectTo(correctRedirect(arrived))
    },
  })
  if ('notBegun' in begun) return skipped(begun.notBegun)
  if (!(await stage.exchanged(begun))) return noExchange
  let before = 0
  if (stage.canCall) {
    // Calls at the end of the flow get the correct responses.
    if (stage.isManual) await stage.wait(stage.watchTime / 5)
    before = stage.apiCalls(begun.flow).length
    stage.server.behavior = behavior
    await stage.call(begun, count)
  }
  const called = await stage.until(() => stage.apiCalls(begun.flow)[before], stage.callTimeout)
  stage.stepDone()
  return called ? { begun, before } : noCall
}

const textOf = ({ url, headers, body }: ClientRequest): string =>
  `${url.href} ${headers.join(' ')} ${body.toString('latin1')}`
const keyOf = ({ method, url }: ClientRequest): string => `${method} ${url.pathname}${url.search}`

export function countCalls(calls: readonly ClientRequest[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const call of calls) counts.set(keyOf(call), (counts.get(keyOf(call)) ?? 0) + 1)
  return counts
}

const o10: Scenario = {
  name: `401 on ${callsAtOnce} calls at once`,
  run: async (stage, facts) => {
    let expired: string | undefined
    let waiting = 0
    const called = await callDuring(stage, facts, callsAtOnce, (isOurs) => ({
      api: async (request) => {
        const { flow, token } = request
        if (!isOurs(request) || flow === null) return null
        expired ??= flow.tokens.at(-1)
        if (token !== expired) return null
        waiting += 1
        // All calls are in flight when the first one gets its response.
        await stage.until(() => (waiting >= callsAtOnce ? true : null))
        return json(401, { error: 'token_expired' })
      },
      token: async () => {
        await stage.wait(stage.watchTime / 10)
        return null
      },
    }))
    if ('result' in called) return called
    const { begun, before } = called
    await stage.watchFor(() => null)
    const calls = stage.apiCalls(begun.flow).slice(before)
    const first = calls.filter(({ token }) => token === expired).length
    const retried = calls.length - first
    const refreshes = stage.refreshes().length
    const received = `${times(first, 'call')}, ${plural(refreshes, 'refresh', 'refreshes')}, ${plural(retried, 'retry', 'retries')}`
    if (refreshes > 1) return fail(`The app refreshed the token ${refreshes} times.`, received)
    if (refreshes === 0) return fail('The app did not refresh the token.', received)
    // A call that the app begins after the refresh has the new token from the start.
    const perPage = [...facts.calls.values()].reduce((sum, count) => sum + count, 0)
    const most = stage.isManual || !stage.canCall ? null : callsAtOnce * perPage
    if (most !== null && first > most) {
      return fail('The app repeated a call with the expired token.', received)
    }
    if (most !== null && retried > most) {
      return fail('The app retried a call more than once.', received)
    }
    if (retried === 0) return fail('The app did not retry a call.', received)
    if (first < 2) {
      return review(
        'There was only one call at a time, so that no second refresh can show.',
        received,
      )
    }
    if (retried < first) return warn('The app did not retry each call.', received)
    if (most !== null || retried === first) return pass(received)
    return review('There were more calls than got 401. Check that each was retried once.', received)
  },
}

const o11: readonly Scenario[] = [
  {
    name: '403',
    run: async (stage, facts) => {
      const called = await callDuring(stage, facts, 1, (isOurs) => ({
        api: (request) => (isOurs(request) ? json(403, { error: 'token_invalid' }) : null),
      }))
      if ('result' in called) return called
      const { begun, before } = called
      const calls = (): ClientRequest[] => stage.apiCalls(begun.flow).slice(before)
      const repeated = (): ClientRequest | undefined =>
        calls().find((call) => {
          const same = calls().filter((each) => keyOf(each) === keyOf(call))
          return same.length > Math.max(1, facts.calls.get(keyOf(call)) ?? 1)
        })
      await stage.watchFor(() => (calls().length > maxAttempts * 4 ? true : null))
      const received = times(calls().length, 'API call')
      const again = repeated()
      if (!again) return pass(received)
      const renewed = calls().some(({ token }) => token !== again.token)
      const reason = `The app repeated ${quoteForeign(keyOf(again))} after 403`
      return renewed ? warn(`${reason}, with a new token.`, received) : fail(`${reason}.`, received)
    },
  },
  {
    name: 'both tokens revoked',
    run: async (stage, facts) => {
      let revoked = false
      const called = await callDuring(stage, facts, 1, (isOurs) => ({
        api: (request) => {
          if (!isOurs(request) || request.flow === null) return null
          revoked = true
          stage.server.revoke(request.flow)
          return json(401, { error: 'token_revoked' })
        },
      }))
      if ('result' in called) return called
      const { begun, before } = called
      const calls = (): number => stage.apiCalls(begun.flow).length - before
      const perPage = [...facts.calls.values()].reduce((sum, count) => sum + count, 0)
      const loops = (): boolean =>
        stage.refreshes().length > maxAttempts || calls() > maxAttempts * Math.max(1, perPage)
      await stage.watchFor(() => (loops() ? true : null))
      const received = `${times(calls(), 'API call')}, ${times(stage.refreshes().length, 'token request')}`
      if (!revoked) return noCall
      if (loops()) return fail('The app repeats its requests with revoked tokens.', received)
      stage.server.behavior = {}
      const again = await stage.begin(begun.agent === null ? {} : { agent: begun.agent })
      if ('notBegun' in again) {
        return fail(`The app began no new authorization: ${again.notBegun}`, received)
      }
      if (!(await stage.exchanged(again))) {
        return fail('The app did not exchange the code of the new authorization.', received)
      }
      await stage.call(again, 1)
      const works = await stage.until(() => stage.apiCalls(again.flow)[0], stage.callTimeout)
      stage.stepDone()
      return works
        ? pass(`${received}, then a new authorization`)
        : fail('The app did not use the token of the new authorization.', received)
    },
  },
]

const o12: Scenario = {
  name: 'a redirect to another origin',
  run: async (stage, facts) => {
    const called = await callDuring(stage, facts, 1, (isOurs) => ({
      api: (request) =>
        isOurs(request)
          ? movedTo(stage, 307, `${request.url.pathname}${request.url.search}`)
          : null,
    }))
    if ('result' in called) return called
    const { flow } = called.begun
    const others = (): ClientRequest[] =>
      stage.server.requests.filter(({ kind }) => kind === 'other-origin')
    const leaks = (): boolean =>
      others().some((request) => {
        const text = textOf(request)
        return [...flow.tokens, ...flow.refreshTokens].some((token) => text.includes(token))
      })
    await stage.watchFor(() => (leaks() ? true : null))
    const received = times(others().length, 'request').concat(' to the other origin')
    return leaks() ? fail('The app sent the token to the other origin.', received) : pass(received)
  },
}

/** What the server does in each case, by its ID. */
export const scenarios: Readonly<Record<string, readonly Scenario[]>> = {
  O1: [o1],
  O2: [o2],
  O3: [
    withoutExchange('a wrong state', ({ code, state }) => [
      ['code', code],
      ['state', changed(state)],
    ]),
    withoutExchange('no state', ({ code }) => [['code', code]]),
    withoutExchange('a second state', ({ code, state }) => [
      ['code', code],
      ['state', state],
      ['state', changed(state)],
    ]),
  ],
  O4: o4,
  O5: o5,
  O6: [
    withoutExchange('no code', ({ state }) => [['state', state]], judgePages),
    withoutExchange(
      'access denied',
      ({ state }) => [
        ['error', 'access_denied'],
        ['state', state],
      ],
      judgePages,
    ),
  ],
  O7: [o7],
  O8: o8,
  O9: o9,
  O10: [o10],
  O11: o11,
  O12: [o12],
}

function changed(state: string | null): string {
  if (state === null || state === '') return randomText()
  const last = state.at(-1) ?? ''
  return state.slice(0, -1) + (last === '0' ? '1' : '0')
}
