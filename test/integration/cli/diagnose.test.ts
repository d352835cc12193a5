import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cliLines } from '#contract/cli-output.ts'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { jsonLines, runCli, type CliOptions } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const secret = 'Kq3-of-the-endpoint-17'
const body = '{"type":"OPEN_TAB","data":{"name":"Ada"}}'
const hmac = (key: string) => createHmac('sha256', key).update(body).digest()
const folder = ownedFolder()
// Registered first, so that it runs last.
afterAll(() => folder[Symbol.asyncDispose]())
const held = engineOnFolder(() => folder.path, { secret })

const diagnose = (args: readonly string[], options: CliOptions = {}) =>
  runCli(['delivery', 'diagnose', ...args, '--data', folder.path], options)

beforeAll(async () => {
  for (const signature of [
    hmac(secret).toString('base64'),
    hmac('Zz9-of-another').toString('hex'),
    hmac(secret).toString('hex'),
  ]) {
    const headers = { 'X-Service-Signature': signature }
    await fetch(held().endpoint, { method: 'POST', headers, body })
  }
  await held().engine.catchUp()
})

it('reports what matches, and what to do', async () => {
  const { code, stdout, stderr } = await diagnose(['1'])
  const text = stdout.toString()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(text).toMatch(/^invalid {2}Found: encoded in base64 instead of hex\./)
  expect(text).toContain('encoding.base64')
  expect(text).toContain('Encode the signature in hex')
  expect(text).toMatch(/\d+ signatures computed\. To list what was ruled out: --all/)
  expect(text).not.toMatch(/^ruled out/m)
  expect(text).not.toContain(secret)
})

it('lists what was tried and ruled out with --all', async () => {
  const text = (await diagnose(['2', '--all'])).stdout.toString()
  expect(text).toMatch(/^ruled out {2}The body was received and stored completely/m)
})

it('finds out what a handler computed', async () => {
  const own = createHmac('sha256', secret).update('{"type": "OPEN_TAB", "data": {"name": "Ada"}}')
  const text = (await diagnose(['3', '--computed', own.digest('hex')])).stdout.toString()
  expect(text).toContain('The signature is valid')
  expect(text).toContain('json.dumps of Python')
  expect(text).toContain('Fix it in your handler')
})

it('is one object with --json', async () => {
  const [line] = jsonLines((await diagnose(['2', '--json'])).stdout)
  const diagnosis = cliLines.diagnosis.parse(line)
  expect(diagnosis).toMatchObject({ verdict: 'invalid', candidate: null, exhaustive: true })
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

it('does not accept a secret as an argument, and does not repeat it', async () => {
  const { code, stdout, stderr } = await diagnose(['2', '--secret', 'Zz9'])
  expect({ code, bytes: stdout.byteLength }).toEqual({ code: 2, bytes: 0 })
  expect(stderr).not.toContain('Zz9')
})
