import { expect, test } from 'vitest'
import { deliveryParts, getDelivery } from '#hosts/node/mcp/delivery-tools.ts'
import { Connection } from '#hosts/node/mcp/connection.ts'
import { MaskedRecords } from '#hosts/node/mcp/records.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { exportTo } from '#test/support/event-log.ts'
import { deliver, forwardTo, attemptsOf } from '#test/support/forwarding.ts'
import { rawTarget } from '#test/support/raw-target.ts'
import { post } from '#test/support/requests.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

/** Of words that Tabscope's own sentences have, so that only their place tells that they are from outside. */
const planted = {
  log: 'snake on the table',
  error: 'snake in the script',
  key: 'snake_case with spaces',
  location: '/snake/table/41',
  phrase: 'Snake allowed',
  expect: 'snake',
  header: 'snake; order two',
  body: 'snake in the body',
  type: 'GUEST_SNAKE',
  inner: 'INNER_SNAKE',
  answer: 'ANSWER_SNAKE',
}

const bodyOf = (data: Record<string, unknown>): string =>
  JSON.stringify({ type: 'OPEN_TAB', data: { spotName: 'T4', ...data } })

test('no text that a sentence quotes is in an export or an answer to an assistant, and the sentence is', async () => {
  await using folder = ownedFolder()
  await using tab = await openTabscope(folder.path, {})
  const { engine, path } = tab
  const save = (name: string, source: string) => engine.call('scripts.save', { name, source })
  await save('Logs', `(_, { log }) => { log(${JSON.stringify(planted.log)}) }`)
  await save('Fails', `() => { throw new Error(${JSON.stringify(planted.error)}) }`)
  await save('Returns', `() => ({ ${JSON.stringify(planted.key)}: 1 })`)
  const answer = JSON.stringify({ type: planted.answer, message: planted.body })
  await using target = await rawTarget(
    () =>
      `HTTP/1.1 302 ${planted.phrase}\r\nLocation: ${planted.location}\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`,
  )
  const to = (script: string) => forwardTo(tab, `${target.origin}/${script}`, { script })
  await using _logs = await to('Logs')
  await using _fails = await to('Fails')
  await using _returns = await to('Returns')

  const values = { zoneName: 5, note: planted.body, source: { type: planted.inner } }
  await deliver(tab, post(path, bodyOf(values), [`X-Shop: ${planted.header}`]))
  await deliver(tab, post(path, bodyOf({}), [`Expect: ${planted.expect}`]))
  await deliver(tab, post(path, `{"type":"OPEN_TAB","sub":"{\\"type\\":\\"${planted.type}\\"}"}`))
  const ids = (await tab.kept(3)).map(({ id }) => id)
  const [first = 0] = ids
  await attemptsOf(tab, first, 3)
  await until('what failed to be stored', async () => {
    const { findings } = await engine.call('deliveries.get', { id: first })
    return findings.some(({ code }) => code === 'script.failed')
  })

  const formats = await engine.call('logs.formats', {})
  const textOf = async (format: string, redact: boolean): Promise<string> => {
    const bytes = await exportTo(engine, `${folder.path}/${format}-${redact}`, { format, redact })
    return bytes.toString()
  }
  const clear = await textOf('ndjson', false)
  for (const value of Object.values(planted))
    expect(clear).toContain(JSON.stringify(value).slice(1, -1))

  const redacted = await Promise.all(formats.map(({ id }) => textOf(id, true)))
  await using connection = new Connection(folder.path)
  const records = new MaskedRecords(connection)
  const answers = await Promise.all(
    ids.flatMap((id) =>
      deliveryParts.map(async (part) =>
        JSON.stringify(await getDelivery(connection, records, { id, part })),
      ),
    ),
  )
  for (const text of [...redacted, ...answers]) expect(text).not.toMatch(/snake/i)
  const all = answers.join('\n')
  for (const sentence of [
    'logged: “xxxxx xxx xxx xxxxx”',
    'failed: Line 1, column',
    'responded with a redirect to “/xxxxx/xxxxx/000”. Redirects are not followed.',
    'cannot be used in a request. It can have: headers, body, url, sign.',
    'The sender expects “xxxxx”, which Tabscope does not support.',
  ]) {
    expect(all).toContain(sentence)
  }
})
