import { createHash, createHmac } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { frameworks } from '#catalogue/frameworks.ts'
import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import { generate } from '#engine/handlers/generate/generate.ts'
import { buildModel } from '#engine/handlers/generate/model.ts'
import { full } from '#test/support/full.ts'
import { samples } from '#test/support/generated-events.ts'
import { identity, rehearse } from '#test/support/rehearsal/rehearse.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { type Handler, run, startProject } from './project.ts'
import { type Runtime, runtimeOf } from './runtimes.ts'

const ownModules = path.resolve('node_modules')

describe.concurrent('a generated handler passes every case', () => {
  for (const { id, label } of frameworks) {
    const runtime = runtimeOf(id)
    const test = full && runtime.missing === null ? it : it.skip
    test(`${label}${runtime.missing === null ? '' : ` (skipped: ${runtime.missing})`}`, async () => {
      await using folder = ownedFolder()
      await write(folder.path, 'handler', id)
      await expectGradeA(folder.path, runtime)
    })
  }
})

const secret = 'a secret with ümlaut, 0123456789'

/** Bodies whose original bytes are lost by parsing. */
const bodies = {
  compact: '{"type":"OPEN_TAB","data":{}}',
  pretty: '{\n  "type": "ORDER_PLACED",\n  "data": { "total": 15.50 }\n}\n',
  'with signs beyond ASCII': '{"type":"ORDER_PLACED","data":{"orderName":"Zoë \u{1F37A} \u2028"}}',
  'with escapes': '{"type":"QR_SCANNED","data":{"entryPoint":"https:\\/\\/x\\/\\u00e9"}}',
  'with a name twice and CRLF': '{\r\n"type":"X",\t"total":1.50,"total":1.5e0 }\r\n\r\n',
} as const

const hmac = (body: string, key = secret): string =>
  createHmac('sha256', key).update(body).digest('hex')

async function send(url: string, body: string, signature: string | null): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(signature === null ? {} : { 'X-Service-Signature': signature }),
    },
    body,
  })
  await response.arrayBuffer()
  return response.status
}

describe.concurrent('a folder of resources/generate is a project once its types are generated', () => {
  for (const { id, label, types, typesFolder } of frameworks) {
    const runtime = runtimeOf(id)
    const isRun = runtime.missing === null && (full || id === 'express')
    const test = isRun ? it : it.skip
    test(`${label} accepts only the correct signature over the received bytes`, async () => {
      await using folder = ownedFolder()
      cpSync(path.join('resources/generate/handlers', id), folder.path, { recursive: true })
      if (types !== undefined)
        await write(path.join(folder.path, typesFolder ?? ''), 'types', types, ['ORDER_PLACED'])
      await expectTyped(folder.path, runtime)
      await using handler = await startProject(folder.path, runtime, { WEBHOOK_SECRET: secret })
      expect(handler.alive(), handler.output()).toBe(true)
      // Others than those of a project say where they listen.
      const { host } = new URL(handler.url)
      if (!runtime.served) await until('its address', () => handler.output().includes(host))
      await expectVerified(handler)
      const order = JSON.stringify(samples().find(({ type }) => type === 'ORDER_PLACED'))
      expect(await send(handler.url, order, hmac(order)), handler.output()).toBe(204)
      await until('the event to be processed', () => handler.output().includes('Processed'))
      expect(handler.output()).not.toContain(secret)
      for (const none of [{}, { WEBHOOK_SECRET: '' }]) {
        await using unset = await startProject(folder.path, runtime, none)
        if (unset.alive()) expect(await send(unset.url, '{}', hmac('{}', ''))).toBe(500)
        await until('the reason', () => unset.output().includes('Set WEBHOOK_SECRET.'))
      }
    })
  }
})

