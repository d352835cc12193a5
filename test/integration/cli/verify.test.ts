import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sign } from '#test/support/requests.ts'
import { jsonLines, runCli, type CliOptions } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const secret = 'a shared word'
const body = Buffer.from([0x7b, 0xff, 0x00, 0x0d, 0x0a, 0x7d])
const right = sign(body, secret)

const verify = (args: readonly string[], options: CliOptions = {}) =>
  runCli(['verify', '--secret', secret, ...args], options)

test.for([
  ['a valid signature', right, 0, undefined],
  ['another', right.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), 1, []],
  ['base64', Buffer.from(right, 'hex').toString('base64'), 1, ['encoding.base64']],
  [
    'a signature with a line break in the secret',
    sign(body, `${secret}\n`),
    1,
    ['secret.line_break'],
  ],
] as const)('%s over a file and over stdin', async ([, signature, code, causes]) => {
  await using folder = ownedFolder()
  const file = path.join(folder.path, 'body')
  await writeFile(file, body)
  for (const result of [
    await verify(['--signature', signature, file, '--json']),
    await verify(['--signature', signature, '-', '--json'], { stdin: body }),
  ]) {
    expect(result).toMatchObject({ code, stderr: '' })
    const [line, ...more] = jsonLines(result.stdout)
    expect(more).toEqual([])
    expect(line).toMatchObject({
      event: 'verify',
      valid: code === 0,
      verdict: code === 0 ? 'valid' : 'invalid',
      bytes: body.byteLength,
    })
    const found: unknown = line?.['causes']
    expect(found).toEqual(
      causes?.map((cause): unknown =>
        expect.objectContaining({ code: cause, outcome: 'matches', fix: expect.any(String) }),
      ),
    )
  }
})

test('an invalid delivery is reported with the reason and what to do', async () => {
  const result = await verify(['--signature', `sha256=${right}`, '-'], { stdin: body })
  const lines = result.stdout.toString().trimEnd().split('\n')
  expect(lines[0]).toBe('invalid: HMAC-SHA256 over 6 bytes')
  expect(lines[1]).toMatch(/^Found: the value starts with the name of the algorithm/)
  expect(lines[2]).toContain('Send only the hex digits')
  expect(result.stdout.toString()).not.toContain(secret)
})

test('reads the secret from the environment, where process lists do not show it', async () => {
  const args = ['verify', '--secret-env', 'HOOK', '--signature', right, '-']
  const given = await runCli(args, { stdin: body, env: { HOOK: secret } })
  expect(given.code).toBe(0)
  const missing = await runCli(args, { stdin: body, env: { HOOK: '' } })
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('HOOK is not set') })
})

test('warns about whitespace at the ends of a secret, and uses it as given', async () => {
  const spaced = `${secret} `
  const args = ['verify', '--secret-env', 'SPACED', '--signature', sign(body, spaced), '-']
  const result = await runCli(args, { stdin: body, env: { SPACED: spaced } })
  expect(result.code).toBe(0)
  expect(result.stderr).toContain(
    'Warning: The environment variable SPACED starts or ends with whitespace',
  )
  expect(result.stderr).not.toContain(secret)
})
