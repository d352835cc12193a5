import { createHash, createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { ScriptFailure, ScriptResult, ScriptRun } from '#contract/scripts.ts'
import type { ScriptCall, ScriptDelivery } from '#engine/sending/scripts/messages.ts'
import { ScriptRunner } from '#engine/sending/scripts/runner.ts'
import { builtThreads } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'

const runner = new ScriptRunner(builtThreads.script)
afterAll(() => runner.close())

const sample: ScriptDelivery = {
  id: 7,
  type: 'OPEN_TAB',
  receivedAt: Date.UTC(2026, 2, 14, 21, 9, 0, 123),
  method: 'POST',
  path: '/hooks/bar?a=1',
  headers: [
    ['Content-Type', 'application/json'],
    ['X-Key', 'a'],
    ['x-key', 'b'],
  ],
  body: Buffer.from('{"total":12.5,"name":"é"}'),
  verdict: 'valid',
  endpoint: 'Bar',
}

function run(
  source: string,
  { delivery, ...changes }: Partial<ScriptCall> | { delivery: Partial<ScriptDelivery> } = {},
): Promise<ScriptRun> {
  const script = { name: 'test', source }
  return runner.run({
    script,
    owner: 'forward 1',
    state: '{}',
    ...changes,
    delivery: { ...sample, ...delivery },
  })
}

async function failureOf(source: string): Promise<ScriptFailure> {
  const { result } = await run(source)
  if (result.kind !== 'failed') throw new Error(`It did not fail: ${JSON.stringify(result)}`)
  return result.failure
}

/** What an expression is in the sandbox. */
async function valueOf(
  expression: string,
  changes: Parameters<typeof run>[1] = { owner: null },
): Promise<unknown> {
  const { result } = await run(
    `(delivery, { crypto, log, state }) => ({ status: 200, body: [${expression}] })`,
    changes,
  )
  if (result.kind !== 'response') throw new Error(JSON.stringify(result))
  const [value]: unknown[] = JSON.parse(result.body)
  return value
}

const works = async (): Promise<ScriptResult['kind']> => (await run('() => {}')).result.kind

describe('limits', () => {
  test.each([
    ['arrays that double', '() => { let a = [1]; for (;;) a = a.concat(a) }'],
    [
      'strings',
      "() => { const all = []; for (let i = 0; ; i += 1) all.push('x'.repeat(1000) + i) }",
    ],
    ['buffers', '() => { const all = []; for (;;) all.push(new ArrayBuffer(1 << 20)) }'],
    ['a map', '() => { const all = new Map(); for (let i = 0; ; i += 1) all.set(i, { i }) }'],
    ['a big integer', '() => { let n = 3n; for (;;) n *= n }'],
    ['one buffer', '() => { new ArrayBuffer(40 << 20) }'],
    ['what it keeps', 'const all = []; () => { for (;;) all.push(new ArrayBuffer(1 << 20)) }'],
  ])('hold against %s', async (_, source) => {
    const before = process.memoryUsage().rss
    for (let time = 0; time < 2; time += 1) expect((await run(source)).result.kind).toBe('failed')
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20)
    expect(await works()).toBe('none')
  })

  test.each([
    ['a loop', '() => { for (;;); }'],
    ['a loop that catches', '() => { for (;;) try { for (;;); } catch {} finally { for (;;); } }'],
    ['the top level', 'for (;;); export default () => {}'],
    ['a getter', '() => ({ get body() { for (;;); } })'],
    ['toJSON', '() => ({ body: { toJSON() { for (;;); } } })'],
    ['a proxy', '() => new Proxy({}, { ownKeys() { for (;;); } })'],
    ['then', '() => ({ get then() { for (;;); } })'],
    ['a regular expression', "() => { /(x+x+)+y/.test('x'.repeat(50)) }"],
    ['a comparison', '() => { [2, 1].sort(() => { for (;;); }) }'],
    ['a generator', '() => [...(function* () { for (;;) yield 1 })()]'],
    [
      'the message of an error',
      '() => { throw { get name() { for (;;); }, toJSON() { for (;;); } } }',
    ],
    ['the log', '(_, { log }) => log({ toJSON() { for (;;); } })'],
    ['digests', "(_, { crypto }) => { for (;;) crypto.sha256('x'.repeat(1 << 20)) }"],
    ['the state', '(_, { state }) => { state.toJSON = () => { for (;;); } }'],
  ])('end %s without end', async (_, source) => {
    expect(await failureOf(source)).toMatchObject({
      code: 'timeout',
      message: 'The script ran for more than 50 ms.',
    })
    expect(await works()).toBe('none')
  })

  test.runIf(full)(
    'end what the interpreter cannot interrupt; what waits for it runs after it',
    async () => {
      const native = '() => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'
      const [ended, next] = await Promise.all([run(native), run('() => ({ status: 201 })')])
      expect(ended.result).toMatchObject({ kind: 'failed', failure: { code: 'timeout' } })
      expect(next.result).toMatchObject({ kind: 'response', status: 201 })
    },
  )

  test.runIf(full)('end recursion', async () => {
    const deep = "eval('('.repeat(1e5))"
    for (const source of ['() => { const f = () => f(); f() }', `() => { ${deep} }`]) {
      expect((await failureOf(source)).message).toContain('stack overflow')
    }
    const nested =
      '() => { let a = []; for (let i = 0; i < 1e4; i += 1) a = [a]; return { body: a } }'
    expect(['error', 'timeout']).toContain((await failureOf(nested)).code)
  })

  test.runIf(full)('hold for the log, the state and bodies', async () => {
    const { log } = await run(
      "(_, { log }) => { for (let i = 0; i < 30; i += 1) log(i, { a: [1] }, null, new TypeError('no'), 'x'.repeat(1000)) }",
    )
    expect(log).toHaveLength(20)
    expect(log[19]).toMatch(/^19 \{"a":\[1\]\} null TypeError: no x{450,}$/)
    expect(log[19]).toHaveLength(500)
    const body = Buffer.alloc(1024 * 1024 + 1, 'x')
    expect((await run('() => {}', { delivery: { body } })).result).toMatchObject({
      failure: { code: 'memory', message: 'The body is larger than 1 MiB, the limit for scripts.' },
    })
    const text = '(delivery) => ({ body: delivery.text })'
    const most = await run(text, { delivery: { body: body.subarray(1) } })
    expect(most.result).toMatchObject({ kind: 'request', body: new Uint8Array(body.subarray(1)) })
  })

  test.runIf(full)(
    '10,000 calls use no more memory than some: the script stays loaded, and its state is kept',
    async () => {
      const source =
        'let calls = 0\nexport default (d, { state }) => {\n  state.calls = (state.calls ?? 0) + 1\n  return { status: 200, body: [++calls, state.calls] }\n}'
      const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(4000) }))
      const call = (id: number): Promise<ScriptRun> =>
        run(source, { owner: 'forward 9', delivery: { ...sample, id, body } })
      let last: ScriptRun | null = null
      for (let id = 0; id < 10_000; id += 100) {
        const runs = await Promise.all(Array.from({ length: 100 }, (_, next) => call(id + next)))
        last = runs.at(-1) ?? null
      }
      expect(last?.result).toMatchObject({ body: '[10000,10000]' })
      expect(last?.state).toBe('{"calls":10000}')
    },
  )
})

