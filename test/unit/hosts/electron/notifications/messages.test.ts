import { describe, expect, it } from 'vitest'
import { createUnseenFailures } from '#hosts/electron/watch.ts'
import { failuresNote } from '#hosts/electron/notifications/messages.ts'
import { safeText } from '#hosts/electron/safe-text.ts'

const failure = (id: number, verdict: 'invalid' | 'missing' = 'invalid', endpointId = 1) => ({
  id,
  verdict,
  endpointId,
  receivedAt: 1000,
})
const at = () => '20:14'
const batch = (items: ReturnType<typeof failure>[], isAll = true) => ({ items, isAll, since: 0 })

describe('the text of a notification', () => {
  it('counts several, and names their common endpoint', () => {
    const items = [failure(12), failure(13, 'missing'), failure(14)]
    expect(failuresNote(batch(items), () => 'Main', at)).toEqual({
      title: '3 deliveries failed their signature check',
      body: 'Since 20:14 to “Main”. The newest is 14.',
      hash: '#/deliveries/14',
    })
    const two = batch([failure(1), failure(2, 'invalid', 2)])
    expect(failuresNote(two, () => 'Main', at)?.body).toBe('Since 20:14. The newest is 2.')
    const cut = failuresNote(batch(items, false), () => 'Main', at)
    expect(cut?.title).toBe('At least 3 deliveries failed their signature check')
    const one = failuresNote(batch([failure(1)], false), () => 'Main', at)
    expect(one?.title).toBe('At least 1 delivery failed its signature check')
    expect(failuresNote(batch([]), () => 'Main', at)).toBeNull()
  })

  it('contains nothing from the sender, and an endpoint name cannot contain markup', () => {
    const name = '<a href="x">\u202Eevil\n\u0007&co '.repeat(20)
    const body = failuresNote(batch([failure(1)]), () => name, at)?.body ?? ''
    expect(body).not.toMatch(/[<>&\n\u0007\u202E]/)
    expect(body.length).toBeLessThan(100)
    expect(safeText(`${'a'.repeat(58)}😀b`)).toBe(`${'a'.repeat(58)}…`)
  })
})

const row = (
  id: number,
  verdict: 'valid' | 'invalid' | 'missing' | 'unsigned',
  receivedAt = 100,
) => ({ id, verdict, receivedAt, endpointId: null })

/** `count` deliveries in order, of which the first failed. */
const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => row(from + index, index === 0 ? 'invalid' : 'valid'))

describe('unseen failures', () => {
  it('are deliveries with an invalid or missing signature while the user is not looking', () => {
    const failures = createUnseenFailures()
    failures.ignoreBefore(0)
    const some = [row(1, 'valid'), row(2, 'invalid'), row(3, 'missing'), row(4, 'unsigned')]
    expect(failures.add(some, false).failed.map(({ id }) => id)).toEqual([2, 3])
    expect(failures.unseen).toEqual({ count: 2, isAll: true })
    expect(failures.add([row(5, 'invalid')], true).failed).toEqual([])
    expect(failures.unseen.count).toBe(2)
    failures.clear()
    expect(failures.unseen.count).toBe(0)
  })

  it('are counted once, and not for deliveries from before the engine started', () => {
    const failures = createUnseenFailures()
    failures.ignoreBefore(1000)
    const first = failures.add([row(7, 'invalid', 999), row(8, 'invalid', 1000)], false)
    expect(first.failed).toHaveLength(1)
    const again = failures.add([row(7, 'invalid', 1001), row(8, 'invalid', 1000)], false)
    expect(again.failed).toEqual([])
    expect(failures.unseen.count).toBe(1)
  })

  it('are marked as incomplete only if deliveries were left out', () => {
    const failures = createUnseenFailures()
    failures.ignoreBefore(0)
    failures.add(rows(1, 100), false)
    // An ID may be missing for other reasons.
    failures.add(rows(102, 99), false)
    failures.add(rows(201, 100), false)
    expect(failures.unseen).toEqual({ count: 3, isAll: true })
    expect(failures.add(rows(900, 100), false).isAll).toBe(false)
    expect(failures.unseen).toEqual({ count: 4, isAll: false })
    failures.clear()
    // Deliveries that were left out while the user was looking are in the list.
    failures.add(rows(2000, 100), true)
    failures.add(rows(2100, 1), false)
    expect(failures.unseen).toEqual({ count: 1, isAll: true })
  })
})
