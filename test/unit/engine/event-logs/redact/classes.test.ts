import { describe, expect, it } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { keepableClasses, removalClasses, removalKinds } from '#contract/redaction.ts'
import { cardsIn, ibansIn } from '#engine/event-logs/redact/accounts.ts'
import { Digests } from '#engine/event-logs/redact/digests.ts'
import { ipAddressesIn } from '#engine/event-logs/redact/contacts.ts'
import {
  privateKeysIn,
  secretFormats,
  secretsIn,
} from '#engine/event-logs/redact/secret-formats.ts'
import { foldWide, percentView } from '#engine/event-logs/redact/decoded-views.ts'
import { full } from '#test/support/full.ts'
import { growth, linearGrowth } from '#test/support/growth.ts'
import {
  exported,
  plainly,
  redactDelivery,
  redactedBody,
  redactedText,
  redactorWith,
} from '#test/support/redacting.ts'

const encoded = (text: string, times: number): string =>
  times === 0 ? text : encoded(encodeURIComponent(text), times - 1)

describe('a URL within a URL', () => {
  const inner = 'https://b.example/cb?access_token=tok-1234567&x=1'
  it.each([0, 1, 2, 3, 5, 8, 9, 12, 30])('has its token redacted, encoded %i times', (times) => {
    const path = `/hooks/main?redirect_uri=${encoded(inner, times)}`
    const out = redactDelivery(
      redactorWith(),
      exported({ body: JSON.stringify({ link: `https://a.example${path}` }), fields: { path } }),
    )
    const left = `${out.fields.path}\n${Buffer.from(out.body).toString()}`
    expect(left).not.toContain('tok-1234567')
    expect(left.match(/redacted-token-/g)).toHaveLength(2)
  })

  it('has its token redacted in nested values', () => {
    expect(plainly(redactedText('a1=b1=c1?d1=e1?token=tok-1?pin=1234'))).toBe(
      'a1=b1=c1?d1=e1?token=‹token›',
    )
    expect(plainly(redactedText(`x=y&next="https://a.example/?pwd=p1" class='a'`))).toBe(
      `x=y&next="https://a.example/?pwd=‹secret›" class='a'`,
    )
  })
})

describe('names', () => {
  it.each([
    ['{"pwd":"p1","userPass":"p2","guestPin":"0000","auth":"a"}', 4],
    ['{"pin":1234,"cvv":"123","card_cvc":"456"}', 3],
    ['{"sig":"s1","x-sig":"s2"}', 2],
    ['{"key":"a1b2c3d4e5f6","subscription-key":"k"}', 2],
    ['{"connectionString":"Server=a"}', 1],
    ['pwd=p1&pass=p2&pin=1234&auth=x&sig=y', 5],
    ['https://a.example/x?sp=r&sig=abc%3D&key=A1B2C3D4E5F6', 2],
    ['<pwd>p1</pwd><pin>1234</pin>', 2],
    ['{"firstName":"Anna","last_name":"Miller","guestName":"A. M."}', 3],
    ['{"displayName":"Anna","customer_first_name":"Anna","guestLastName":"Miller"}', 3],
    ['{"guest":{"name":"Anna"},"customers":[{"id":1,"name":"Al"}]}', 2],
    ['{"clientIp":"203.0.113.9","ip":"2001:db8::9"}', 2],
    ['{"phone":{"country":49,"number":1701234567,"type":"home"}}', 1],
    ['{"mobile":491701234567,"tel":4.91701234567e11}', 2],
    ['{"cardNumber":"411111111111","iban":"DE00"}', 2],
  ])('%s', (body, values) => {
    expect(redactedBody(body).match(/redacted-/g)).toHaveLength(values)
  })

  it.each([
    '{"key":"menu.title","sortKey":"a1b2c3d4e5f6","keyboard":"x","monkey":"y"}',
    '{"author":"x","passage":"y","pinned":"z","design":"w","assigned":"v","spin":"u","compass":"t"}',
    '{"productName":"Fries","spotName":"T4","orderName":"A-17","zoneGroupName":"Outside"}',
    '{"order":{"name":"A-17"},"products":[{"name":"Fries"}],"fileName":"x","guest":{"tabName":"T4"}}',
    '{"ip":"127.0.0.1","version":"1.2.3.4","shipping":"y"}',
    '{"auth":true,"pass":null,"pin":false}',
    '{"panel":"411111111111"}',
  ])('leaves %s', (body) => {
    expect(redactedBody(body)).toBe(body)
  })

  it.each([
    ['X-Auth', 'abc'],
    ['Ocp-Apim-Subscription-Key', 'abc'],
    ['X-Functions-Key', 'abc'],
    ['X-Sig', 'abc'],
    ['X-Pwd', 'abc'],
  ])('the header %s', (name, value) => {
    const { fields } = redactDelivery(redactorWith(), exported({ headers: [[name, value]] }))
    expect(fields.headers[0]?.[1]).toMatch(/^redacted-/)
  })

  it.each(['Idempotency-Key', 'X-Partition-Key', 'Sec-WebSocket-Key', 'X-Author'])(
    'leaves the header %s',
    (name) => {
      const headers: [string, string][] = [[name, 'abc']]
      const { fields } = redactDelivery(redactorWith(), exported({ headers }))
      expect(fields.headers).toEqual(headers)
    },
  )
})

