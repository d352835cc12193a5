import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openSession, type Session } from '#hosts/node/session/session.ts'
import { sharedTabscope } from '#test/support/engine-on-folder.ts'
import { post } from '#test/support/requests.ts'
import { mcpClient } from '#test/support/mcp-client.ts'

const secret = '73190428651734'
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeQ'
const handle = '+31612345678'
const guest = 'Canary Guestname'
const apiKey = 'abcdefghijklmnopqrstuvwxyz'
const tabUuid = '1b4e28ba-2fa1-4d3e-883f-0016d3cca427'
const locationName = 'Canary Bar'
const planted = [
  secret,
  jwt,
  handle,
  guest,
  apiKey,
  tabUuid,
  locationName,
  'Table for',
  '98765',
  'canary',
]

const { folder: dataDir, tab } = sharedTabscope({ secret })
let session: Session
let client: Client
/** Of the deliveries. */
let opened = 0
let ordered = 0
let subscribed = 0
const said: string[] = []

const createdAt = '2026-03-14T21:00:00.000Z'
const bodies = {
  opened: {
    type: 'OPEN_TAB',
    targetUuid: tabUuid,
    locationName,
    createdAt,
    data: { name: guest, spotName: 'Terrace north', total: 4, token: jwt, pin: 98_765, [guest]: 1 },
  },
  ordered: {
    type: 'ORDER_PLACED',
    targetUuid: '7d9f1c52-60a4-4f0e-9a55-5f4f2f0c1b11',
    locationName,
    createdAt,
    data: {
      tabUuid,
      spotName: `Table for ${handle}`,
      total: 42.5,
      loyaltyTier: 'canary gold',
      city: '中',
      pin: 1000,
    },
  },
  subscribed: {
    type: 'GUEST_SUBSCRIBED',
    locationName,
    createdAt,
    data: { handle, note: secret, price: Number(secret) },
  },
}

beforeAll(async () => {
  session = await openSession(dataDir)
  client = await mcpClient(dataDir)
  const secretHeaders = [`X-Api-Key: ${apiKey}`, `X-Trace: Bearer ${jwt}`]
  await tab().receive(
    post(tab().path, JSON.stringify(bodies.opened), secretHeaders),
    post(`${tab().path}?token=${jwt}`, JSON.stringify(bodies.ordered)),
    post(tab().path, JSON.stringify(bodies.subscribed)),
  )
  ;[subscribed = 0, ordered = 0, opened = 0] = await search('')
  const note = `Ask ${guest} about ${jwt}`
  await session.call('deliveries.annotate', { id: opened, note, tags: ['a canary tag'] })
})

afterAll(async () => {
  await client.close()
  await session[Symbol.asyncDispose]()
})

const Answer = z.looseObject({
  content: z.array(z.looseObject({ text: z.string().default('') })),
  structuredContent: z.looseObject({ captured: z.string().default('') }).optional(),
  isError: z.boolean().default(false),
})

async function call(name: string, args: Record<string, unknown>): Promise<z.infer<typeof Answer>> {
  const result = Answer.parse(await client.callTool({ name, arguments: args }))
  said.push(JSON.stringify(result))
  return result
}

const Found = z.object({ deliveries: z.array(z.object({ id: z.number() })) })

/** The IDs, or the message of the refusal. */
async function ask(filter: string): Promise<number[] | string> {
  const { structuredContent, content, isError } = await call('search_deliveries', { filter })
  if (isError) return content[0]?.text ?? ''
  return Found.parse(structuredContent).deliveries.map(({ id }) => id)
}

async function search(filter: string): Promise<number[]> {
  return z.array(z.number()).parse(await ask(filter))
}

async function read(id: number, pointer: string): Promise<unknown> {
  const { structuredContent } = await call('read_body', { id, pointer })
  const line = structuredContent?.captured.split('\n')[1] ?? ''
  return JSON.parse(z.string().parse(JSON.parse(line)))
}

const aliasOf = async (id: number, pointer: string): Promise<string> =>
  z.string().parse(await read(id, pointer))

test('nothing that was planted is in any answer', async () => {
  for (const id of [opened, ordered, subscribed]) {
    for (const part of ['summary', 'headers', 'findings', 'attempts'])
      await call('get_delivery', { id, part })
    await call('read_body', { id })
  }
  const all = said.join('\n')
  expect(all).toContain('Terrace north')
  for (const each of planted) expect(all).not.toContain(each)
})