test('it has what code in JavaScript expects, and errors say what to use instead of the rest', async () => {
  const { log, result } = await run(`(delivery) => {
    console.log('a', 10n, [1])
    const circular = {}
    circular.self = circular
    console.error(circular)
    console.table([{ a: 1 }])
    console.log((1.5).toLocaleString())
    for (const odd of [{ n: 10n, m: new Map([[1, 2]]) }, { __proto__: null }, Symbol('s'), { toJSON() { throw 1 }, toString: null }])
      console.log(odd)
    const url = new URL('/b/../c?x=1&y=%20z#h', 'https://example.com:8443/a')
    url.searchParams.set('x', 'é&')
    const params = new URLSearchParams({ a: '1', b: '2 3' })
    return { status: 200, body: [
      url.href, url.origin, url.hostname, url.port, url.pathname, [...params], String(params), URL.canParse('x'),
      String(new URL('https://example.com/?q=%20')), btoa('é'), atob('6Q=='), structuredClone({ a: [1] }),
      new TextEncoder().encode('é').length,
    ] }
  }`)
  expect(log).toEqual([
    'a 10n [1]',
    '[object Object]',
    '[{"a":1}]',
    '1.5',
    '[object Object]',
    '{}',
    'Symbol(s)',
    'a value that cannot be shown',
  ])
  expect(result.kind === 'response' && JSON.parse(result.body)).toEqual([
    'https://example.com:8443/c?x=%C3%A9%26&y=+z#h',
    'https://example.com:8443',
    'example.com',
    '8443',
    '/c',
    [
      ['a', '1'],
      ['b', '2 3'],
    ],
    'a=1&b=2+3',
    false,
    'https://example.com/?q=%20',
    '6Q==',
    'é',
    { a: [1] },
    2,
  ])
  for (const [source, message] of [
    ["() => fetch('x')", 'no network'],
    ["() => Buffer.from('')", 'crypto.base64'],
    ["() => crypto.hmac('a', 'b')", 'second argument'],
    ['() => new URL("x")', 'Invalid URL'],
    ['() => setInterval(() => {}, 1)', 'cannot wait'],
    [
      '(d, { crypto }) => crypto.createHmac("sha256", "a")',
      'hmac, sha256 and base64, but no createHmac',
    ],
    [
      "import { createHmac } from 'node:crypto'\nexport default () => {}",
      'crypto is in its second argument',
    ],
    ["import { type A } from './a.ts'\nexport default () => {}", 'write `import type`'],
    [
      '() => ({ body: { a: [{ m: new Map() }] } })',
      '"body.a.0.m" cannot be written as JSON: it is a Map',
    ],
    ['() => ({ headers: new Map() })', '"headers" cannot be written as JSON: it is a Map'],
    ['() => ({ body: { n: 123n } })', '"body.n" cannot be written as JSON: it is a BigInt'],
    ['() => ({ body: { n: 0 / 0 } })', '"body.n" cannot be written as JSON: it is NaN'],
    ['() => ({ body: { n: 1 / 0 } })', '"body.n" cannot be written as JSON: it is Infinity'],
    ['() => new Uint8Array(3)', 'The value cannot be written as JSON: it is binary data'],
    ['() => structuredClone(new Map())', 'The value cannot be written as JSON: it is a Map'],
    ['(d) => ({ body: d.body.total.toLocaleString("de-DE") })', 'A script has no locales'],
    ['() => ({ body: new Date().toLocaleDateString("de-DE") })', 'A script has no locales'],
    ['exports.handler = () => ({})', 'use export default'],
    ['const a = 1\nmodule.exports = () => ({})', 'write `export default` before the function'],
    ['delivery.body.total = 1', 'It is the first argument'],
    ['() => Response.json({})', 'Return an object: { status, headers, body }'],
    ['() => queueMicrotask(() => {})', 'cannot wait'],
    ['() => ({ body: { n: () => 1 } })', '"body.n" cannot be written as JSON: it is a function'],
    ['() => ({ body: { n: /x/ } })', '"body.n" cannot be written as JSON: it is of type RegExp'],
    ['() => ({ body: new Uint8Array(2) })', '"body" cannot be written as JSON: it is binary data'],
    ['() => ({ body: new ArrayBuffer(2) })', '"body" cannot be written as JSON: it is binary data'],
    [
      '({ body }) => { body.self = body; return { body } }',
      '"body.self" cannot be written as JSON: it contains itself',
    ],
    [
      '(d, { state }) => { state.seen = new Set() }',
      '"state.seen" cannot be written as JSON: it is a Set',
    ],
  ] as const)
    expect((await failureOf(source)).message, source).toContain(message)
  const copied = await run("({ headers }) => ({ headers: { ...headers, 'x-a': '1' } })", {
    delivery: { headers: [['Content-Length', '26']] },
  })
  expect(copied.result).toMatchObject({ kind: 'request', headers: [['x-a', '1']] })
})

