import { describe, expect, test } from 'vitest'
import { inlineBody, longestLine, type LogBody } from '#contract/event-log.ts'
import ndjson from '#engine/event-logs/formats/ndjson.ts'
import { PendingDelivery } from '#engine/event-logs/import/pending-delivery.ts'
import type { DeliveryItem } from '#engine/event-logs/items.ts'
import { sampleAttempt, sampleItem } from '#test/support/event-log/sample-item.ts'
import { sampleEnv, sampleHead, written } from '#test/support/event-log/sample-log.ts'
import { linesOf } from '#test/support/exporting.ts'

const log = (items: readonly DeliveryItem[]): Buffer =>
  written(ndjson, items, sampleHead(items, 'a note'))

function bodyOf(body: string | Uint8Array): LogBody | undefined {
  return linesOf(log([sampleItem(1, body)])).of('delivery')[0]?.body
}

describe('a body', () => {
  test.each([
    ['plain', 'hello'],
    ['empty', ''],
    ['with a byte order mark', '\ufeffhello'],
    ['with everything that JSON escapes', '"\\\u0000\u0001\b\t\n\f\r\u001f/'],
    ['with characters of all lengths', 'aäß€☕🎉\u007f\u0080\u07ff\u0800\u2028\u2029\ufffd\uffff'],
  ])('%s is text, exactly', (_, text) => {
    expect(bodyOf(text)).toEqual({ text })
  })

  test.each([
    ['a lone byte', [0xff]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a character that is cut off', [0x61, 0xe2, 0x98]],
  ])('that is not UTF-8 for %s is base64', (_, bytes) => {
    expect(bodyOf(Uint8Array.from(bytes))).toEqual({
      base64: Buffer.from(bytes).toString('base64'),
    })
  })

  test('is split into parts if it is too large for the line', () => {
    expect(bodyOf('a'.repeat(inlineBody))).toHaveProperty('text')
    expect(bodyOf('a'.repeat(inlineBody + 1))).toEqual({ parts: 2, key: 0 })
  })
})

test('no line exceeds the maximum length, whatever it contains, and nothing is missing', () => {
  // Six characters per byte, and long fields.
  const body = Buffer.alloc(500_000, 1)
  const url = `http://127.0.0.1:3000/${'x'.repeat(700_000)}`
  const attempts = Array.from({ length: 7 }, (_, n) =>
    sampleAttempt(n + 1, { url }, { requestBody: n % 2 === 0 ? body : null, answerBody: body }),
  )
  const items = [sampleItem(1, body, {}, { attempts }), sampleItem(2, 'after it')]
  const bytes = log(items)
  expect(
    Math.max(
      ...bytes
        .toString()
        .split('\n')
        .map(({ length }) => length),
    ),
  ).toBeLessThan(longestLine)

  const { all, of } = linesOf(bytes)
  const [first] = of('delivery')
  const more = of('attempt')
  expect(first?.moreAttempts).toBe(more.length)
  if (!first) throw new Error('there is no delivery')
  const pending = new PendingDelivery(first)
  expect(more.map((line) => pending.addAttempt(line, 0))).toEqual(more.map(() => null))
  expect(pending.complete).toBe(false)
  const parts = of('part')
  expect(parts.map((part) => pending.addPart(part))).toEqual(parts.map(() => null))
  expect(pending.complete).toBe(true)
  const { delivery } = pending.item()
  expect(delivery.attempts.map(({ fields }) => fields)).toEqual(
    attempts.map(({ fields }) => fields),
  )
  for (const [n, { requestBody, answerBody }] of delivery.attempts.entries()) {
    expect(body.equals(answerBody ?? new Uint8Array())).toBe(true)
    expect(requestBody && body.equals(requestBody)).toBe(n % 2 === 0 ? true : null)
  }
  expect(of('end')[0]?.removed).toEqual(sampleEnv.removed())
  const kinds = all.map(({ kind }) => kind)
  expect(kinds.slice(0, 2)).toEqual(['head', 'delivery'])
  expect(kinds.slice(-2)).toEqual(['delivery', 'end'])
  expect(kinds.indexOf('part')).toBeGreaterThan(kinds.lastIndexOf('attempt'))
})
