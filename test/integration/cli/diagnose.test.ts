import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { DiagnosisOutput } from '#contract/cli-output/deliveries.ts'
import { jsonLines, runCli, startListening, type CliOptions } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

const secret = 'Kq3-of-the-endpoint-17'
const body = '{"type":"OPEN_TAB","data":{"name":"Ada"}}'
const hmac = (key: string) => createHmac('sha256', key).update(body).digest()
let folder: OwnedFolder

const diagnose = (args: readonly string[], options: CliOptions = {}) =>
  runCli(['deliveries', 'diagnose', ...args, '--data', folder.path], options)

beforeAll(async () => {
  folder = ownedFolder()
  await using listening = await startListening(folder.path, ['listen', '--secret', secret])
  const signatures = [hmac(secret).toString('base64'), hmac('Zz9-of-another').toString('hex')]
  for (const signature of [...signatures, hmac(secret).toString('hex')]) {
    await fetch(listening.ready.endpoint, {
      method: 'POST',
      headers: { 'X-Service-Signature': signature },
      body,
    })
  }
  // While it runs, commands join it.
  const joined = await diagnose(['1', '--json'])
  expect(joined).toMatchObject({ code: 0, stderr: '' })
  expect(jsonLines(joined.stdout)[0]).toMatchObject({ event: 'diagnosis', deliveryId: 1 })
})

afterAll(() => folder[Symbol.asyncDispose]())

it('reports what matches, and what to do', async () => {
  const { code, stdout, stderr } = await diagnose(['1'])
  const text = stdout.toString()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(text).toMatch(/^invalid {2}Found: encoded in base64 instead of hex\./)
  expect(text).toContain('encoding.base64')
  expect(text).toContain('Encode the signature in hex')
  expect(text).toMatch(/\d+ signatures computed\. To list \d+ causes that do not match: --all/)
  expect(text).not.toContain('ruled out')
  expect(text).not.toContain(secret)
})

describe('while Tabscope runs', () => {
  const held = engineOnFolder(() => folder.path, { secret })

  it('lists every cause with --all', async () => {
    const text = (await diagnose(['1', '--all'])).stdout.toString()
    expect(text.match(/^ruled out {2}/gm)?.length).toBeGreaterThan(50)
  })

  it('is one object with --json', async () => {
    const [line] = jsonLines((await diagnose(['2', '--json'])).stdout)
    const diagnosis = DiagnosisOutput.parse(line)
    expect(diagnosis).toMatchObject({ verdict: 'invalid', candidate: null, exhaustive: true })
  })

  it('reports a valid delivery as valid', async () => {
    const text = (await diagnose(['3'])).stdout.toString()
    expect(text).toMatch(/^valid {2}The signature is valid/)
  })

  it('tries a secret from the environment or from stdin, and does not repeat it', async () => {
    const fromStdin = await diagnose(['2', '--secret-stdin'], { stdin: 'Zz9-of-another\n' })
    const fromEnv = await diagnose(['2', '--secret-env', 'TRY'], { env: { TRY: 'Zz9-of-another' } })
    for (const { code, stdout, stderr } of [fromStdin, fromEnv]) {
      const text = stdout.toString()
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(text).toContain('The given secret produces this signature.')
      expect(text).not.toContain('Zz9')
    }
    const other = await diagnose(['2', '--secret-stdin'], { stdin: 'Yy8' })
    expect(other.stdout.toString()).toContain('does not produce this signature')
  })

  it.each([
    ['base64', 'encoding.base64'],
    ['prefix', 'encoding.prefix'],
    ['pretty', 'body.pretty'],
    ['line-break', 'body.newline'],
    ['secret-line-break', 'secret.line_break'],
    ['sha1', 'algorithm.sha1'],
    ['plain', 'algorithm.plain'],
  ] as const)('finds the cause of trigger --sign-wrong %s', async (way, code) => {
    const { port, path: place } = held()
    await held().forget()
    const target = ['--to', `http://127.0.0.1:${port}${place}`, '--secret', secret]
    const sent = await runCli(['trigger', 'ORDER_PLACED', ...target, '--sign-wrong', way, '--json'])
    expect(sent).toMatchObject({ code: 0, stderr: '' })
    const { id } = await held().one()
    const result = await diagnose([String(id), '--json'])
    const { causes } = DiagnosisOutput.parse(jsonLines(result.stdout)[0])
    const found = causes.filter(({ outcome }) => outcome === 'matches').map((cause) => cause.code)
    expect(found).toEqual([code])
  })

  it('reports a missing delivery', async () => {
    const { code, stderr } = await diagnose(['77'])
    expect(code).toBe(3)
    expect(stderr).toContain('Delivery 77 does not exist.')
  })
})

it.each([
  [['2', '--secret', 'Zz9'], /--secret/],
  [['2', '--secret-stdin', '--secret-env', 'TRY'], /cannot be used with option/],
  [['2', '--secret-stdin'], /No secret was received on stdin/],
  [['2', '--secret-env', 'TRY'], /TRY is not set/],
  [[], /Missing required argument/],
] as const)('rejects %j', async (args, words) => {
  const { code, stdout, stderr } = await diagnose([...args], { env: { TRY: '' } })
  expect(code).toBe(2)
  expect(stdout.byteLength).toBe(0)
  expect(stderr).toMatch(words)
  expect(stderr).not.toContain('Zz9')
})

it('rejects an unknown --sign-wrong value, and lists the known ones', async () => {
  const { code, stderr } = await runCli(['trigger', 'ORDER_PLACED', '--sign-wrong', 'toString'])
  expect(code).toBe(2)
  expect(stderr).toContain('base64, prefix, pretty')
})