describe('a script is isolated', () => {
  test('it has nothing of Node, and no clock, timer or network', async () => {
    const names =
      'process require module Buffer fetch XMLHttpRequest WebSocket setTimeout setInterval setImmediate queueMicrotask performance Atomics WebAssembly navigator WeakRef FinalizationRegistry std os scriptArgs print'
    const found = `'${names}'.split(' ').filter((name) => name in globalThis)`
    expect(await valueOf(found)).toEqual([])
    const made = "(() => {}).constructor('return typeof process + typeof require')()"
    expect(await valueOf(made)).toBe('undefinedundefined')
    expect(await valueOf("crypto.hmac.constructor('return typeof process')()")).toBe('undefined')
    expect(await failureOf("import fs from 'node:fs'\nexport default () => fs")).toMatchObject({
      code: 'error',
      message: "“ReferenceError: could not load module 'node:fs'” A script has no modules.",
    })
    expect((await failureOf("() => import('node:fs')")).message).toContain('promise')
  })

  test('what it replaces is its own, and changes nothing that is read from it', async () => {
    const hostile = `
      export default (delivery, { state }) => {
        Array.prototype.toJSON = () => ({ status: 599 })
        Object.defineProperty(Error.prototype, 'name', { get() { throw 1 } })
        JSON.parse = JSON.stringify = String = Reflect = Math = Date = null
        ''.__proto__.split = ''.__proto__.indexOf = null
        state.total = delivery.body.total
        return { status: 418 }
      }`
    for (let time = 0; time < 2; time += 1) {
      const { result, state } = await run(hostile, { owner: 'forward 4' })
      expect(result).toEqual({ kind: 'response', status: 418, headers: [], body: '', delayMs: 0 })
      expect(state).toBe('{"total":12.5}')
    }
    expect(await valueOf('JSON.stringify([1])')).toBe('[1]')
  })

  test.each([
    [
      'result',
      "({ __proto__: null, ['__proto__']: { status: 200 } })",
      '“__proto__” cannot be used',
    ],
    ['result', '(Object.prototype.toJSON = () => 5, {})', 'a number'],
    ['result', 'Promise.resolve({ status: 200 })', 'Return the value itself'],
    ['result', '({ then() {} })', 'Return the value itself'],
    ['result', '() => ({ status: 200 })', 'returned a function'],
    ['error', 'new Proxy({}, { get() { throw new TypeError("no") } })', 'TypeError: no'],
    ['error', '(() => { throw "text" })()', 'text'],
    ['error', '(() => { throw { stack: "script:0:0\\nscript:99999999999:1" } })()', '{'],
    ['error', '(() => { const a = {}; a.a = a; return { body: a } })()', 'circular'],
  ])('a %s cannot deceive: %s', async (code, expression, sentence) => {
    const failure = await failureOf(`() => (${expression})`)
    expect(failure).toMatchObject({ code })
    expect(failure.message).toContain(sentence)
  })

  test.each([
    ['null', 'It threw “null”.'],
    ['undefined', 'It threw “undefined”.'],
    ['"no “way”"', 'It threw “no "way"”.'],
    ['7', 'It threw “7”.'],
    ['{ a: 1 }', 'It threw “{"a":1}”.'],
    ['new RangeError("no")', '“RangeError: no”'],
    ['{ toJSON() { throw 1 } }', 'It threw a value that cannot be shown.'],
  ])('what it throws is shown: %s', async (thrown, message) => {
    expect(await failureOf(`() => { throw ${thrown} }`)).toMatchObject({ code: 'error', message })
    expect(await failureOf(`throw ${thrown}\nexport default () => {}`)).toMatchObject({ message })
  })

  test('memory that is too little even for an error is not something that it threw', async () => {
    const fill =
      'for (let size = 1 << 22; size > 8; size >>= 1) { try { for (;;) all.push(new ArrayBuffer(size)) } catch {} }'
    expect(
      await failureOf(`() => { const all = []; ${fill}; for (;;) all.push({}) }`),
    ).toMatchObject({
      code: 'memory',
    })
  })

  test('an asynchronous script fails each time, and what it leaves behind is freed', async () => {
    for (let time = 0; time < 3; time += 1) {
      expect((await failureOf('async () => { await 1; for (;;); }')).code).toBe('result')
    }
    expect((await failureOf('export default await 1')).message).toContain('remove `await`')
    const left = '() => { const all = new ArrayBuffer(1 << 20); Promise.resolve().then(() => all) }'
    for (let time = 0; time < 80; time += 1) {
      expect((await run(left)).result).toEqual({ kind: 'none' })
    }
    expect(await works()).toBe('none')
  })
})

