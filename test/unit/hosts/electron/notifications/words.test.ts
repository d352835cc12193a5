import { describe, expect, it } from 'vitest'
import { createFailures } from '#hosts/electron/failures.ts'
import { failuresNote, tunnelNote } from '#hosts/electron/notifications/words.ts'
import { safeText } from '#hosts/electron/safe-text.ts'

const failure = (id: number, verdict: 'invalid' | 'missing' = 'invalid', endpointId = 1) => ({
  id,
  verdict,
  endpointId,
  receivedAt: 1000,
})
const at = () => '20:14'

describe('what a notification says', () => {
  it('names one delivery and leads to it', () => {
    expect(failuresNote({ items: [failure(12)], since: 0 }, () => 'Main', at)).toEqual({
      title: 'A signature failed',
      body: 'Delivery 12 to “Main”, at 20:14.',
      place: '#/deliveries/12',
    })
    const unsigned = { items: [failure(12, 'missing')], since: 0 }
    expect(failuresNote(unsigned, () => undefined, at)?.title).toBe('A delivery has no signature')
  })

  it('sums up many, and names an endpoint that all are of', () => {
    const items = [failure(12), failure(13, 'missing'), failure(14)]
    expect(failuresNote({ items, since: 0 }, () => 'Main', at)).toEqual({
      title: '3 deliveries failed their signature check',
      body: 'Since 20:14 to “Main”. The newest is 14.',
      place: '#/deliveries/14',
    })
    const two = { items: [failure(1), failure(2, 'invalid', 2)], since: 0 }
    expect(failuresNote(two, () => 'Main', at)?.body).toBe('Since 20:14. The newest is 2.')
    expect(failuresNote({ items: [], since: 0 }, () => 'Main', at)).toBeNull()
  })

  it('has nothing of the sender in it, and a name cannot drive the system', () => {
    const name = '<a href="x">\u202Eevil\n\u0007&co '.repeat(20)
    const body = failuresNote({ items: [failure(1)], since: 0 }, () => name, at)?.body ?? ''
    expect(body).not.toMatch(/[<>&\n\u0007\u202E]/)
    expect(body.length).toBeLessThan(100)
    expect(safeText(`${'a'.repeat(58)}😀b`)).toBe(`${'a'.repeat(58)}…`)
  })

  it('leads to the tunnel', () => {
    expect(tunnelNote({ kind: 'lost' })).toMatchObject({
      title: 'The tunnel is lost',
      place: '#/tunnel',
    })
    const back = tunnelNote({ kind: 'back', url: 'https://pier9.loca.lt' })
    expect(back.body).toBe('Deliveries come through pier9.loca.lt again.')
    expect(tunnelNote({ kind: 'back', url: null }).body).toBe('Deliveries come through again.')
  })
})

const row = (
  id: number,
  verdict: 'valid' | 'invalid' | 'missing' | 'unsigned',
  receivedAt = 100,
) => ({ id, verdict, receivedAt, endpointId: null })

describe('failures that nobody saw', () => {
  it('are those whose signature failed or is missing, while nobody looks', () => {
    const failures = createFailures()
    failures.begin(0)
    const rows = [row(1, 'valid'), row(2, 'invalid'), row(3, 'missing'), row(4, 'unsigned')]
    expect(failures.take(rows, false).map(({ id }) => id)).toEqual([2, 3])
    expect(failures.count).toBe(2)
    expect(failures.take([row(5, 'invalid')], true)).toEqual([])
    expect(failures.count).toBe(2)
    failures.seen()
    expect(failures.count).toBe(0)
  })

  it('are told once, and never of what came before the engine was started', () => {
    const failures = createFailures()
    failures.begin(1000)
    expect(failures.take([row(7, 'invalid', 999), row(8, 'invalid', 1000)], false)).toHaveLength(1)
    expect(failures.take([row(7, 'invalid', 1001), row(8, 'invalid', 1000)], false)).toEqual([])
    failures.begin(5000)
    expect(failures.take([row(9, 'missing', 4999)], false)).toEqual([])
    expect(failures.count).toBe(1)
  })
})
