import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openSession, type Session } from '#hosts/node/session.ts'
import type { TestEngine } from '#test/support/engine.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { post } from '#test/support/requests.ts'
import { cliFile } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

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

let folder: OwnedFolder
let tab: TestEngine
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
  folder = ownedFolder()
  const dataDir = path.join(folder.path, 'data')
  tab = await openTabscope(dataDir, { secret })
  session = await openSession(dataDir)
  client = new Client({ name: 'test', version: '1' })
  const args = [cliFile, 'mcp', '--data', dataDir]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  await client.listTools()
  const secretHeaders = [`X-Api-Key: ${apiKey}`, `X-Trace: Bearer ${jwt}`]
  await tab.receive(
    post(tab.path, JSON.stringify(bodies.opened), secretHeaders),
    post(`${tab.path}?token=${jwt}`, JSON.stringify(bodies.ordered)),
    post(tab.path, JSON.stringify(bodies.subscribed)),
  )
  ;[subscribed = 0, ordered = 0, opened = 0] = await search('')
  const note = `Ask ${guest} about ${jwt}`
  await session.call('deliveries.annotate', { id: opened, note, tags: ['a canary tag'] })
})

afterAll(async () => {
  await client.close()
  await session[Symbol.asyncDispose]()
  await tab.close()
  folder[Symbol.asyncDispose]()
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
    for (const part of ['summary', 'headers', 'findings', 'attempts']) {
      await call('get_delivery', { id, part })
    }
    await call('read_body', { id })
    const { contents } = await client.readResource({ uri: `tabscope://deliveries/${id}` })
    said.push(JSON.stringify(contents))
  }
  const all = said.join('\n')
  expect(all).toContain('Terrace north')
  for (const each of planted) expect(all).not.toContain(each)
})

describe('aliases', () => {
  test('are the same in all answers, and filters accept them', async () => {
    const alias = await aliasOf(opened, '/targetUuid')
    expect(alias).toMatch(/^uuid \d+$/)
    expect(await aliasOf(ordered, '/data/tabUuid')).toBe(alias)
    expect(await search(`target:"${alias}"`)).toEqual([opened])
    expect(await search(`data.tabUuid:"${alias}"`)).toEqual([ordered])
    expect(await search(`"${alias}"`)).toEqual([ordered, opened])
    expect(await search(`ref:"${alias}"`)).toEqual([ordered, opened])
    expect(await search(`target:"${alias}" or type:ORDER_PLACED`)).toEqual([ordered, opened])
    const location = await aliasOf(opened, '/locationName')
    expect(await search(`location:"${location}" type:OPEN_TAB`)).toEqual([opened])
    const waited = await call('wait_for', { filter: `target:"${alias}"`, after: 0, seconds: 0 })
    expect(waited.structuredContent).toMatchObject({ ids: [opened] })
  })

  test('are refused if no answer had them, or where they do not belong', async () => {
    expect(await ask('target:"uuid 999"')).toMatch(/^bad_filter: No answer .*"uuid 999"/)
    expect(await ask(`target:${tabUuid}`)).toMatch(/^bad_filter: .*target:"uuid 7"$/)
    const alias = await aliasOf(subscribed, '/data/handle')
    expect(alias).toMatch(/^\+phone \d+$/)
    expect(await search(`data.handle:"${alias}"`)).toEqual([subscribed])
    expect(await search(`data.handle:"${alias.slice(1)}"`)).toEqual([subscribed])
    // The handle is also in a spot name, which is masked.
    expect(await search(`"${alias}"`)).toEqual([subscribed])
    expect(await ask(`-data.handle:"${alias}"`)).toMatch(/^bad_filter: .*cannot be excluded/)
  })
})

describe('a filter learns nothing of what is masked', () => {
  const isMasked = /^bad_filter: The values of .* are masked\. The user can keep/

  test.each([
    'data.handle:+31*',
    '-data.handle:+31*',
    'data.handle:!=x',
    'body.data.pin:>=98000',
    'data.token:eyJ*',
    `data."${guest}":*`,
    'header:x-api-key=a*',
    'header:x-api-key',
    'note:ask',
    'tag:a*',
    'data.loyaltyTier:canary*',
  ])('%s is refused with the way to keep the field', async (filter) => {
    expect(await ask(filter)).toMatch(isMasked)
  })

  test.each([
    'path:*eyJ*',
    'size:>100',
    'contains:canary',
    'method:P*',
    'endpoint:a*',
    'secret:a*',
    '-canary',
    'verdict:invalid or canary',
  ])('%s is refused', async (filter) => {
    expect(await ask(filter)).toMatch(/^bad_filter: /)
  })

  test('words and values that are masked find nothing, in a search and while waiting', async () => {
    const filters = [
      '31612345678',
      'canary',
      `"${guest}"`,
      'guestname or eyJhbGciOiJIUzI1NiJ9',
      apiKey,
      '中',
      'data.spotName:Table*',
      '-data.spotName:Terrace* type:ORDER_PLACED',
      'type:ORDER_PLACED data.spotName:*31*',
    ]
    for (const filter of filters) {
      expect(await search(filter), filter).toEqual([])
      const waited = await call('wait_for', { filter, after: 0, seconds: 0 })
      expect(waited.structuredContent, filter).toMatchObject({ ids: [] })
    }
  })

  test('the numbers of later aliases do not tell what was compared', async () => {
    const texts = ['Probed Guest', 'Another Guest'].map((name) =>
      JSON.stringify({ ...bodies.opened, data: { name } }),
    )
    await tab.receive(...texts.map((text) => post(tab.path, text)))
    const [later = 0] = await search('')
    const before = await aliasOf(opened, '/data/name')
    expect(await search('probed')).toEqual([])
    const after = await aliasOf(later, '/data/name')
    const [first, second] = [before, after].map((alias) => Number(alias.split(' ')[1]))
    expect(second).toBe((first ?? 0) + 1)
  })
})

