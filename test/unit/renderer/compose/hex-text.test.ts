import { expect, it } from 'vitest'
import { fromHex, toHex } from '#renderer/features/compose/body/body-modes.ts'

it('writes every byte as a pair, and reads the same bytes back', () => {
  const all = Uint8Array.from({ length: 300 }, (_, at) => at % 256)
  const text = toHex(all)
  expect(text.split('\n')[0]).toBe('00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f')
  expect(text.split('\n')).toHaveLength(19)
  expect(fromHex(text)).toEqual({ ok: true, bytes: all })
  expect(toHex(new Uint8Array())).toBe('')
  expect(fromHex('')).toEqual({ ok: true, bytes: new Uint8Array() })
})

it('reads pairs however they are spaced and in either case', () => {
  const bytes = Uint8Array.of(0xde, 0xad, 0xbe, 0xef)
  for (const text of ['deadbeef', 'DE AD BE EF', '\tde\r\nadBE\n\nef ']) {
    expect(fromHex(text), text).toEqual({ ok: true, bytes })
  }
})

it('reports where it is not hex', () => {
  expect(fromHex('de a')).toMatchObject({ ok: false, at: 3, to: 4 })
  expect(fromHex('de a d')).toMatchObject({ ok: false, at: 3, to: 4 })
  expect(fromHex('de xd')).toMatchObject({ ok: false, at: 3, to: 4 })
  expect(fromHex('de dx')).toMatchObject({ ok: false, at: 4, to: 5 })
  expect(fromHex('d😀')).toMatchObject({ ok: false, at: 1, to: 3 })
  for (const text of ['@@', '``', 'gg', '::', 'G0', '0g', '//']) {
    expect(fromHex(text), text).toMatchObject({ ok: false })
  }
})
