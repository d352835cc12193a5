import { describe, expect, it } from 'vitest'
import { plainly, redactedBody, redactedText } from '#test/support/redacting.ts'

describe('e-mail addresses', () => {
  it.each([
    ['anna@example.com', '‹email›'],
    ['Anna <anna.b+tag@mail.example.co.uk>, please', 'Anna <‹email›>, please'],
    ['mailto:anna@example.com?subject=x', 'mailto:‹email›?subject=x'],
    ['"anna b"@example.com', '‹email›'],
    ['jürgen@müller.example', '‹email›'],
    ['用户@例え.テスト', '‹email›'],
    ['anna%40example.com', '‹email›'],
    ['anna%2540example.com', '‹email›'],
    ['a%2Bb@example.com', '‹email›'],
    ['anna&#64;example.com', '‹email›'],
    ['anna&commat;example&period;com', '‹email›'],
    [String.raw`anna\u0040example.com`, '‹email›'],
    ['/guests/anna@example.com/orders', '/guests/‹email›/orders'],
    ['?email=anna%40example.com&x=1', '?email=‹email›&x=1'],
    ['anna@xn--mller-kva.example', '‹email›'],
    ["'anna@example.com'", "'‹email›'"],
    ['anna@example.com.', '‹email›.'],
    ['a@b.co,c@d.co', '‹email›,‹email›'],
    ['anna@localhost', '‹email›'],
    ['no @ here', 'no @ here'],
    ['react@18.2.0', 'react@18.2.0'],
    ['@scope/name', '@scope/name'],
  ])('%s', (text, redacted) => {
    expect(plainly(redactedText(text))).toBe(redacted)
    expect(plainly(redactedBody(JSON.stringify({ text })))).toBe(JSON.stringify({ text: redacted }))
  })
})

describe('phone numbers', () => {
  it.each([
    ['+49 30 901820', '‹phone›'],
    ['+4930901820', '‹phone›'],
    ['+49 (0)30 901820', '‹phone›'],
    ['0049 30 901820', '‹phone›'],
    ['+1 (415) 555-0134', '‹phone›'],
    ['(415) 555-0134', '‹phone›'],
    ['415-555-0134', '‹phone›'],
    ['415.555.0134', '‹phone›'],
    ['415 555 0134', '‹phone›'],
    ['4155550134', '‹phone›'],
    ['14155550134', '‹phone›'],
    ['1 415 555 0134', '‹phone›'],
    ['1-415-555-0134', '‹phone›'],
    ['030 901820', '‹phone›'],
    ['(030) 901820', '‹phone›'],
    ['0170-1234567', '‹phone›'],
    ['089/12345678', '‹phone›'],
    ['06 12 34 56 78', '‹phone›'],
    ['0301234567', '‹phone›'],
    ['020 7946 0958', '‹phone›'],
    ['tel:+49-30-901820;ext=1', 'tel:‹phone›;ext=1'],
    ['Call 4155550134.', 'Call ‹phone›.'],
    ['4155550134,4155550135', '‹phone›,‹phone›'],
    ['%2B49%2030%20901820', '‹phone›'],
    ['?from=%2B49+30+901820', '?from=‹phone›'],
    ['/guests/4155550134/orders', '/guests/‹phone›/orders'],
  ])('%s', (text, redacted) => {
    expect(plainly(redactedText(text))).toBe(redacted)
    expect(plainly(redactedBody(JSON.stringify({ text })))).toBe(JSON.stringify({ text: redacted }))
  })
})