test('kept fields filter as they are', async () => {
  expect(await search('data.spotName:"Terrace north"')).toEqual([opened])
  expect(await search('data.spotName:terrace*')).toEqual([])
  expect(await search('data.spotName:Terrace* verdict:valid')).toEqual([])
  expect(await search('data.total:>40')).toEqual([ordered])
  expect(await search('data.total:4 or data.total:42.5')).toEqual([ordered, opened])
  expect(await search('body.locationName:* type:ORDER_PLACED')).toEqual([ordered])
  expect(await search('"terrace north"')).toEqual([opened])
  expect(await search('terr type:OPEN_TAB')).toEqual([opened])
  expect(await search('terrace or canary')).toEqual([opened])
  expect(await search('endpoint:1 -type:OPEN_TAB,GUEST_*')).toEqual([ordered])
  let cursor: string | null = null
  for (const id of [ordered, opened]) {
    const args = { filter: 'data.total:>0', limit: 1, ...(cursor === null ? {} : { cursor }) }
    // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the one before
    const { structuredContent } = await call('search_deliveries', args)
    expect(structuredContent).toMatchObject({ deliveries: [{ id }], totalIsAtLeast: true })
    cursor = z.string().parse(structuredContent?.['nextCursor'])
  }
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
  await tab.receive(
    post(tab.path, JSON.stringify({ type: value, data: {} })),
    post(tab.path, JSON.stringify({ type: 'CATEGORY_UPDATED', locationName, createdAt, data })),
  )
  const location = await aliasOf(opened, '/locationName')
  const types = { output: 'types', target: 'typescript' }
  const observed = await generate({ ...types, filter: `location:"${location}" since:1h` })
  expect(observed).toMatch(/documentation and \d deliveries \(by a filter\)\./)
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
  for (const filter of ['canary', 'data.spotName:T*', `type:${value}`, 'header:x-api-key=a*']) {
    expect(await generate({ ...types, filter }), filter).toMatch(/^bad_filter: /)
  }
})

test('a field that the user keeps is shown and can be searched, but no secret in it', async () => {
  const { choices } = await session.call('logs.setChoices', {
    choices: [
      { field: 'data.loyaltyTier', as: 'keep' },
      { field: 'data.note', as: 'keep' },
      { field: 'data.price', as: 'keep' },
      { field: 'body.locationName', as: 'keep' },
      { field: 'header x-api-key', as: 'keep' },
      { field: 'data.spotName', as: 'mask' },
    ],
  })
  expect(choices).toHaveLength(6)
  expect(await read(ordered, '/data/loyaltyTier')).toBe('canary gold')
  expect(await search('data.loyaltyTier:canary*')).toEqual([ordered])
  expect(await search('gold')).toEqual([ordered])
  expect(await search('header:x-api-key=abc*')).toEqual([opened])
  expect(await ask('data.spotName:Terrace*')).toMatch(/^bad_filter: /)
  expect(JSON.stringify(await read(subscribed, '/data'))).not.toContain(secret)
  expect(await search(`data.price:${secret}`)).toEqual([])
  expect(await search('body.locationName:Canary*')).toContain(ordered)
  expect(await search('data.note:a*')).toEqual([])
  // In a body that cannot be parsed, nothing shows which fields contain a secret.
  await tab.receive(post(tab.path, `{"data":{"loyaltyTier":"canary gold","note":"${secret}",`))
  const [broken = 0] = await search('')
  expect((await call('read_body', { id: broken })).structuredContent).toMatchObject({
    captured: expect.not.stringMatching(/gold|7319/),
  })
})

test('a time that the user masks cannot be found by the lag', async () => {
  expect(await ask('lag:>1s')).toBeInstanceOf(Array)
  await session.call('logs.setChoices', { choices: [{ field: 'body.createdAt', as: 'mask' }] })
  expect(await ask('lag:>1s')).toMatch(/^bad_filter: /)
  expect(await ask('-lag:>1s')).toMatch(/^bad_filter: /)
})

test('a signature of a body with a raw line break in a text is diagnosed', async () => {
  await tab.receive(post(tab.path, '{"type":"OPEN_TAB","data":{"name":"G\nu"}}'))
  const [id = 0] = await search('')
  expect((await call('diagnose_signature', { id })).isError).toBe(false)
})