async function expectVerified(handler: Handler): Promise<void> {
  const { url } = handler
  for (const [name, body] of Object.entries(bodies)) {
    expect(await send(url, body, hmac(body)), `${name}\n${handler.output()}`).toBe(204)
    const again = JSON.stringify(JSON.parse(body))
    if (again !== body) expect(await send(url, body, hmac(again)), name).toBe(401)
  }
  const body = bodies.pretty
  const right = hmac(body)
  const wrong: Record<string, string | null> = {
    'another secret': hmac(body, 'another secret'),
    'an empty secret': hmac(body, ''),
    'a hash without the secret': createHash('sha256').update(body).digest('hex'),
    'one digit changed': right.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    none: null,
    'an empty one': '',
    'a short one': right.slice(0, 32),
    'a long one': `${right}0`,
    capitals: right.toUpperCase(),
    'a prefix': `sha256=${right}`,
    'as long in letters, longer in bytes': 'ÿ'.repeat(64),
    garbage: '%00%ff \u00ff{}',
    base64: createHmac('sha256', secret).update(body).digest('base64'),
  }
  for (const [name, signature] of Object.entries(wrong))
    expect(await send(url, body, signature), `${name}\n${handler.output()}`).toBe(401)
  expect(await send(url, `${body} `, right), 'another body').toBe(401)
  expect(await send(url, '', null), 'nothing at all').toBe(401)
  expect(await send(url, '{"type":', null)).toBe(401)
}

/** Writes what is generated to a folder. */
async function write(
  folder: string,
  output: 'handler' | 'types',
  target: string,
  types: readonly string[] = [],
): Promise<void> {
  const { brand } = identity
  const model = buildModel({ version: '1.0.0', brand, types, observation: null })
  for (const file of await generate({ output, target, model, fixtures: [] })) {
    const to = path.join(folder, ...file.path.split('/'))
    mkdirSync(path.dirname(to), { recursive: true })
    writeFileSync(to, file.text)
  }
}

async function expectTyped(folder: string, { modules, prepare }: Runtime): Promise<void> {
  if (!existsSync(path.join(folder, 'tsconfig.json'))) return
  symlinkSync(modules ?? ownModules, path.join(folder, 'node_modules'), 'junction')
  if (prepare) await run(prepare(folder), folder)
  await run([process.execPath, path.join(ownModules, 'typescript/bin/tsc')], folder)
}

/** Printed once for each event that a handler processes. Threads print into the lines of each other. */
const effectsOf = (handler: Handler) => async () => handler.output().split('Processed').length - 1

/** The code has no type errors; it passes every case, also signed with the previous secret. */
async function expectGradeA(folder: string, runtime: Runtime): Promise<void> {
  const { secret } = identity
  await expectTyped(folder, runtime)
  {
    await using handler = await startProject(folder, runtime, { WEBHOOK_SECRET: secret })
    const rehearsed = await rehearse(handler.url, effectsOf(handler))
    const { noticed, problem, grade, results } = rehearsed
    const output = handler.output()
    expect(problem, output.slice(-2000)).toBe(null)
    const unexpected = noticed.filter((each) => !runtime.fails?.includes(each))
    expect(unexpected, output.slice(-2000)).toEqual([])
    expect(results.map(({ id }) => id)).toEqual(rehearsalCases.map(({ id }) => id))
    if (!runtime.fails) expect(grade).toEqual({ grade: 'A', cappedBy: null })
    expect(output).not.toContain(secret)
  }
  {
    const environment = { WEBHOOK_SECRET: 'the next secret', WEBHOOK_PREVIOUS_SECRET: secret }
    await using handler = await startProject(folder, runtime, environment)
    const only = ['G1', 'S3', 'S4']
    const { noticed, results } = await rehearse(handler.url, effectsOf(handler), { only })
    expect(noticed, handler.output().slice(-2000)).toEqual([])
    const passed = results.filter(({ result }) => result === 'pass')
    expect(passed.map(({ id }) => id)).toEqual(only)
  }
}