describe('a script gets', () => {
  test('the delivery', async () => {
    expect(await valueOf('delivery')).toEqual({
      id: 7,
      type: 'OPEN_TAB',
      receivedAt: sample.receivedAt,
      method: 'POST',
      path: '/hooks/bar?a=1',
      headers: { 'content-type': 'application/json', 'x-key': 'a, b' },
      body: { total: 12.5, name: 'é' },
      text: '{"total":12.5,"name":"é"}',
      verdict: 'valid',
      endpoint: 'Bar',
    })
    const body = Buffer.from('{"a":')
    expect(await valueOf('[delivery.body, delivery.text]', { delivery: { body } })).toEqual([
      null,
      '{"a":',
    ])
  })

  test('the time of the delivery, and the same random numbers for it each time', async () => {
    const times =
      '[Date.now(), new Date(), new (new Date(0).constructor)(), new (class extends Date {})(), new Date(5), Date() === String(new Date())]'
    const at = new Date(sample.receivedAt).toISOString()
    expect(await valueOf(times)).toEqual([
      sample.receivedAt,
      at,
      at,
      at,
      '1970-01-01T00:00:00.005Z',
      true,
    ])
    const random = '[Math.random(), Math.random(), Math.random()]'
    const first = await valueOf(random, { owner: 'forward 5' })
    expect(new Set([first].flat()).size).toBe(3)
    expect(await valueOf(random, { owner: 'forward 5' })).toEqual(first)
    expect(await valueOf(random, { owner: 'forward 6' })).not.toEqual(first)
    expect(await valueOf(random, { delivery: { id: 8 } })).not.toEqual(first)
  })

  test('digests and Base64', async () => {
    const text = 'é\0\ud83d\ude00"\n'
    const js = JSON.stringify(text)
    expect(
      await valueOf(
        `[crypto.sha256(${js}), crypto.hmac(${js}, 'key'), crypto.base64.encode(${js}), crypto.base64.decode(crypto.base64.encode(${js}))]`,
      ),
    ).toEqual([
      createHash('sha256').update(text).digest('hex'),
      createHmac('sha256', 'key').update(text).digest('hex'),
      Buffer.from(text).toString('base64'),
      text,
    ])
    expect((await failureOf("(_, { crypto }) => crypto.hmac('a')")).message).toContain('strings')
    expect(
      (await failureOf("(_, { crypto }) => crypto.sha256('x'.repeat((1 << 20) + 1))")).message,
    ).toContain('1 MiB')
  })

  test('a state for each owner, which a failure does not change', async () => {
    const count = '(_, { state }) => { state.n = (state.n ?? 0) + 1; if (state.n === 3) throw 1 }'
    const states = async (owner: string | null, state = '{}'): Promise<string> =>
      (await run(count, { owner, state })).state
    expect(await states('forward 7')).toBe('{"n":1}')
    expect(await states('forward 7')).toBe('{"n":2}')
    expect(await states('forward 7')).toBe('{"n":2}')
    expect(await states('forward 8')).toBe('{"n":1}')
    expect(await states(null, '{"n":40}')).toBe('{"n":41}')
    const edited = await run(`${count} // edited`, { owner: 'forward 7' })
    expect(edited.state).toBe('{"n":1}')
    expect(await failureOf("(_, { state }) => { state.a = 'x'.repeat(17_000) }")).toMatchObject({
      code: 'result',
      message: 'The state is larger than 16 KiB.',
    })
    expect((await failureOf('(_, { state }) => { state.toJSON = () => [] }')).code).toBe('result')
  })
})

