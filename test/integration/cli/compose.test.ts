import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sharedTabscope } from '#test/support/engine-on-folder.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { sign } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'

const { folder, tab } = sharedTabscope({ secret: 'the secret of it' })
const service = await loopbackService((_, response) => void response.end('ok'))
afterAll(() => service[Symbol.asyncDispose]())

async function compose(...args: string[]) {
  const result = await runCli(['compose', ...args, '--data', folder, '--json'])
  return { ...result, lines: jsonLines(result.stdout) }
}

test('is valid at the running listener, signed with its secret', async () => {
  const args = ['--type', 'OPEN_TAB', '--to', tab().endpoint] as const
  expect((await compose(...args)).code).toBe(0)
  const wrong = await compose(...args, '--sign-wrong', 'digit')
  // The listener accepts every delivery, so this is not the expected refusal.
  expect(wrong.code).toBe(1)
  const listed = await runCli(['delivery', 'list', '--data', folder, '--json'])
  expect(jsonLines(listed.stdout)).toMatchObject([
    { type: 'OPEN_TAB', verdict: 'invalid' },
    { type: 'OPEN_TAB', verdict: 'valid', findings: [] },
  ])
})

test('sends the exact body from stdin', async () => {
  const bytes = Buffer.from('\u{feff}{"type" : 1}\r\n', 'utf8')
  const args = ['compose', '--body=-', '--unsigned', '--method=put', `--data=${folder}`]
  const result = await runCli([...args, '--to', service.baseUrl], { stdin: bytes })
  expect(result.code).toBe(0)
  const last = service.arrived.at(-1)
  expect(last?.method).toBe('PUT')
  expect(last?.body.equals(bytes)).toBe(true)
  expect(last?.headers).not.toHaveProperty('x-service-signature')
})

test('sends the request of a cURL command, signed again, with edits of the other options', async () => {
  const request = `curl '${service.baseUrl}/in' -X PUT -H 'X-Service-Signature: 00' -H 'Host: of.example' -H 'content-type: a/b'`
  const command = `${request} --data-raw $'{"type":"A","note":"it\\'s"}' --compressed`
  const body = '{"type":"B","note":"it\'s"}'
  const file = path.join(folder, 'command.txt')
  await writeFile(file, command)
  for (const given of [command, file, '-']) {
    const args = ['compose', '--from-curl', given, '--set', 'type=B', `--data=${folder}`]
    const { code, stderr } = await runCli(args, { stdin: command })
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Not taken over: --compressed\n' })
    const last = service.arrived.at(-1)
    expect(last).toMatchObject({ method: 'PUT', url: '/in' })
    expect(last?.body.toString()).toBe(body)
    expect(last?.headers).toMatchObject({
      host: 'of.example',
      'content-type': 'a/b',
      'x-service-signature': sign(body, 'the secret of it'),
    })
  }
  const refused = await compose('--from-curl', 'curl x -d @body.json')
  expect(refused.stderr).toContain('-d names the file body.json, which is not read.')
  expect(refused.code).toBe(2)
})
