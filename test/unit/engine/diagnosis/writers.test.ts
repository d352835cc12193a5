import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Header } from '#contract/models.ts'
import { diagnose } from '#engine/diagnosis/diagnose.ts'
import { producersOf } from '#engine/diagnosis/json/libraries.ts'
import { defaultLimits, TimeBudget } from '#engine/diagnosis/time-budget.ts'
import { full } from '#test/support/full.ts'
import { randomJson, seeded } from '#test/support/random-json.ts'
import { hex, inputOf } from './given.ts'

/** What a library wrote when it had parsed an order: `R`, with amounts such as 42.50, `X`, with 19.99 and 1.15, and `P`, with more keys. Null: it could not, or was not asked. */
interface Recorded {
  readonly writer: string
  readonly R: string | null
  readonly P: string | null
  readonly X?: string
}

const recorded: readonly Recorded[] = readFileSync(
  new URL('writers.ndjson', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const minutes = { timeout: 240_000 }
/** What is tried matters here, not how much of it a busy machine reaches in a second. */
const patient = (): TimeBudget => new TimeBudget({ ...defaultLimits, ms: 30_000 })

/** The minifier of YAJL keeps all texts. */
const kept = recorded.find(({ writer }) => writer === 'yajl.minify')
const order = kept?.R ?? ''
/** Sent on by a proxy in JavaScript. */
const throughJavaScript = (json: string): string => JSON.stringify(JSON.parse(json))

/** Orders that cannot be computed, and other data than that of the order. */
const unknown = [
  'gnustep-nsjson',
  'perl-cpanel-json-xs.ascii',
  'perl-cpanel-json-xs.pretty',
  'postgresql-15.build',
  'postgresql-15.row',
  'raku-json-fast.compact',
  'raku-json-fast.default',
  'vim',
]
const isUnknown = (writer: string): boolean =>
  writer === 'perl-cpanel-json-xs' || unknown.some((start) => writer.startsWith(start))

/** Beginnings of recorded names, and words of the library that is expected for them. */
const families: readonly (readonly [writer: string, library: string])[] = [
  ['bun-json', 'JavaScript'],
  ['c-bson.canonical', 'libbson of MongoDB, canonical'],
  ['c-bson', 'libbson'],
  ['c-cjson', 'cJSON'],
  ['c-jansson', 'Jansson'],
  ['c-jsonc', 'json-c'],
  ['c-jsonglib', 'json-glib'],
  ['clojure-cheshire', 'Cheshire'],
  ['cpp-boostpt', 'Boost.PropertyTree'],
  ['cpp-cpprest', 'cpprestsdk'],
  ['cpp-jsoncpp', 'jsoncpp'],
  ['cpp-nlohmann', 'nlohmann'],
  ['cpp-picojson', 'picojson'],
  ['cpp-poco', 'Poco'],
  ['cpp-qt', 'Qt'],
  ['cpp-rapidjson', 'RapidJSON'],
  ['cpp-tao', 'taoJSON'],
  ['crystal', 'Crystal'],
  ['deno-json', 'JavaScript'],
  ['duckdb.struct', 'DuckDB'],
  ['erlang', 'jiffy'],
  ['go-compatible', 'Go'],
  ['go-hjson', 'Go'],
  ['go-jsoniter', 'json-iterator of Go with ConfigDefault'],
  ['go-std', 'Go'],
  ['groovy', 'Groovy'],
  ['guile-json.default', 'guile-json'],
  ['guile-json.pretty', 'guile-json'],
  ['guile-json.unicode', 'guile-json with unicode'],
  ['java-gson', 'Gson'],
  ['java-jackson', 'Jackson'],
  ['java-jettison', 'Jettison'],
  ['java-jsonp', 'javax.json'],
  ['java-mjson', 'mjson'],
  ['java-simple', 'json-simple'],
  ['jq', 'jq'],
  ['jshon', 'jshon'],
  ['jsonnet', 'Jsonnet'],
  ['nim', 'Nim'],
  ['node-bson.canonical', 'EJSON'],
  ['node-canonicalize', 'RFC 8785'],
  ['node-fast-json-stringify.schema', 'fast-json-stringify'],
  ['ocaml', 'OCaml'],
  ['pascal', 'Free Pascal'],
  ['perl-mojo', 'Mojo'],
  ['php', 'PHP'],
  ['postgresql-15.jsonb', 'jsonb'],
  ['postgresql-15.pretty', 'jsonb'],
  ['python-jinja2', 'Jinja'],
  ['python-json', 'json.dumps'],
  ['python-orjson', 'orjson'],
  ['python-ujson', 'ujson'],
  ['python-pandas', 'pandas'],
  ['python-simplejson.decimal', 'simplejson'],
  ['r-jsonlite', 'jsonlite'],
  ['raku', 'Raku'],
  ['ruby-json', 'JSON.generate'],
  ['ruby-oj', 'Oj'],
  ['ruby-rails', 'Rails'],
  ['ruby-yajl', 'Yajl'],
  ['rust-serde_json.hashmap', 'HashMap'],
  ['rust', 'serde_json'],
  ['swi', 'SWI-Prolog'],
  ['tcl-json-write.default', 'Tcl'],
  ['yajl.reformat', 'YAJL'],
]

const cases = recorded
  .flatMap(({ writer, R, X = null }) => [
    { writer, given: order, signed: R },
    { writer: `${writer}, 19.99`, given: kept?.X ?? '', signed: X },
  ])
  .flatMap(({ writer, given, signed }) =>
    signed === null || signed === given || isUnknown(writer) ? [] : [{ writer, given, signed }],
  )

test('most recorded texts differ from the order, and are known', () => {
  expect(cases.length).toBeGreaterThanOrEqual(190)
})

test.for(cases)('$writer is found and named if it signed', async ({ writer, given, signed }) => {
  const input = inputOf({ body: given, signature: hex(signed) })
  const { producers, causes } = await diagnose(input, patient())
  expect(causes.filter(({ outcome }) => outcome === 'matches')).not.toEqual([])
  expect(producers).not.toEqual([])
  const family = families.find(([start]) => writer.startsWith(start))?.[1]
  if (family === undefined) return
  const names = (await producersOf(signed, given, new TimeBudget())).map(({ name }) => name)
  expect(names.join(', ')).toContain(family)
})

test.for(cases.filter(({ given, signed }) => signed !== throughJavaScript(given)))(
  '$writer is found if a proxy in JavaScript wrote the body again',
  async ({ given, signed }) => {
    const input = inputOf({ body: throughJavaScript(given), signature: hex(signed) })
    const { causes } = await diagnose(input, patient())
    expect(causes.filter(({ outcome }) => outcome === 'matches')).not.toEqual([])
  },
)

test.for(recorded.filter(({ writer }) => /^clojure|^java-(?:mjson|simple)|classic/.test(writer)))(
  'the order of $writer is computed for more keys',
  async ({ writer, P }) => {
    const names = (await producersOf(P ?? '', kept?.P ?? '', new TimeBudget())).map(
      ({ name }) => name,
    )
    expect(names, writer).not.toEqual(P === null ? null : [])
  },
)

test('the order of keys is found in a large body', async () => {
  const items = Array.from({ length: 2000 }, (_, n) => ({ name: `Ale ${n}`, id: n, at: null }))
  const sorted = items.map(({ at, id, name }) => ({ at, id, name }))
  const [body, signed] = [items, sorted].map((each) => JSON.stringify({ data: each }))
  const input = inputOf({ body: body ?? '', signature: hex(signed ?? '') })
  const { causes } = await diagnose(input, patient())
  expect(causes.filter(({ outcome }) => outcome === 'matches')).toMatchObject([
    { code: 'body.sorted' },
  ])
})

test.for(recorded.filter(({ writer }) => /^(?:python-json|java-jackson|ruby-rails)$/.test(writer)))(
  'digits of $writer that JavaScript rounded are found',
  async ({ P }) => {
    const input = inputOf({ body: throughJavaScript(P ?? ''), signature: hex(P ?? '') })
    const { causes, producers } = await diagnose(input, patient())
    const found = causes.find(({ code }) => code === 'body.rounded')
    expect(found?.detail).toContain('signed `12345678901234567890` for data.big, but')
    expect(producers).not.toEqual([])
  },
)

test.for(['yajl.minify', 'java-jsonp', 'guile-json.default'])(
  'digits, zeros and exponents of %s that JavaScript wrote otherwise are found',
  async (writer) => {
    const P = recorded.find((each) => each.writer === writer)?.P ?? ''
    const received = throughJavaScript(kept?.P ?? '')
    const { causes, producers } = await diagnose(
      inputOf({ body: received, signature: hex(P) }),
      patient(),
    )
    expect(causes.map(({ code }) => code)).toContain('body.rounded')
    expect(producers).not.toEqual([])
  },
)

test.for([
  [
    'json_encode of PHP with JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE and serialize_precision=17',
    '{\n    "total": 19.989999999999998,\n    "name": "é 7/8"\n}',
  ],
  ['json.dumps of Python', '{\n\t"total": 19.99,\n\t"name": "\\u00e9 7/8"\n}'],
  ['json.dumps of Python with sort_keys', '{\n "name": "\\u00e9 7/8",\n "total": 19.99\n}'],
] as const)('%s is named', async ([name, signed]) => {
  const received = '{"total":19.99,"name":"é 7/8"}'
  const { producers } = await diagnose(inputOf({ body: received, signature: hex(signed) }))
  expect(producers).toContain(name)
})

test('lost digits that are too many are said', async () => {
  const body = '{"id":123456789012345680000,"type":"OPEN_TAB"}'
  const signed = body.replace('80000', '78901')
  const { conclusion } = await diagnose(inputOf({ body, signature: hex(signed) }))
  expect(conclusion).toContain('The number “id” may have lost its last digits')
})

test('too many keys in a random order are said, and few are tried', async () => {
  const { R } = recorded.find(({ writer }) => writer === 'perl-cpanel-json-xs') ?? { R: '' }
  const many = await diagnose(inputOf({ body: order, signature: hex(R ?? '') }))
  expect(many.conclusion).toContain('dictionaries of Perl, Swift')
  const body =
    '{"type":"OPEN_TAB","targetUuid":"a/b","createdAt":"2026","data":{"a":1.5,"b":[],"c":"é"}}'
  const signed =
    '{"data":{"c":"é","a":1.5,"b":[]},"createdAt":"2026","type":"OPEN_TAB","targetUuid":"a\\/b"}'
  const input = inputOf({ body, signature: hex(signed) })
  const { causes, producers } = await diagnose(input, patient())
  expect(producers).toEqual(['JSONEncoder of Swift with dictionaries'])
  const found = causes.filter(({ outcome }) => outcome === 'matches').map(({ code }) => code)
  expect(found).toEqual(['body.sorted', 'body.slashes'])
})

test.runIf(full)('no random body that another secret signed is explained', minutes, async () => {
  const random = seeded(60)
  for (let count = 0; count < 10_000; count += 1) {
    const fields = {
      createdAt: `2026-03-14T21:${count}`,
      locationId: `loc_${count}`,
      data: { id: 7 },
    }
    const body = JSON.stringify({ ...fields, random: randomJson(random) })
    const headers: Header[] = [
      ['Date', `Sun, 29 Nov 2026 01:00:${count} GMT`],
      ['X-Channel-Id', `${count}`],
    ]
    const input = inputOf({ body, headers, signature: hex(body, `another secret ${count}`) })
    // In 12 ms, all values of the delivery are tried.
    const ms = count % 10 === 0 ? 12 : 1
    const { causes } = await diagnose(input, new TimeBudget({ ...defaultLimits, ms }))
    expect(causes.filter(({ outcome }) => outcome === 'matches')).toEqual([])
  }
})
