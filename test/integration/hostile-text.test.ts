import { expect, test } from 'vitest'
import { rawClient } from '#test/support/raw-client.ts'
import { head, sha256 } from '#test/support/requests.ts'
import { jsonLines, runCli, startCli, startListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

/** Markup, a forged line, colors, a window title, an 8-bit CSI, and right-to-left text. */
const hostile =
  '<script>alert(1)</script>\n\r\u001b[31m\u001b]0;x\u0007\u009b31m\u202eevil\u2066\u200f\u007f'
const payload = JSON.stringify({
  type: `OPEN_TAB${hostile}`,
  targetUuid: hostile,
  targetId: hostile,
  locationUuid: hostile,
  locationName: hostile,
  locationId: hostile,
  createdAt: hostile,
  data: { name: hostile, spotName: hostile, [hostile]: hostile },
})
const known = JSON.stringify({ type: 'OPEN_TAB', data: { name: hostile, spotName: hostile } })

const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/

test('no field of a delivery controls the terminal or forges a line', async () => {
  await using folder = ownedFolder()
  const path = '/hooks/sandbox?q=%1b[31m\\u001b'
  const headers = ['Host: a', 'X-Evil: \u009b31m \u0085 <b>', 'Content-Type: text/html']
  {
    await using people = startCli(['listen', '--port', '0', '--data', folder.path])
    const port = await until('the port', () => /127\.0\.0\.1:(\d+)/.exec(people.stderr())?.[1])
    await using client = await rawClient(Number(port))
    for (const body of [payload, known, `\u001b[2J${hostile}`]) {
      const length = `Content-Length: ${Buffer.byteLength(body)}`
      await client.send(
        Buffer.concat([head(`POST ${path} HTTP/1.1`, [...headers, length]), Buffer.from(body)]),
      )
    }
    await client.answers(3)
    await client.send(Buffer.from('\u001b[31mGET\u009b nonsense\r\n\r\n'))
    await client.answers(4)
    people.kill('SIGTERM')
    const { code, stdout, stderr } = await people.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(raw) })
    expect(stdout.toString()).not.toMatch(raw)
    expect(stdout.toString().trimEnd().split('\n')).toHaveLength(4)
  }
  const list = await runCli(['delivery', 'list', '--data', folder.path])
  expect(list.stdout.toString()).not.toMatch(raw)
  expect(list.stdout.toString().trimEnd().split('\n')).toHaveLength(5)
  for (const id of ['1', '2', '3', '4']) {
    const shown = await runCli(['delivery', 'show', id, '--data', folder.path])
    expect(shown.code).toBe(0)
    expect(shown.stdout.toString()).not.toMatch(raw)
  }
  const body = await runCli(['delivery', 'show', '1', '--body', '--data', folder.path])
  expect(body.stdout.toString()).toBe(payload)
})

test('as JSON, every field is unchanged, on one line that is safe to print', async () => {
  await using folder = ownedFolder()
  await using tab = await startListening(folder.path)
  await using client = await rawClient(tab.port)
  await client.send(
    head(`POST ${tab.path} HTTP/1.1`, ['Host: a', `Content-Length: ${Buffer.byteLength(payload)}`]),
  )
  await client.send(payload)
  expect(await client.answer()).toMatchObject({ status: 200 })
  tab.kill('SIGTERM')
  const { stdout } = await tab.ended
  expect(stdout.toString()).not.toMatch(raw)
  expect(jsonLines(stdout)[1]).toMatchObject({
    type: `OPEN_TAB${hostile}`,
    verdict: 'unsigned',
    sha256: sha256(payload),
    findings: expect.arrayContaining([expect.objectContaining({ code: 'payload.unknown_type' })]),
  })
  const shown = await runCli(['delivery', 'show', '1', '--json', '--data', folder.path])
  expect(shown.stdout.toString()).not.toMatch(raw)
  expect(jsonLines(shown.stdout)[0]).toMatchObject({ locationName: hostile })
})
