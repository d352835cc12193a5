import { jsonLanguage } from '@codemirror/lang-json'
import { expect, it } from 'vitest'
import { commonFields } from '#catalogue/payload.ts'
import { type Offers, offersAt } from '#parts/composer/editor/json-completions.ts'

/** The completions at `|` in the text. */
function offers(text: string): Offers | null {
  const at = text.indexOf('|')
  const plain = text.replace('|', '')
  return offersAt(jsonLanguage.parser.parse(plain), (from, to) => plain.slice(from, to), at, 'Acme')
}

function labels(text: string): string[] {
  return offers(text)?.offers.map(({ label }) => label) ?? []
}

/** The text after applying a completion. */
function taken(text: string, label: string): string {
  const plain = text.replace('|', '')
  const found = offers(text)
  const offer = found?.offers.find((each) => each.label === label)
  if (!found || !offer) throw new Error(`no ${label} among ${labels(text).join(', ')}`)
  const cursor = offer.at ?? offer.text.length
  const written = `${offer.text.slice(0, cursor)}|${offer.text.slice(cursor)}`
  return plain.slice(0, found.from) + written + plain.slice(found.to)
}

const order = '{"type": "ORDER_PLACED", "data": {'

it('offers the common keys that are still missing', () => {
  const all = commonFields.map(({ key }) => key)
  expect(labels('{|}')).toEqual(all)
  expect(labels('{"type": "OPEN_TAB", |}')).toEqual(all.filter((key) => key !== 'type'))
  expect(labels('{"ty|"}')).toEqual(all)
  expect(labels('{ty|}')).toEqual(all)
  expect(labels('{"type": "OPEN_TAB" |}')).toEqual([])
})

it('offers the keys of the type in data, with type and description', () => {
  expect(labels(`${order}|}}`)).toContain('orderName')
  expect(labels(`${order}"total": 1, "|"}}`)).toContain('orderName')
  expect(labels(`${order}"total": 1, "|"}}`)).not.toContain('total')
  const total = offers(`${order}|}}`)?.offers.find(({ label }) => label === 'total')
  expect(total).toMatchObject({
    detail: 'number',
    info: 'Order total including taxes and fees.',
  })
  expect(labels('{"type": "NOT_KNOWN", "data": {|}}')).toEqual([])
  expect(labels('{"other": {|}}')).toEqual([])
})

it('inserts the key and the start of its value, and keeps an existing value', () => {
  expect(taken(`${order}|}}`, 'orderName')).toBe(`${order}"orderName": "|"}}`)
  expect(taken(`${order}|}}`, 'itemTags')).toBe(`${order}"itemTags": [|]}}`)
  expect(taken(`${order}|}}`, 'total')).toBe(`${order}"total": |}}`)
  expect(taken(`${order}"to|"}}`, 'total')).toBe(`${order}"total": |}}`)
  expect(taken(`${order}"to|": 4}}`, 'total')).toBe(`${order}"total"|: 4}}`)
})
