import { gzipSync } from 'node:zlib'
import type { Attempt } from '#contract/sending.ts'
import type { DeliveryParts } from './masking.ts'
import { sampleAttempt } from './event-log/sample-item.ts'

export interface PlantedValue {
  readonly kind: string
  readonly value: string
  /** None of them may leave, whatever the case. */
  readonly needles: readonly string[]
  /** Looks like the name of a place or a product, so that a documented field shows it. */
  readonly plain?: true
}

const jwt =
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI4NDIxIiwibmFtZSI6IlplYnVsb24ifQ.kQ3vR8tYx2LmNp0sWbZc5dEfGh7iJkLmN1oPqRsTuVw'

export const plantedValues: readonly PlantedValue[] = [
  { kind: 'JWT', value: jwt, needles: ['eyJhbGci', 'eyJzdWIi', 'kQ3vR8tY'] },
  {
    kind: 'JWE',
    value:
      'eyJhbGciOiJSU0EifQ.OKOawDo13gRp2ojaHV7LFpZcg.48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rp.XFBoMYUZodetZd',
    needles: ['5eym8TW_', 'XFBoMYUZ', '48V1_ALb', 'OKOawDo1'],
  },
  {
    kind: 'e-mail',
    value: 'zebulon.quack@wexham.example',
    needles: ['zebulon', 'quack', 'wexham'],
  },
  { kind: 'phone', value: '+31 6 8127 4409', needles: ['8127 4409', '81274409', '+31 6'] },
  { kind: 'local phone', value: '81274409', needles: ['81274409'] },
  { kind: 'name', value: 'Zebulon Quackenbush', needles: ['zebulon', 'quackenbush'], plain: true },
  {
    kind: 'name beyond ASCII',
    value: 'Zébulon Bärwächter',
    needles: ['bulon', 'chter'],
    plain: true,
  },
  { kind: 'API key', value: 'sk_live_51Hq8Zr3vKtUe9QwPyXz', needles: ['51Hq8Zr3', 'KtUe9QwP'] },
  { kind: 'MD5', value: '9e107d9d372bb6826bd81d3542a419d6', needles: ['9e107d9d', '42a419d6'] },
  { kind: 'base64', value: 'qZ8rT1vX3yB5nM7kL0pS2dF4gH6jW9c=', needles: ['qZ8rT1vX', '6jW9c'] },
  { kind: 'card', value: '4539 1488 0343 6467', needles: ['1488 0343', '14880343'] },
  { kind: 'IBAN', value: 'NL91ABNA0417164300', needles: ['91ABNA', '0417164300'] },
  { kind: 'birthday', value: '1984-07-23', needles: ['1984', '07-23'] },
  { kind: 'coordinates', value: '52.370215, 4.895167', needles: ['370215', '895167'] },
  { kind: 'IP address', value: '203.0.113.77', needles: ['203.0.113', '113.77'] },
  {
    kind: 'UUID',
    value: '7d3f9a52-6c1e-4b8d-9e0f-2a5c7b1d3e4f',
    needles: ['7d3f9a52', '7b1d3e4f'],
  },
  {
    kind: 'URL',
    value: 'https://zeb:p4ssw0rdq@quack.example/r/k3y9?t=zq7',
    needles: ['zeb:', 'p4ssw0rdq', 'quack', 'k3y9', 'zq7'],
  },
  {
    kind: 'street',
    value: 'Quackstraat 77, 1017 BX Wexham',
    needles: ['quackstraat', '1017', 'wexham'],
    plain: true,
  },
]

type Body = Omit<DeliveryParts, 'body'> & { readonly body: string | Uint8Array }

const json = (value: unknown): string => JSON.stringify(value)
const event = (type: string, data: unknown, more: object = {}): string =>
  json({
    type,
    targetUuid: '550e8400-e29b-41d4-a716-446655440000',
    createdAt: '2026-03-14T21:09:00.123Z',
    data,
    ...more,
  })
const typed = (type: string, data: object, more: object = {}): Body => ({
  body: event(type, data, more),
  fields: { type },
})
const openTab = (data: object): Body => typed('OPEN_TAB', data)

const withHeaders = (headers: Readonly<Record<string, string>>): DeliveryParts => ({
  headers: Object.entries(headers),
})

const bytesOf = (text: string | undefined): Uint8Array | null =>
  text === undefined ? null : Buffer.from(text)

function attempt(
  change: (attempt: Attempt) => Partial<Attempt>,
  { request, response }: { request?: string; response?: string } = {},
): DeliveryParts {
  const { fields } = sampleAttempt(1)
  const changed = { ...fields, ...change(fields) }
  return {
    attempts: [{ fields: changed, requestBody: bytesOf(request), answerBody: bytesOf(response) }],
  }
}