describe('labeled values', () => {
  it.each([
    ['[{"name":"password","value":"p1"}]', '[{"name":"password","value":"‹secret›"}]'],
    ['[{"value":"p1","name":"password"}]', '[{"value":"‹secret›","name":"password"}]'],
    ['{"key":"pin","value":1234,"x":1}', '{"key":"pin","value":"‹code›","x":1}'],
    [
      '{"value":1234,"x":"a@b.example","key":"pin"}',
      '{"value":"‹code›","x":"‹email›","key":"pin"}',
    ],
    ['{"value":"to a@b.example","type":"api_key"}', '{"value":"‹secret›","type":"api_key"}'],
    [
      '{"header":"Authorization","content":"Basic x"}',
      '{"header":"Authorization","content":"‹credential›"}',
    ],
    [
      '{"type":"pin","name":"Entrance","value":"1234"}',
      '{"type":"pin","name":"Entrance","value":"‹code›"}',
    ],
    ['{"name":"colour","value":"red"}', '{"name":"colour","value":"red"}'],
    [
      '{"credentials":{"a":"b","c":[1,{"d":"e"}],"f":null}}',
      '{"credentials":{"a":"‹credential›","c":["‹credential›",{"d":"‹credential›"}],"f":null}}',
    ],
    ['{"awsCredentials":[["x","y"]]}', '{"awsCredentials":[["‹credential›","‹credential›"]]}'],
  ])('%s', (body, redacted) => {
    expect(plainly(redactedBody(body))).toBe(redacted)
  })
})

