import { createHmac } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { sharedTabscope } from '#test/support/engine-on-folder.ts'
import { runCli, type CliOptions } from '#test/support/run-cli.ts'

const secret = 'Kq3-of-the-endpoint-17'
const body = '{"type":"OPEN_TAB","data":{"name":"Ada"}}'
const hmac = (key: string) => createHmac('sha256', key).update(body).digest()
const { folder, tab: held } = sharedTabscope({ secret })

const diagnose = (args: readonly string[], options: CliOptions = {}) =>
  runCli(['delivery', 'diagnose', ...args, '--data', folder], options)

const tried = (TRY: string) => diagnose(['2', '--secret-env', 'TRY'], { env: { TRY } })

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

it('finds out what a handler computed', async () => {
  const own = createHmac('sha256', secret).update('{"type": "OPEN_TAB", "data": {"name": "Ada"}}')
  const text = (await diagnose(['3', '--computed', own.digest('hex')])).stdout.toString()
  expect(text).toContain('The signature is valid')
  expect(text).toContain('json.dumps of Python')
  expect(text).toContain('Fix it in your handler')
})

it('tries a secret from the environment, and does not repeat it', async () => {
  const { code, stdout, stderr } = await tried('Zz9-of-another')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.toString()).toContain('The given secret produces this signature.')
  expect(stdout.toString()).not.toContain('Zz9')
  const other = await tried('Yy8')
  expect(other.stdout.toString()).toContain('does not produce this signature')
})

it('does not accept a secret as an argument, and does not repeat it', async () => {
  const { code, stdout, stderr } = await diagnose(['2', '--secret', 'Zz9'])
  expect({ code, bytes: stdout.byteLength }).toEqual({ code: 2, bytes: 0 })
  expect(stderr).not.toContain('Zz9')
})
