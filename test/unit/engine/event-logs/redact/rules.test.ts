import { describe, expect, it } from 'vitest'
import {
  exported,
  plainly,
  redactDelivery,
  redactedBody,
  redactorWith,
} from '#test/support/redacting.ts'

const body =
  '{"a":{"b":[{"c":1,"d":"x x"},{"c":2},{"c":3}],"odd name":true},"b":"top","list":[10,20,30,40]}'

const rule = (path: string) => [{ kind: 'path', path } as const]

describe('a rule by path', () => {
  it.each([
    ['$.b', body.replace('"top"', '"‹rule›"')],
    ['b', body.replace('"top"', '"‹rule›"')],
    ['.b', body.replace('"top"', '"‹rule›"')],
    ["$['b']", body.replace('"top"', '"‹rule›"')],
    ['$.a.b', body.replace(/\[\{.*?\}\]/, '"‹rule›"')],
    ['$.a.b[0]', body.replace('{"c":1,"d":"x x"}', '"‹rule›"')],
    ['$.a.b[*].c', body.replaceAll(/"c":\d/g, '"c":"‹rule›"')],
    ['$.a.b[-1].c', body.replace('"c":3', '"c":"‹rule›"')],
    ['$..c', body.replaceAll(/"c":\d/g, '"c":"‹rule›"')],
    ['$..b', body.replace(/\[\{.*?\}\]/, '"‹rule›"').replace('"top"', '"‹rule›"')],
    ["$.a['odd name']", body.replace('true', '"‹rule›"')],
    ["$['b', 'nope']", body.replace('"top"', '"‹rule›"')],
    ['$.list[1:3]', body.replace('20,30', '"‹rule›","‹rule›"')],
    ['$.list[-1, 0]', body.replace('10,', '"‹rule›",').replace('40', '"‹rule›"')],
    ['$.list[::2]', body.replace('10,20,30', '"‹rule›",20,"‹rule›"')],
    ['$.*.b[1]', body.replace('{"c":2}', '"‹rule›"')],
    ['$..[2]', body.replace('{"c":3}', '"‹rule›"').replace('30', '"‹rule›"')],
    ['$', '"‹rule›"'],
    ['$.nope', body],
  ])('%s', (path, becomes) => {
    expect(plainly(redactedBody(body, { rules: rule(path) }))).toBe(becomes)
  })

  it.each([
    ['$.a[?@.b]', 'at character 5: filters'],
    ['$.', 'at its end: expected a name'],
    ['$.a[', 'at its end'],
    ["$['a", 'at character 3: the closing quote'],
    ['$a', 'at character 2: expected a dot'],
    ['$.a b', 'at character 5: expected a dot'],
    ['$.a[1', 'at its end: expected a closing bracket'],
    ['$.a[x]', 'at character 5: expected an index'],
    ['$.a[3:1:-1]', 'at character 5: the step of a slice'],
    ['', 'at its end: expected a name'],
  ])('refuses %s with the place', (path, where) => {
    expect(() => redactorWith({ rules: rule(path) })).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(where) }),
    )
  })

  it('also removes the value from the description of the delivery', () => {
    const { fields, body: out } = redactDelivery(
      redactorWith({ rules: [...rule('$.data.name'), ...rule('$.data.guest')] }),
      exported({
        body: '{"data":{"name":"Ann","guest":{"full":"Anna Berg"},"x":"Ann"}}',
        fields: { title: 'Ann (Anna Berg) opened a tab', note: 'Anna said' },
      }),
    )
    expect(plainly(fields.title)).toBe('‹rule› (‹rule›) opened a tab')
    expect(fields.note).toBe('Anna said')
    expect(plainly(Buffer.from(out).toString())).toBe(
      '{"data":{"name":"‹rule›","guest":"‹rule›","x":"Ann"}}',
    )
  })

  it('applies to bodies of attempts, and shows no secret in the preview', () => {
    const redactor = redactorWith({
      known: [{ kind: 'secret', value: 'hunter2hunter2' }],
      rules: rule('$.x'),
    })
    redactDelivery(redactor, exported({ body: '{"x":"a hunter2hunter2"}' }))
    redactDelivery(redactor, exported({ body: '{"x":"plain"}' }))
    redactDelivery(redactor, exported({ body: '{"x":{"y":"hunter2hunter2"}}' }))
    expect(redactor.removals()).toMatchObject([
      {
        kind: 'rule',
        location: 'body x',
        values: 3,
        examples: [{ was: null }, { was: 'plain' }, { was: null }],
      },
    ])
  })
})
