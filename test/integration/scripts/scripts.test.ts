import { expect, test } from 'vitest'
import type { PushPayload } from '#contract/pushes.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { goodBody, post } from '#test/support/requests.ts'

const tab = sharedTestEngine()
const source = '() => ({ status: 201 })'
const forward = { url: 'http://127.0.0.1:1/' }
const rule = { type: null, delayMs: 0, when: { kind: 'always' }, enabled: true } as const

test('a source that cannot be compiled is not saved', async () => {
  const { engine } = tab()
  const saved = engine.call('scripts.save', { name: 'faulty', source: '() => {\n  const a = ;\n}' })
  await expect(saved).rejects.toMatchObject({
    code: 'bad_input',
    message: 'Line 2: SyntaxError: Expression expected',
    details: { line: 2, column: null },
  })
  expect(await engine.call('scripts.list', {})).toEqual([])
})

test('a rule, target or re-send can name only a script that exists, which then cannot be removed', async () => {
  const opened = tab()
  const { engine, endpointId, path } = opened
  const script = 'used'
  const response = { kind: 'script', script, onFailure: 'continue' } as const
  await opened.receive(post(path, goodBody))
  const target = await engine.call('forwards.add', { endpointId, ...forward })
  const uses = [
    () => engine.call('forwards.update', { id: target.id, script }),
    () => engine.call('responses.set', { endpointId, rules: [{ ...rule, response }] }),
  ]
  const others = [
    () => engine.call('forwards.add', { endpointId, ...forward, types: ['A'], script }),
    () => engine.call('responses.add', { endpointId, ...rule, response }),
    () => engine.call('deliveries.resend', { id: 1, ...forward, script }),
    () => engine.call('jobs.start', { ids: [1], ...forward, script }),
    () => engine.call('scripts.remove', { name: script }),
  ]
  for (const use of [...uses, ...others]) {
    await expect(use()).rejects.toMatchObject({
      code: 'not_found',
      message: 'The script "used" does not exist. Available: none.',
    })
  }
  const pushes: PushPayload<'scripts.changed'>[] = []
  engine.on('scripts.changed', (scripts) => void pushes.push(scripts))
  await engine.call('scripts.save', { name: script, source })
  for (const use of uses) await use()
  const [{ usedBy } = { usedBy: null }] = await engine.call('scripts.list', {})
  const rules = await engine.call('app.snapshot', {})
  const responses = rules.responses.map(({ id }) => id)
  expect(usedBy).toEqual({ responses, forwards: [target.id] })
  await expect(engine.call('scripts.remove', { name: script })).rejects.toMatchObject({
    code: 'in_use',
    message: `The script "used" is used by response rule ${responses[0]}, forward target ${target.id}. Let them use none first.`,
  })
  await engine.call('responses.set', { endpointId, rules: [] })
  await engine.call('forwards.update', { id: target.id, script: null })
  await engine.call('scripts.remove', { name: script })
  expect(pushes.map((scripts) => scripts.map((one) => one.usedBy.forwards.length))).toEqual([
    [0],
    [1],
    [1],
    [1],
    [0],
    [],
  ])
})

test('a script runs on a stored delivery, and keeps nothing', async () => {
  const opened = tab()
  const { engine, path } = opened
  await opened.receive(post(path, goodBody))
  const { id, body } = await opened.one()
  const counting =
    '({ text }: Delivery, { log, state }) => {\n  state.n += 1\n  log(text)\n  return { body: text }\n}'
  for (let time = 0; time < 2; time += 1) {
    const run = await engine.call('scripts.run', {
      source: counting,
      deliveryId: id,
      state: '{"n":4}',
    })
    expect(run).toMatchObject({
      result: { kind: 'request', body: new Uint8Array(body) },
      state: '{"n":5}',
      log: [body.toString().slice(0, 500)],
    })
  }
  const missing = engine.call('scripts.run', { source, deliveryId: 9999 })
  await expect(missing).rejects.toMatchObject({ code: 'not_found' })
  const notJson = engine.call('scripts.run', { source, deliveryId: id, state: '{' })
  await expect(notJson).rejects.toMatchObject({ code: 'bad_input' })
})
