import { typescriptLanguage } from '@codemirror/lang-javascript'
import { expect, it } from 'vitest'
import { offersAt } from '#pages/setup/scripts/completions.ts'

/** The completions at `|`, with the text after applying each. */
function offers(text: string, type: string | null = null): Map<string, string> {
  const at = text.indexOf('|')
  const plain = text.replace('|', '')
  const tree = typescriptLanguage.parser.parse(plain)
  const found = offersAt(tree, (from, to) => plain.slice(from, to), at, { brand: 'Acme', type })
  return new Map(
    found?.offers.map((offer) => [
      offer.name,
      plain.slice(0, found.from) + offer.text + plain.slice(found.to),
    ]),
  )
}

const names = (text: string, type?: string): string[] => [...offers(text, type).keys()]

const inScript = (statement: string): string =>
  `export default (delivery, { crypto, state }) => {\n  const { data } = delivery.body ?? {}\n  ${statement}\n}`

it('offers what a delivery has, its documented fields, and the tools', () => {
  expect(names(inScript('delivery.|'))).toContain('verdict')
  expect(names(inScript('delivery.body?.|'))).toContain('locationName')
  expect(names(inScript('crypto.base64.|'))).toEqual(['encode', 'decode'])
  // By a variable, by another name of the parameter, and while a name is written.
  expect(names(inScript('data.|'))).toContain('orderName')
  expect(names('(event: any) => { if (event.body.data.spot|) {} }')).toContain('spotName')
  expect(names('({ body: { da| } }) => {}')).toContain('data')
  expect(names(inScript('unknown.|'))).toEqual([])
  expect(names(inScript('return data.total * |'))).toEqual([])
})

it('offers the keys of a result where it is returned, and not those that it has', () => {
  expect(offers('() => ({ |})').get('status')).toBe('() => ({ status: })')
  expect(names(inScript('return { status: 200, | }'))).toContain('delayMs')
  expect(names(inScript('return { status: 200, | }'))).not.toContain('status')
  expect(names(inScript('return data ? { he| } : undefined'))).toContain('headers')
  expect(names(inScript("return { sign: '|' }"))).toEqual(['auto', 'keep', 'none'])
  expect(names(inScript('return { headers: { | } }'))).toEqual([])
  expect(names(inScript('const other = { | }'))).toEqual([])
})