describe('the source', () => {
  test.each([
    ['(d) => ({ status: 201 })'],
    ['// A comment\n(d) => ({ status: 201 });\n'],
    ['function (d) { return { status: 201 } }'],
    ['export default (d) => ({ status: 201 })'],
    ['const status = 201\nfunction run() { return { status } }\nexport { run as default }'],
    [
      'interface A { readonly a: string }\nconst status = 201 as number\nexport default (d: A): object => ({ status })',
    ],
    ['(d: Delivery, { log }: Tools): Result => ({ status: 201 as const })'],
  ])('can be %s', async (source) => {
    expect((await run(source)).result).toMatchObject({ kind: 'response', status: 201 })
    expect(await runner.check(source)).toBeNull()
  })

  test.each([
    ['(d) => null.a', 'error', 1, 12],
    ['(d) => {\n  return a\n}', 'error', 2, 10],
    [
      'export default (d) => {\n  const f = () => { throw new Error("no") }\n  f()\n}',
      'error',
      2,
      36,
    ],
    ['(d: string) => {\n  const a: number = 5\n  return b\n}', 'error', 3, 10],
    ['(d) => {\n\tconst a = ;\n}', 'syntax', 2, null],
    ['(d) => {\n  enum A { B }\n}', 'syntax', 2, null],
    ['(d) = 5 5', 'syntax', 1, null],
    ['5', 'syntax', null, null],
    ['const a = 1', 'syntax', 1, null],
    ['export const a = 1', 'syntax', null, null],
    ['export default 5\nnull.a', 'error', 2, 5],
  ])('with a fault names its place: %j', async (source, code, line, column) => {
    expect(await failureOf(source)).toMatchObject({ code, line, column })
  })

  test('with what TypeScript would compile says so', async () => {
    expect((await runner.check('enum A { B }\nexport default () => A.B'))?.message).toBe(
      'SyntaxError: TypeScript enum is not supported: only types are removed',
    )
  })
})