describe('secrets with a documented format', () => {
  const filling = { upper: 'A', hex: 'a', letters: 'a', word: 'a', url: 'a' } as const
  const fill = (characters: string): string =>
    Object.entries(filling).find(([name]) => name === characters)?.[1] ?? 'a'

  it.each(
    secretFormats.flatMap((format) => format.prefixes.map((prefix) => [prefix, format] as const)),
  )('%s', (prefix, { characters, minLength, source, before = 0 }) => {
    expect(source).toMatch(/^https:\/\/\S+$/)
    const filler = fill(characters)
    const secret = filler.repeat(before) + prefix + filler.repeat(minLength)
    expect(secretsIn(`x ${secret}, y`)).toEqual([{ from: 2, to: 2 + secret.length }])
    expect(secretsIn(`x${secret}`)).toEqual([])
    expect(plainly(redactedBody(JSON.stringify({ note: `it is "${secret}"` })))).toBe(
      JSON.stringify({ note: 'it is "‹token›"' }),
    )
    expect(before === 0 || secretsIn(secret.slice(1)).length === 0).toBe(true)
    // Another format may have a longer prefix that starts with this one.
    const short = secretsIn(`x ${secret.slice(0, -1)}, y`)
    expect(short.every(({ to }) => to > 2)).toBe(true)
  })

  it('include private keys, complete, truncated, and with escaped line breaks', () => {
    const key = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(8)
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${key}-----END RSA PRIVATE KEY-----`
    for (const text of [pem, pem.replaceAll('\n', String.raw`\n`), pem.slice(0, 120)]) {
      expect(redactedText(`see ${text}`)).not.toContain('MIIE')
      expect(redactedBody(JSON.stringify({ text }))).not.toContain('MIIE')
    }
    const certificate = pem.replaceAll('RSA PRIVATE KEY', 'CERTIFICATE')
    expect(privateKeysIn(certificate)).toEqual([])
  })
})

describe('accounts', () => {
  it.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '5555555555554444',
    '2223003122003222',
    '378282246310005',
    '3782 822463 10005',
    '6011111111111117',
    '3566002020360505',
    '30569309025904',
    '6304000000000000',
    'DE89 3704 0044 0532 0130 00',
    'de89370400440532013000',
    'GB29 NWBK 6016 1331 9268 19',
    'NO93 8601 1117 947',
    'MT84MALT011000012345MTLCAST001S',
  ])('%s', (number) => {
    const kind = /^[A-Za-z]/.test(number) ? 'iban' : 'card'
    expect(plainly(redactedText(`paid by ${number}, thanks`))).toBe(`paid by ‹${kind}›, thanks`)
    expect(plainly(redactedBody(JSON.stringify({ note: number })))).toBe(`{"note":"‹${kind}›"}`)
  })

  it.each([
    '4111111111111112',
    '1111111111111117',
    '4111 11111111 1111',
    '59776478-4128-4579-8434-604612505511',
    '0000000000000000',
    'DE89370400440532013001',
    'DE8937040044053201300',
    'XX89370400440532013000',
    '1763760824123',
  ])('leaves %s', (number) => {
    expect(redactedText(`it is ${number}, so`)).toBe(`it is ${number}, so`)
  })

  it('are found in JSON numbers, but not in ids', () => {
    expect(plainly(redactedBody('{"a":4111111111111111,"orderId":4111111111111111}'))).toBe(
      '{"a":"‹card›","orderId":4111111111111111}',
    )
  })
})

describe('digits of other scripts', () => {
  it.each(['+４９３０９０１８２０', '＋49 30 ９０１８２０', '٠٠٤٩٣٠٩٠١٨٢٠', '+४९३०९०१८२०'])(
    '%s',
    (phone) => {
      expect(plainly(redactedText(`call ${phone} now`))).toBe('call ‹phone› now')
      expect(plainly(redactedBody(JSON.stringify({ phone })))).toBe('{"phone":"‹phone›"}')
    },
  )

  it('includes full-width letters', () => {
    expect(plainly(redactedText('ａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ'))).toBe('‹email›')
  })
})

describe('IP addresses', () => {
  it('are redacted in proxy headers, wherever the delivery repeats them, and in the remote address', () => {
    const { fields, body } = redactDelivery(
      redactorWith(),
      exported({
        headers: [
          ['X-Forwarded-For', '203.0.113.9, 10.0.0.1:8080, unknown'],
          ['Forwarded', 'for="[2001:db8::9]:47";proto=https, for=127.0.0.1;by=_proxy'],
          ['X-Real-IP', '203.0.113.9'],
        ],
        body: '{"from":"203.0.113.9 it came"}',
        fields: { remoteAddress: '198.51.100.7' },
      }),
    )
    expect(JSON.parse(plainly(JSON.stringify(fields.headers)))).toEqual([
      ['X-Forwarded-For', '‹ip-address›, ‹ip-address›:8080, unknown'],
      ['Forwarded', 'for="[‹ip-address›]:47";proto=https, for=127.0.0.1;by=_proxy'],
      ['X-Real-IP', '‹ip-address›'],
    ])
    expect(plainly(Buffer.from(body).toString())).toBe('{"from":"‹ip-address› it came"}')
    expect(plainly(fields.remoteAddress)).toBe('‹ip-address›')
  })
})

describe('names of guests', () => {
  it('are redacted according to the catalogue, in the body and its description', () => {
    const body =
      '{"data":{"spotName":"Miller","name":"Miller","x":{"name":"Fries"}},"type":"OPEN_TAB"}'
    const out = redactDelivery(
      redactorWith(),
      exported({ body, fields: { type: 'OPEN_TAB', title: 'Tab “Miller” opened at T4' } }),
    )
    expect(plainly(Buffer.from(out.body).toString())).toBe(
      '{"data":{"spotName":"Miller","name":"‹name›","x":{"name":"Fries"}},"type":"OPEN_TAB"}',
    )
    expect(plainly(out.fields.title)).toBe('Tab “‹name›” opened at T4')
  })

  it('are redacted in the description even if they are short', () => {
    const body = '{"type":"OPEN_TAB","data":{"name":"Al"}}'
    const fields = { type: 'OPEN_TAB', title: 'Tab “Al” opened at T4' }
    const out = redactDelivery(redactorWith(), exported({ body, fields }))
    expect(plainly(out.fields.title)).toBe('Tab “‹name›” opened at T4')
  })

  it('are redacted in the label of an order', () => {
    const body = '{"type":"ORDER_PLACED","data":{"orderName":"Anna M."}}'
    const fields = { type: 'ORDER_PLACED', title: 'Order Anna M. placed · 15.50' }
    const out = redactDelivery(redactorWith(), exported({ body, fields }))
    expect(plainly(Buffer.from(out.body).toString())).toBe(
      '{"type":"ORDER_PLACED","data":{"orderName":"‹name›"}}',
    )
    expect(plainly(out.fields.title)).toBe('Order ‹name› placed · 15.50')
  })

  it('are not assumed in an event of another type', () => {
    const body = '{"type":"ITEM_ADDED","data":{"name":"Fries"}}'
    expect(redactedBody(body)).toBe(body)
  })

  it('are declared for existing fields', () => {
    const declared = eventTypes.flatMap(({ type, data }) =>
      data.filter(({ person }) => person).map(({ key }) => `${type} ${key}`),
    )
    expect(declared).toEqual(['OPEN_TAB name', 'ORDER_PLACED orderName'])
  })
})

describe('classes', () => {
  it('contain each kind once', () => {
    const kinds = Object.values(removalClasses).flat()
    expect(kinds.toSorted()).toEqual([...removalKinds].toSorted())
  })

  const delivery = exported({
    headers: [
      ['Authorization', 'Bearer known-1'],
      ['X-Forwarded-For', '203.0.113.9'],
    ],
    body: JSON.stringify({
      type: 'OPEN_TAB',
      data: { name: 'Miller', handle: 'anna-x', email: 'a@b.example', phone: 4930901820 },
      note: 'call 415-555-0134, pay by 4111 1111 1111 1111 or DE89 3704 0044 0532 0130 00',
      token: 'tok-1234567',
    }),
    fields: { type: 'OPEN_TAB', note: 'anna-x of +4930901820, password: hunter2' },
  })

  it.each(keepableClasses)('%s can be kept, and everything else is redacted', (kept) => {
    const all = redactorWith({ handles: ['anna-x'] })
    redactDelivery(all, delivery)
    const some = redactorWith({ handles: ['anna-x'], keep: [kept] })
    redactDelivery(some, delivery)
    const kinds: readonly string[] = removalClasses[kept]
    const rest = Object.entries(all.removed()).filter(([kind]) => !kinds.includes(kind))
    expect(Object.keys(all.removed())).toEqual(expect.arrayContaining([...kinds]))
    // The digest covers the body, whatever was redacted in it.
    expect(Object.entries(some.removed())).toEqual(rest)
  })

  it('can all be kept except secrets', () => {
    const redactor = redactorWith({ keep: keepableClasses })
    const { body, fields } = redactDelivery(redactor, delivery)
    expect(Object.keys(redactor.removed()).toSorted()).toEqual(['credential', 'secret', 'token'])
    expect(Buffer.from(body).toString()).toContain('"phone":4930901820')
    expect(fields.note).toMatch(/^anna-x of \+4930901820, password: redacted-secret-/)
  })
})

describe.runIf(full)('input crafted to be slow', () => {
  const finders: [string, (text: string) => unknown, string[]][] = [
    [
      'secrets',
      secretsIn,
      ['sk-', 'ghp_', ' ghp_a', '-glpat-', 'AKIA', ' AKIAAAAA', 'xoxb-1', 'test_'],
    ],
    [
      'private keys',
      privateKeysIn,
      ['-----BEGIN ', '-----BEGIN PRIVATE KEY-----', '-----BEGIN PRIVATE KEY-----_', '-----END'],
    ],
    ['cards', cardsIn, ['4', '4 ', '4111 ', '41-', '4111111111111 ', '44-44 ']],
    ['IBANs', ibansIn, ['DE', 'DE89', 'DE 89 ', 'A1', '1 ', 'MT84M']],
    ['IP addresses', ipAddressesIn, ['1', '1.', 'a:', '::', '1.1.1.1:1']],
    ['digests', (text) => new Digests().find(text), ['a', 'ab-', 'Zz+/', 'f'.repeat(64) + '/']],
    ['percent signs', percentView, ['%25', '%', '%2', '%2541', '%25%']],
    ['wide characters', foldWide, ['４', '４a']],
    [
      'pairs',
      redactedText,
      ['aa=', 'aa=bb?', 'phone=', 'token="', 'x=\'y="', 'k1=&', 'code=a ', '='],
    ],
  ]
  it.each(finders)(
    '%s: twice the input takes about twice the time',
    (_what, find, pieces) => {
      for (const piece of pieces) {
        const work = (size: number) => {
          const text = piece.repeat(Math.ceil(size / piece.length))
          return () => find(text)
        }
        expect({ piece, linear: growth(work, 8000) < linearGrowth }).toEqual({
          piece,
          linear: true,
        })
      }
    },
    60_000,
  )
})