test('aliases are the same in all answers, and filters accept them', async () => {
  const alias = await aliasOf(opened, '/targetUuid')
  expect(alias).toMatch(/^uuid \d+$/)
  expect(await aliasOf(ordered, '/data/tabUuid')).toBe(alias)
  expect(await search(`target:"${alias}"`)).toEqual([opened])
  expect(await search(`data.tabUuid:"${alias}"`)).toEqual([ordered])
  expect(await search(`ref:"${alias}"`)).toEqual([ordered, opened])
  expect(await search(`target:"${alias}" or type:ORDER_PLACED`)).toEqual([ordered, opened])
  const location = await aliasOf(opened, '/locationName')
  expect(await search(`location:"${location}" type:OPEN_TAB`)).toEqual([opened])
  const phone = await aliasOf(subscribed, '/data/handle')
  expect(phone).toMatch(/^\+phone \d+$/)
  expect(await search(`data.handle:"${phone}"`)).toEqual([subscribed])
  const waited = await call('wait_for', { filter: `target:"${alias}"`, after: 0, seconds: 0 })
  expect(waited.structuredContent).toMatchObject({ ids: [opened] })
  expect(await ask('target:"uuid 999"')).toMatch(/^bad_filter: No answer .*"uuid 999"/)
})

/** All pages of the text, or the message of the refusal. */
async function generate(args: Record<string, unknown>): Promise<string> {
  let text = ''
  let cursor: unknown
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the one before
    const { structuredContent, content, isError } = await call('generate', { ...args, cursor })
    if (isError) return content[0]?.text ?? ''
    text += z.string().parse(JSON.parse(structuredContent?.captured.split('\n')[1] ?? ''))
    cursor = structuredContent?.['nextCursor'] ?? undefined
  } while (cursor !== undefined)
  return text
}

test('generated code shows no value, be it a key, a type, a constant or in the filter', async () => {
  const value = 'CANARYSMITH'
  const cause = { type: value }
  const data = { cause, loyaltyTier: 1, canarysmith: 1, byName: { canarysmith: 1 } }
  await tab().receive(
    post(tab().path, JSON.stringify({ type: value, data: {} })),
    post(tab().path, JSON.stringify({ type: 'CATEGORY_UPDATED', locationName, createdAt, data })),
  )
  const location = await aliasOf(opened, '/locationName')
  const types = { output: 'types', target: 'typescript' }
  const observed = await generate({ ...types, filter: `location:"${location}" since:1h` })
  expect(observed).toMatch(/documentation and \d deliveries\./)
  expect(observed).toContain('  loyaltyTier?: number | null')
  const fixtures = { output: 'fixtures', target: 'vitest', filter: 'verdict:invalid' }
  const tests = await generate(fixtures)
  expect(tests).toContain('=== fixtures/category-updated-1.json\n')
  expect(tests).toContain('"spotName":"Terrace north"')
  const all = observed + tests + (await generate({ ...types, filter: '' }))
  for (const each of [...planted, value]) expect(all).not.toContain(each)

  const documented = await generate(types)
  expect(documented).toContain('from the API documentation.')
  expect(documented.endsWith('}\n')).toBe(true)
  expect(await generate({ ...types, target: 'cobol' })).toMatch(/^bad_input: .*typescript/)
  for (const filter of ['canary', 'data.spotName:T*', `type:${value}`, 'header:x-api-key=a*'])
    expect(await generate({ ...types, filter }), filter).toMatch(/^bad_filter: /)
})

test('what the user keeps in exports is masked, and what the user masks cannot be searched', async () => {
  await session.call('logs.setChoices', {
    choices: [
      { field: 'data.loyaltyTier', as: 'keep' },
      { field: 'data.total', as: 'mask' },
      { field: 'body.createdAt', as: 'mask' },
    ],
  })
  expect(JSON.stringify(await read(ordered, '/data'))).not.toMatch(/canary|42\.5/)
  expect(await ask('data.loyaltyTier:"canary gold"')).toMatch(/^bad_filter: /)
  for (const filter of ['data.total:>40', 'lag:>1s', '-created:<1h'])
    expect(await ask(filter)).toMatch(/^bad_filter: .* as the user has selected/)
})

test('a signature of a body with a raw line break in a text is diagnosed', async () => {
  await tab().receive(post(tab().path, '{"type":"OPEN_TAB","data":{"name":"G\nu"}}'))
  const [id = 0] = await search('')
  expect((await call('diagnose_signature', { id })).isError).toBe(false)
})