test('what a script changes but does not return is said, and so is what its text loses', async () => {
  const notesOf = async (source: string, body?: string) =>
    (await run(source, body === undefined ? {} : { delivery: { body: Buffer.from(body) } })).notes
  const said = [expect.stringContaining('changed delivery.body, but only what it returns counts')]
  expect(await notesOf('(delivery) => { delivery.body.total = 1 }')).toEqual(said)
  expect(await notesOf('({ body }) => ((body.total = 1), { url: "http://a" })')).toEqual(said)
  expect(await notesOf('({ body }) => ((body.total = 1), { body })')).toEqual([])
  for (const body of ['{"total":1.50}', 'no JSON', '', '\ufeff{}']) {
    expect(await notesOf('(delivery) => { delivery.body }', body), body).toEqual([])
  }
  const large = '{"id":9007199254740993}'
  const lost = [expect.stringContaining('“9007199254740993” became “9007199254740992”')]
  const text = '({ body }) => ({ body: JSON.stringify(body) })'
  expect(await notesOf(text, large)).toEqual(lost)
  expect(await notesOf(text.replace('({ body: ', '({ status: 200, body: '), large)).toEqual(lost)
  const { result } = await run('({ body }) => ({ body: { ...body, a: 1 } })', {
    delivery: { body: Buffer.from(large) },
  })
  const sent = result.kind === 'request' ? Buffer.from(result.body ?? []).toString() : ''
  expect(sent).toBe('{"id":9007199254740993,"a":1}')
})
