import { describe, expect, it, vi } from 'vitest'
import type { ParsedInput, Handlers } from '#contract/calls.ts'
import { WireError } from '#contract/errors.ts'
import { createDispatch } from '#engine/app/dispatch.ts'
import { AppError } from '#engine/platform/errors.ts'
import { fakeHandlers, silentLog } from '#test/support/fake-handlers.ts'

function dispatchWith(handlers: Partial<Handlers>) {
  const log = silentLog()
  return { ...createDispatch(fakeHandlers(handlers), log), log }
}
async function refusal(name: string, input: unknown, handlers: Partial<Handlers> = {}) {
  const answer = await dispatchWith(handlers).answer(name, input)
  if (answer.ok) throw new Error('it was accepted')
  return WireError.parse(answer.error)
}

describe('dispatch', () => {
  it('passes the parsed input with defaults to the handler, and returns its output', async () => {
    const seen: ParsedInput<'deliveries.page'>[] = []
    const answer = { rows: [], upTo: 3, asOf: 5, total: 0, complete: true, searched: 1 }
    const page = vi.fn(async (input: ParsedInput<'deliveries.page'>) => {
      seen.push(input)
      return answer
    })
    const dispatch = dispatchWith({ 'deliveries.page': page })
    const input = { upTo: null, offset: 0, limit: 10, unheardOf: 1 }
    expect(await dispatch.answer('deliveries.page', input)).toEqual({ ok: true, output: answer })
    expect(await dispatch.call('deliveries.page', input)).toEqual(answer)
    const given = { upTo: null, offset: 0, limit: 10 }
    const expected = { log: null, filter: '', asOf: null, sort: null, ...given }
    expect(seen).toEqual([expected, expected])
  })

  it.each(['deliveries.nothing', '', 'toString', '__proto__', 'constructor'])(
    'rejects the unknown call %j',
    async (name) => {
      expect(await refusal(name, {})).toMatchObject({ code: 'bad_input', retry: 'never' })
    },
  )

  it('names every invalid field, without its value', async () => {
    const error = await refusal('endpoints.create', {
      integrationId: 0,
      name: ' ',
      slug: 'Not A Slug',
      applicationId: '',
      customHeaders: [['only a name']],
      secret: 'whsec-9f3a'.repeat(101),
    })
    expect(error.code).toBe('bad_input')
    expect(error.details?.['fields']).toEqual(
      expect.arrayContaining(['integrationId', 'name', 'slug', 'customHeaders.0', 'secret']),
    )
    expect(error.message).toContain('slug: Use 1 to 63 lower-case letters')
    expect(JSON.stringify(error)).not.toContain('whsec')
  })

  it.each([undefined, null, 7, 'text', []])('rejects the input %j', async (input) => {
    expect((await refusal('deliveries.get', input)).code).toBe('bad_input')
  })

  it('throws bad_input for a caller in the same process', async () => {
    const dispatch = dispatchWith({})
    await expect(dispatch.call('deliveries.get', { id: -1 })).rejects.toMatchObject({
      name: 'AppError',
      code: 'bad_input',
    })
  })

  it('returns an AppError unchanged, and logs nothing', async () => {
    const dispatch = dispatchWith({
      'deliveries.get': async () => {
        throw new AppError('not_found', 'Gone.', { retry: 'later', details: { id: 4 } })
      },
    })
    expect(await dispatch.answer('deliveries.get', { id: 4 })).toEqual({
      ok: false,
      error: { code: 'not_found', message: 'Gone.', retry: 'later', details: { id: 4 } },
    })
    expect(dispatch.log.errors).toEqual([])
  })

  it.each([
    new Error('SQLITE_FULL: secret whsec-9f3a of /home/me'),
    'whsec-9f3a',
    { secret: 'whsec-9f3a' },
    undefined,
  ])(
    'converts any other error to an internal error with a log ID, without details',
    async (thrown) => {
      const dispatch = dispatchWith({
        'deliveries.clear': async () => {
          throw thrown
        },
      })
      const answer = await dispatch.answer('deliveries.clear', {})
      expect(answer).toMatchObject({ ok: false, error: { code: 'internal', logId: 'log-1' } })
      const wire = JSON.stringify(answer)
      for (const inside of ['whsec', 'SQLITE', '/home', 'at ', '.ts'])
        expect(wire).not.toContain(inside)
      expect(wire).toContain('See the log entry log-1')
      expect(dispatch.log.errors).toEqual([['call deliveries.clear failed', thrown]])
    },
  )
})
