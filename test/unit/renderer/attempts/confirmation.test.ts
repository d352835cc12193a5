import { expect, it } from 'vitest'
import { withConfirmation, useTargetQuestion } from '#parts/send/ConfirmTarget.tsx'
import { createClient } from '#client/client.ts'
import { until } from '../../../support/until.ts'
import { FakeHost } from '../fake-host.ts'

const origin = 'https://example.org'

/** A host that rejects `deliveries.resend` until the target is confirmed. */
function started(code: 'target_unconfirmed' | 'bad_target' = 'target_unconfirmed') {
  const host = new FakeHost()
  const client = createClient(host.transport, Date.now)
  const confirmed = () => host.calls.some(({ name }) => name === 'targets.set')
  host.answer = ({ id, name }) => {
    if (name !== 'deliveries.resend' || confirmed()) return { answered: name }
    host.tell({
      kind: 'reply',
      id,
      ok: false,
      error: { code, message: 'Confirm it once.', retry: 'never', details: { origin } },
    })
    return undefined
  }
  host.open()
  host.welcome()
  const sent = withConfirmation(client, () => client.call('deliveries.resend', { id: 7 }))
  return { host, sent, names: () => host.calls.map(({ name }) => name) }
}

it('asks once, stores the confirmation, and sends', async () => {
  const { host, sent, names } = started()
  const question = await until('the question', () => useTargetQuestion.getState().question)
  expect(question.origin).toBe(origin)
  expect(names()).toEqual(['deliveries.resend'])
  question.respond(true)
  expect(await sent).toEqual({ answered: 'deliveries.resend' })
  expect(names()).toEqual(['deliveries.resend', 'targets.set', 'deliveries.resend'])
  expect(host.calls[1]?.input).toEqual({ url: origin, confirmed: true })
  expect(useTargetQuestion.getState().question).toBeNull()
})

it('sends nothing if the user declines', async () => {
  const { sent, names } = started()
  const question = await until('the question', () => useTargetQuestion.getState().question)
  question.respond(false)
  expect(await sent).toBeNull()
  expect(names()).toEqual(['deliveries.resend'])
  expect(useTargetQuestion.getState().question).toBeNull()
})

it('rethrows every other error without asking', async () => {
  const { sent } = started('bad_target')
  await expect(sent).rejects.toMatchObject({ code: 'bad_target' })
  expect(useTargetQuestion.getState().question).toBeNull()
})
