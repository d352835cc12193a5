import { request } from 'node:http'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import type { Header } from '#contract/models.ts'
import { freePort } from '#test/support/free-port.ts'
import { full } from '#test/support/full.ts'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import { decodedTexts, encodingsOf } from '#test/support/encodings.ts'
import { canaryLocations, canaryValue, type CanaryKind } from '#test/support/canary-locations.ts'
import { rawTarget, reply } from '#test/support/raw-target.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { openEchoService } from '../secrecy/echo-service.ts'

const canaries = new Map<string, string>()
const secrets = new Set<string>()
const counts: Record<CanaryKind, number> = { email: 0, phone: 0, handle: 0, secret: 0 }

function canaryFor(kind: CanaryKind, where: string): string {
  counts[kind] += 1
  const value = canaryValue(kind, counts[kind])
  canaries.set(value, where)
  if (kind === 'secret') secrets.add(value)
  return value
}

/** A secret with characters that are escaped in URLs, JSON and HTML. */
function knownSecretFor(where: string): string {
  const value = `known/${canaries.size}+"secret"=<${where}>&ü`
  canaries.set(value, where)
  secrets.add(value)
  return value
}

/** Returns the canary values that occur in the bytes, in any encoding. */
function foundIn(bytes: Uint8Array, of: Iterable<string> = canaries.keys()): string[] {
  const texts = [...decodedTexts(bytes)]
  return [...of].filter((value) =>
    encodingsOf(value).some((form) => texts.some((text) => text.includes(form))),
  )
}

const named = (values: readonly string[]): string[] =>
  values.map((value) => `${value} (${canaries.get(value)})`)

function send(
  port: number,
  target: string,
  headers: readonly Header[],
  body: string | Uint8Array,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { port, host: '127.0.0.1', method: 'POST', path: target },
      (answer) => {
        answer.resume().on('end', resolve)
      },
    )
    for (const [name, value] of headers) outgoing.setHeader(name, value)
    outgoing.on('error', reject).end(body)
  })
}

async function exported(
  { engine }: TestEngine,
  folder: string,
  input: Omit<CallInput<'logs.export'>, 'to'>,
  name: string,
): Promise<Buffer> {
  const file = path.join(folder, name)
  const { export: begun } = await engine.call('logs.export', {
    ...input,
    to: { kind: 'file', path: file },
  })
  const over = await until(`the export ${name}`, async () => {
    const { exports } = await engine.call('logs.list', {})
    return exports.find(({ id, state }) => id === begun.id && state !== 'running') ?? null
  })
  expect(over).toMatchObject({ state: 'done', error: null })
  const bytes = readFileSync(file)
  return input.gzip === true ? gunzipSync(bytes) : bytes
}