describe('text that is not a contact', () => {
  it.each([
    '550e8400-e29b-41d4-a716-446655440000',
    '41555501-3441-4155-8501-415555013412',
    '2026-01-31T19:05:07.123Z',
    '2026-01-31 19:05:07',
    '2026-01-31',
    '31.01.2026',
    '01/02/2026 03:04',
    'Sat, 21 Nov 2026 21:33:44 GMT',
    '1763760824',
    '1763760824123',
    '42.50',
    '1,234,567.89',
    '1234567.89',
    '192.168.100.200',
    '10.0.0.1:4780',
    '2001:db8:1234:5678:9abc:def0:1234:5678',
    'Mozilla/5.0 (X11) Chrome/120.0.6099.109 Safari/537.36',
    '1.10.2345',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'GUEST_SUBSCRIBED',
    'T4 Patio, 3 x Lager 0.5',
    '01.02.2026 12:30',
    'redacted-email-abcdefghijkl',
    'redacted-phone-2345672345ab',
  ])('%s is unchanged', (text) => {
    expect(redactedText(text)).toBe(text)
    const body = Buffer.from(JSON.stringify({ text, list: [text] }))
    expect(redactedBody(body)).toBe(body.toString())
  })

  it('leaves JSON numbers, and ids by their key', () => {
    const body =
      '{"at":1763760824,"ms":1763760824123,"n":4155550134,"orderId":"4155550134","tabUuid":"0301234567","price":4155550134.50}'
    expect(redactedBody(body)).toBe(body)
    expect(plainly(redactedBody('{"orderId":"+49 30 901820","id":"a@b.co"}'))).toBe(
      '{"orderId":"‹phone›","id":"‹email›"}',
    )
  })
})

describe('guests by the name of the field', () => {
  it.each([
    ['{"handle":"anna.b"}', '{"handle":"‹handle›"}'],
    ['{ "handle" : "+49 30 901820" }', '{ "handle" : "‹phone›" }'],
    [
      '{"a":[{"handle":["x","y@z.co",7,null,true]}]}',
      '{"a":[{"handle":["‹handle›","‹email›","‹handle›",null,true]}]}',
    ],
    ['{"handle":{"value":"x1","n":[12]}}', '{"handle":{"value":"‹handle›","n":["‹handle›"]}}'],
    [
      '{"guestHandle":"anna","guest_handle":"b"}',
      '{"guestHandle":"‹handle›","guest_handle":"‹handle›"}',
    ],
    [
      '{"phone":4930901820,"mobile":"0170 12","tel":{"n":1}}',
      '{"phone":"‹phone›","mobile":"‹phone›","tel":{"n":1}}',
    ],
    ['{"phones":[4930901820]}', '{"phones":["‹phone›"]}'],
    ['{"isMobile":true,"phone":null}', '{"isMobile":true,"phone":null}'],
    ['{"anna@example.com":1,"+49 30 901820":{"x":"y"}}', '{"‹email›":1,"‹phone›":{"x":"y"}}'],
    [
      String.raw`{"x":"{\"handle\":\"anna\",\"phone\":4930901820}"}`,
      String.raw`{"x":"{\"handle\":\"‹handle›\",\"phone\":\"‹phone›\"}"}`,
    ],
    [String.raw`{"h\u0061ndle":"x1"}`, String.raw`{"h\u0061ndle":"‹handle›"}`],
    ['handle=anna%20b&x=1', 'handle=‹handle›&x=1'],
    ['x=1&guest[handle]=anna+b', 'x=1&guest[handle]=‹handle›'],
    [
      '{"url":"https://a.example/?handle=anna&x=1"}',
      '{"url":"https://a.example/?handle=‹handle›&x=1"}',
    ],
    ['<guest><handle>anna</handle></guest>', '<guest><handle>‹handle›</handle></guest>'],
    ['note: {"handle":"anna"} was here', 'note: {"handle":"‹handle›"} was here'],
    ['data=%7B%22handle%22%3A%22anna%22%7D', 'data=%7B%22handle%22%3A%22‹handle›%22%7D'],
    [
      '--b\r\nContent-Disposition: form-data; name="handle"\r\n\r\nanna\r\n--b--',
      '--b\r\nContent-Disposition: form-data; name="handle"\r\n\r\n‹handle›\r\n--b--',
    ],
  ])('%s', (body, redacted) => {
    expect(plainly(redactedBody(body))).toBe(redacted)
  })

  it('finds known handles as words', () => {
    const options = { handles: ['anna-77', '901820', '+49 30 901821'] }
    expect(
      plainly(redactedText('Anna-77 anna-77 anna-777 901820 9018201 004930901821', options)),
    ).toBe('Anna-77 ‹handle› anna-777 ‹phone› 9018201 ‹phone›')
    expect(
      plainly(redactedBody('{"n":4930901821,"m":"4930901821","z":"(901)-820"}', options)),
    ).toBe('{"n":"‹phone›","m":"‹phone›","z":"‹phone›"}')
  })
})