/** Where nothing of a value may leave. */
export const plantedPlaces: Readonly<Record<string, (value: string) => DeliveryParts>> = {
  'an unknown field': (value) => openTab({ spotName: 'T4', remark: value }),
  'a list': (value) => openTab({ lines: [value, [value]] }),
  'an unknown object': (value) => openTab({ guest: { password: { current: value } } }),
  'a key': (value) => openTab({ balances: { [value]: 12 } }),
  pairs: (value) => openTab({ headers: [['x-api-key', value]] }),
  'JSON in a string': (value) => openTab({ payload: json({ name: value, x: json({ y: value }) }) }),
  'the name of a tab': (value) => openTab({ name: value, spotName: value.slice(0, 0) }),
  'the same name elsewhere': (value) =>
    openTab({ name: value, owner: value, [`for ${value}`]: true }),
  'a name in a kept field': (value) => openTab({ name: value, spotName: `near ${value}` }),
  'a handle': (value) => typed('GUEST_SUBSCRIBED', { handle: value }),
  'the name of an order': (value) =>
    typed('ORDER_PLACED', { orderName: value, itemNames: [`Cake for ${value}`] }),
  'the name of an item': (value) => typed('ITEM_ADDED', { name: value, productName: 'Fries' }),
  'a location': (value) => ({
    body: event('CLOSE_TAB', {}, { locationName: value, locationId: value }),
    fields: { type: 'CLOSE_TAB', locationName: value },
  }),
  'the target': (value) => ({
    body: event('CLOSE_TAB', {}, { targetUuid: value }),
    fields: { type: 'CLOSE_TAB', target: value },
  }),
  'the type': (value) => ({
    body: event(value, { name: value }),
    fields: { type: value, title: value },
  }),
  'the time': (value) => typed('CLOSE_TAB', {}, { createdAt: value }),
  'a number’s field': (value) => openTab({ total: value, openedFrom: [value] }),
  'a spot that is an object': (value) => openTab({ spotName: { name: value } }),
  'a body of another type': (value) => typed('LOCATION_UPDATED', { spotName: value, total: 1 }),
  'a type with a space': (value) => ({
    body: event('OPEN_TAB ', { name: value, spotName: value }),
  }),
  'a body without a type': (value) => ({
    body: json({ data: { name: value, spotName: value, total: 1 } }),
  }),
  'Data for data': (value) => ({
    body: json({ type: 'OPEN_TAB', Data: { name: value, spotName: value } }),
  }),
  'tabName for name': (value) => openTab({ tabName: value }),
  'a root list': (value) => ({ body: `[${event('OPEN_TAB', { name: value })}]` }),
  'a whole body': (value) => ({ body: json(value) }),
  'a text body': (value) => ({ body: value }),
  'an assignment': (value) => ({
    body: `password = ${value}\n'password' => '${value}'\nexport KEY="${value}"`,
  }),
  YAML: (value) => ({ body: `auth:\n  password: ${value}\n  keys:\n    - ${value}\n` }),
  'a command': (value) => ({
    body: `curl -u admin:${value} --password ${value} -H 'X-Key: ${value}'`,
  }),
  netrc: (value) => ({ body: `machine a.example login admin password ${value}` }),
  XML: (value) => ({
    body: `<order guest="${value}"><name>${value}</name><!-- ${value} --><![CDATA[${value}]]></order>`,
  }),
  HTML: (value) => ({
    body: `<!doctype html><input type="password" value="${value}"><p>${value}</p>`,
  }),
  'a form': (value) => ({
    body: new URLSearchParams({ password: value, [value]: '1' }).toString(),
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  }),
  'a cut body': (value) => ({
    body: event('OPEN_TAB', { spotName: 'T4', name: value }).slice(0, -5),
    fields: { arrival: 'cut_off' },
  }),
  'a trailing comma': (value) => ({
    body: event('OPEN_TAB', { name: value }).replace('}}', ',}}'),
  }),
  'what follows an error': (value) => ({
    body: `{"type":"OPEN_TAB",,"data":{"spotName":${json(value)},"name":${json(value)}}}`,
  }),
  'two documents': (value) => ({
    body: event('OPEN_TAB', {}) + event('OPEN_TAB', { spotName: value, name: value }),
  }),
  'two types': (value) => ({
    body: `{"type":"OPEN_TAB","type":"CLOSE_TAB","data":{"name":${json(value)},"spotName":${json(value)}}}`,
    fields: { type: 'CLOSE_TAB' },
  }),
  'single quotes': (value) => ({ body: `{'type': 'OPEN_TAB', 'data': {'name': '${value}'}}` }),
  JSONP: (value) => ({ body: `callback(${event('OPEN_TAB', { name: value })})` }),
  gzip: (value) => ({
    body: gzipSync(event('OPEN_TAB', { name: value, x: value })),
    headers: [['Content-Encoding', 'gzip']],
  }),
  'gzip without a header': (value) => ({
    body: gzipSync(event('OPEN_TAB', { name: value, x: value })),
  }),
  'UTF-16': (value) => ({
    body: Buffer.from(`\uFEFF${event('OPEN_TAB', { name: value })}`, 'utf16le'),
  }),
  'Latin-1': (value) => ({
    body: Buffer.from(event('OPEN_TAB', { name: `ë ${value}` }), 'latin1'),
  }),
  binary: (value) => ({ body: Buffer.concat([Buffer.from([0xff, 0, 1]), Buffer.from(value)]) }),
  Authorization: (value) => ({ headers: [['Authorization', `Bearer ${value}`]] }),
  'an API key header': (value) => ({ headers: [['X-Api-Key', value]] }),
  'a cookie': (value) => ({ headers: [['Cookie', `lang=en; connect.sid=${value}`]] }),
  'an identity header': (value) => ({ headers: [['x-amzn-oidc-data', value]] }),
  'a documented header': (value) =>
    withHeaders({
      'X-Service-Event-Type': value,
      'X-Service-Application-ID': value,
      'X-Service-Event-Target-ID': value,
    }),
  'a signature': (value) =>
    withHeaders({ 'X-Service-Signature': value, 'X-Hub-Signature-256': `sha256=${value}` }),
  'protocol headers': (value) =>
    withHeaders({
      'User-Agent': value,
      'Content-Type': `text/plain; boundary=${value}`,
      Via: `1.1 ${value}`,
      Date: value,
      Host: value,
    }),
  'proxy headers': (value) =>
    withHeaders({
      'X-Forwarded-For': value,
      Forwarded: `for=${value}`,
      'X-Real-IP': value,
      'X-Request-ID': value,
    }),
  'the name of a header': (value) => ({ headers: [[value.replaceAll(/[^\w-]/g, '-'), '1']] }),
  'a trailer': (value) => ({ fields: { trailers: [['X-Guest', value]] } }),
  'the path': (value) => ({ fields: { path: `/hooks/main/${value}` } }),
  'an escaped path': (value) => ({
    fields: { path: `/r/${encodeURIComponent(value)}`, endpointId: null },
  }),
  'the query': (value) => ({
    fields: { path: `/hooks/main?token=${encodeURIComponent(value)}&${encodeURIComponent(value)}` },
  }),
  'the method': (value) => ({ fields: { method: value } }),
  'a note, a tag, names': (value) => ({
    fields: { note: `ask ${value}`, tags: [value], endpointName: value, secretName: value },
  }),
  'the address of the sender': (value) => ({ fields: { remoteAddress: value } }),
  'the reason': (value) => ({
    fields: {
      reason: `The target sent ${value}.`,
      notForwarded: [`Not forwarded to http://${encodeURIComponent(value)}/x: ${value}`],
    },
  }),
  'a cause': (value) => ({
    fields: {
      verdict: 'invalid',
      causes: [
        {
          code: 'secret.other_endpoint',
          where: 'dashboard',
          values: { key: `the secret of “${value}”`, header: value },
        },
        { code: value, where: 'here' },
      ],
    },
  }),
  'a finding': (value) => {
    const finding = { severity: 'error', message: value, actual: value } as const
    const expected = { ...finding, expected: value }
    return {
      fields: {
        findings: [
          { ...expected, code: 'data.value_new', location: `body.data.${value}` },
          { ...expected, code: 'header.type_mismatch', location: 'header.x-service-event-type' },
          { ...finding, code: 'payload.created_at', location: 'body.createdAt' },
          { code: value, severity: 'error', location: value, message: value },
        ],
      },
    }
  },
  'the URL of an attempt': (value) =>
    attempt(({ request }) => ({
      url: `https://quux.example/${encodeURIComponent(value)}?k=${encodeURIComponent(value)}`,
      request: { ...request, target: `/${value}?k=${value}` },
    })),
  'headers of an attempt': (value) =>
    attempt(({ request }) => ({
      request: {
        ...request,
        headers: [
          ['X-Guest', value],
          ['Authorization', value],
        ],
      },
    })),
  'the body of an attempt': (value) =>
    attempt(() => ({}), { request: event('OPEN_TAB', { name: value, remark: value }) }),
  'the response of a handler': (value) =>
    attempt(
      ({ response }) => ({
        response: response && {
          ...response,
          statusText: value,
          headers: [
            ['Set-Cookie', `sid=${value}`],
            ['X-Debug', value],
          ],
        },
      }),
      { response: `<h1>Error</h1> ${value}` },
    ),
  'an error of an attempt': (value) =>
    attempt(() => ({
      error: { code: 'refused', message: `Nothing listens at ${value}.` },
      notes: [`The target responded with a redirect to ${value}.`],
      secretName: value,
      remoteAddress: `${value}:443`,
    })),
}

/** Documented fields that are shown: what does not look like the name of a place or a product must not leave in them either. */
export const keptPlaces: Readonly<Record<string, (value: string) => DeliveryParts>> = {
  'a spot': (value) => openTab({ spotName: value }),
  'where a tab was opened': (value) => openTab({ openedFrom: value }),
  'tags and categories': (value) =>
    typed('ITEM_ADDED', { tags: [value], categoryName: value, productName: value, name: value }),
  zones: (value) =>
    typed('ORDER_PLACED', {
      zoneName: value,
      zoneGroupName: value,
      zoneTags: [value],
      itemTags: [value],
      categoryNames: [value],
      itemNames: [value],
    }),
  'a code': (value) => typed('QR_SCANNED', { type: 'SPOT', targetName: value, entryPoint: value }),
}