it.runIf(full)('exports none of the secrets and personal values', async () => {
  const hour = Math.floor(Date.now() / 1000) + 3600
  const token = knownSecretFor('token')
  const refreshToken = knownSecretFor('refresh token')
  await using service = await openEchoService([{ token, refreshToken, expires: hour }])
  const webhookSecret = knownSecretFor('webhook secret')
  const oldSecret = knownSecretFor('previous webhook secret')
  const tenant = canaryFor('secret', 'custom header of the endpoint')
  await using tab = await openTestEngine({ secret: oldSecret })
  const { engine, port, endpointId } = tab
  await engine.call('endpoints.rotateSecret', { id: endpointId, secret: webhookSecret })
  await engine.call('endpoints.update', {
    id: endpointId,
    name: `Hook of ${canaryFor('email', 'name of the endpoint')}`,
    customHeaders: [
      ['X-Tenant', tenant],
      ['X-Tenant-Key', 'one that nobody sends'],
    ],
  })

  // Authorization: a token, and a run whose response contains a guest.
  const accessSecret = knownSecretFor('access secret')
  const redirectUrl = `http://127.0.0.1:${await freePort()}/callback`
  const { id: integrationId } = await engine.call('integrations.create', {
    name: `For ${canaryFor('email', 'name of the integration')}`,
    baseUrl: service.baseUrl,
    accessId: 'an-id',
    accessSecret,
    redirectUrls: [redirectUrl],
  })
  const authorize = async (code: string): Promise<number | null> => {
    const { id } = await engine.call('authorization.start', { integrationId, agent: 'none' })
    const waiting = await until('the run to wait', async () => {
      const run = await engine.call('authorization.run', { id })
      return run.state === 'waiting' ? run : null
    })
    const state = new URL(waiting.authorizeUrl ?? '').searchParams.get('state') ?? ''
    await fetch(`${redirectUrl}?${new URLSearchParams({ code, state }).toString()}`)
    return until('the run to end', async () => {
      const run = await engine.call('authorization.run', { id })
      return run.endedAt === null ? null : run
    }).then((run) => run.tokenId)
  }
  const tokenId = (await authorize('a-code-0001')) ?? 0
  await engine.call('tokens.label', {
    id: tokenId,
    label: `Of ${canaryFor('phone', 'label of the token')}`,
  })
  const guest = canaryFor('email', 'answer in the record of a run')
  const guestHandle = canaryFor('handle', 'handle in the record of a run')
  service.answerNext(400, 'application/json', () =>
    JSON.stringify({ for: guest, handle: guestHandle }),
  )
  await authorize('a-code-0002')

  let sent = 0
  const post = async (put: {
    query?: string
    headers?: readonly Header[]
    body?: string | Uint8Array
  }): Promise<void> => {
    await send(port, `${tab.path}${put.query ?? ''}`, put.headers ?? [], put.body ?? '{}')
    sent += 1
  }
  for (let round = 0; round < 4; round += 1) {
    for (const place of canaryLocations) await post(place.put(canaryFor(place.kind, place.name)))
  }
  for (const secret of [token, refreshToken, webhookSecret, oldSecret, accessSecret, tenant]) {
    const bytes = Buffer.from(secret)
    await post({
      query: `?echo=${encodeURIComponent(secret)}`,
      headers: [['X-Echo', Buffer.from(`u:${secret}`).toString('base64')]],
      body: JSON.stringify({
        echo: secret,
        [secret]: 1,
        in: JSON.stringify({ echo: secret }),
        hex: bytes.toString('hex'),
        b64: `zz${Buffer.from(`user:${secret}`).toString('base64url')}`,
      }),
    })
  }
  const all = await tab.kept(sent)

  const [one] = all
  const id = one?.id ?? 0
  await engine.call('deliveries.annotate', {
    id,
    note: `Asked ${canaryFor('email', 'note')}, ${canaryFor('phone', 'note')}, password: ${canaryFor('secret', 'note')}`,
    tags: [canaryFor('email', 'tag'), `tel ${canaryFor('phone', 'tag')}`],
  })
  const cookie = canaryFor('secret', 'cookie of an answer')
  const answered = canaryFor('email', 'body of an answer')
  await using target = await rawTarget(() =>
    reply(200, JSON.stringify({ handle: answered }), [
      `Set-Cookie: sid=${cookie}`,
      `X-For: ${answered}`,
    ]),
  )
  const attempt = await engine.call('deliveries.resend', {
    id,
    url: `${target.origin}/x?to=${encodeURIComponent(canaryFor('email', 'address of an attempt'))}&token=${canaryFor('secret', 'address of an attempt')}`,
    edits: {
      headers: [
        ['Authorization', `Bearer ${canaryFor('secret', 'header of an attempt')}`],
        ['X-Mail', canaryFor('email', 'header of an attempt')],
      ],
      body: Buffer.from(JSON.stringify({ handle: canaryFor('handle', 'body of an attempt') })),
    },
  })
  expect(attempt.error).toBeNull()
  const signatures = [...all.flatMap(({ headers }) => headers), ...attempt.request.headers]
    .filter(([name]) => /-signature$/i.test(name))
    .map(([, value]) => value)
  for (const signature of signatures) canaries.set(signature, 'signature of an attempt')
  expect(canaries.size).toBeGreaterThanOrEqual(200)

  const folder = tempFolder()

  // The search works: without redaction, every value is found.
  const bare = await exported(tab, folder, { format: 'ndjson', redact: false }, 'bare.ndjson')
  const missed = new Set(foundIn(bare))
  expect(named([...canaries.keys()].filter((value) => !missed.has(value)))).toEqual([])

  const formats = await engine.call('logs.formats', {})
  for (const format of formats) {
    for (const gzip of format.gzip ? [false, true] : [false]) {
      const name = `${format.id}-${gzip}.${format.extension}`
      const bytes = await exported(tab, folder, { format: format.id, gzip }, name)
      expect(bytes.byteLength).toBeGreaterThan(1000)
      const found = gzip
        ? [...canaries.keys()].filter((value) => bytes.includes(value))
        : foundIn(bytes)
      expect({ [name]: named(found) }).toEqual({ [name]: [] })
    }
  }
  const preview = await until('the preview', async () => {
    const preview = await engine.call('logs.preview', { key: 'canaries' })
    return preview.complete ? preview : null
  })
  expect(preview.fields.length).toBeGreaterThan(20)
  const shown = JSON.stringify(preview)
  expect(
    [token, refreshToken, webhookSecret, oldSecret, accessSecret, tenant].filter((secret) =>
      shown.includes(JSON.stringify(secret).slice(1, -1)),
    ),
  ).toEqual([])

  const singles = ['markdown', 'curl', 'fetch', 'ndjson', 'har']
  const texts: string[] = []
  for (const { id } of all.filter((_one, index) => index % 9 === 0)) {
    const format = singles[id % singles.length] ?? 'markdown'
    texts.push((await engine.call('logs.text', { id, format })).text)
  }
  for (const format of singles) texts.push((await engine.call('logs.text', { id, format })).text)
  expect(named(foundIn(Buffer.from(texts.join('\n'))))).toEqual([])
  expect(readdirSync(folder).filter((name) => name.includes('.part-'))).toEqual([])
})
