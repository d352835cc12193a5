import { gzipSync } from 'node:zlib'
import { hex, hmac, secret, text, type Case, type Given } from './given.ts'

type Bytes = string | Uint8Array

/** What was reported about tools of this kind, with other values. `near` must not be explained by the first of the codes. */
function report(codes: readonly string[], name: string, given: Given, near: Given): Case {
  return { codes, name, given, near }
}

function signed(
  codes: readonly string[],
  name: string,
  { sent, over, near }: { readonly sent: Bytes; readonly over: Bytes; readonly near: Bytes },
  more: Given = {},
): Case {
  return report(
    codes,
    name,
    { ...more, body: sent, signature: hex(over) },
    { ...more, body: sent, signature: hex(near) },
  )
}

function keyed(code: string, name: string, own: string, key: string, near: string): Case {
  const keyring = { current: own }
  return report(
    [code],
    name,
    { signature: hex(text, key), keyring },
    { signature: hex(text, near), keyring },
  )
}

const wrapped = (code: string, name: string, value: string, near: string): Case =>
  report([code], name, { signature: value }, { signature: near })

const emoji = '{"data":{"name":"Café ✋ 🤨 🥞"}}'
const fish = `{"data":{"name":"Fish & Chips <now> a/b","spot":"Bill's = 5"}}`
const right = hex(text)
const other = hex(`${text}x`)
const latin1 = (of: string): Buffer => Buffer.from(of, 'latin1')

export const reportCases: readonly Case[] = [
  signed(['body.latin1'], 'ASCII of .NET, two question marks for each emoji', {
    sent: emoji,
    over: '{"data":{"name":"Caf? ? ?? ??"}}',
    near: '{"data":{"name":"Caf? ? ??? ??"}}',
  }),
  signed(['body.latin1'], 'Latin-1 of .NET', {
    sent: emoji,
    over: latin1('{"data":{"name":"Caf\u00e9 ? ?? ??"}}'),
    near: latin1('{"data":{"name":"Caf\u00e9 ? ??? ??"}}'),
  }),
  signed(['body.astral'], 'only emoji escaped', {
    sent: emoji,
    over: '{"data":{"name":"Café ✋ \\uD83E\\uDD28 \\uD83E\\uDD5E"}}',
    near: '{"data":{"name":"Café ✋ \\uD83E\\uDD28 ?"}}',
  }),
  signed(['body.unescaped'], 'emoji sent escaped, signed as they are', {
    sent: '{"data":{"name":"Café ✋ \\uD83E\\uDD28"}}',
    over: '{"data":{"name":"Café ✋ 🤨"}}',
    near: '{"data":{"name":"Café ✋ "}}',
  }),
  signed(['body.slashes', 'body.html'], 'slashes and & escaped together', {
    sent: fish,
    over: fish.replace('/', '\\/').replace('&', '\\u0026'),
    near: fish.replace('/', '\\\\/').replace('&', '\\u0026'),
  }),
  signed(['body.escapes', 'body.html'], 'HTML-safe escapes of Gson', {
    sent: fish,
    over: fish.replaceAll(/[<>&'=]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
    near: fish.replaceAll(/[<>&'=]/g, (one) => `&#${one.charCodeAt(0)};`),
  }),
  signed(['body.hex_case'], 'hex digits in another case', {
    sent: '{"name":"Caf\\u00e9"}',
    over: '{"name":"Caf\\u00E9"}',
    near: '{"name":"Caf\\u00Ea"}',
  }),
  signed(['body.numbers'], 'a whole number as 385.0, another one not', {
    sent: '{"data":{"total":385,"quantity":2}}',
    over: '{"data":{"total":385.0,"quantity":2}}',
    near: '{"data":{"total":385.5,"quantity":2}}',
  }),
  signed(['body.numbers'], 'amounts with two decimals', {
    sent: '{"data":{"total":42.5,"tip":3,"quantity":2}}',
    over: '{"data":{"total":42.50,"tip":3.00,"quantity":2}}',
    near: '{"data":{"total":42.51,"tip":3.00,"quantity":2}}',
  }),
  signed(['body.numbers'], 'an amount in quotes', {
    sent: '{"data":{"total":42.50,"quantity":2}}',
    over: '{"data":{"total":"42.50","quantity":2}}',
    near: '{"data":{"total":"42.51","quantity":2}}',
  }),
  signed(['body.rounded'], 'the digits of a number that JavaScript rounded', {
    sent: '{"data":{"id":987654321987654300,"quantity":2}}',
    over: '{"data":{"id":987654321987654321,"quantity":2}}',
    near: '{"data":{"id":987654321987654900,"quantity":2}}',
  }),
  signed(['body.nulls'], 'members that are null were left out', {
    sent: '{"targetUuid":null,"targetId":"c-12","data":{"tab":null}}',
    over: '{"targetId":"c-12","data":{}}',
    near: '{"targetId":"c-13","data":{}}',
  }),
  signed(['body.nulls'], 'a documented member was added as null', {
    sent: '{"type":"CATEGORY_UPDATED","targetId":"c-12","createdAt":"2026-03-01T20:15:30.123Z","data":{}}',
    over: '{"type":"CATEGORY_UPDATED","targetUuid":null,"targetId":"c-12","createdAt":"2026-03-01T20:15:30.123Z","data":{}}',
    near: '{"type":"CATEGORY_UPDATED","x":null,"targetId":"c-12","createdAt":"2026-03-01T20:15:30.123Z","data":{}}',
  }),
  signed(['body.empty_left_out'], 'empty arrays were left out', {
    sent: '{"data":{"tags":[],"name":"x"}}',
    over: '{"data":{"name":"x"}}',
    near: '{"data":{"name":"x","y":1}}',
  }),
  signed(['body.empty_values'], 'an empty object as PHP writes it', {
    sent: '{"type":"X","data":{}}',
    over: '{"type":"X","data":[]}',
    near: '{"type":"X","data":0}',
  }),
  signed(['body.names'], 'member names in snake_case', {
    sent: '{"targetUuid":"a","data":{"orderName":"x"}}',
    over: '{"target_uuid":"a","data":{"order_name":"x"}}',
    near: '{"target-uuid":"a","data":{"order-name":"x"}}',
  }),
  signed(['body.duplicates'], 'the last of equal keys', {
    sent: '{"a":1,"b":2,"a":3}',
    over: '{"a":3,"b":2}',
    near: '{"a":4,"b":2}',
  }),
  signed(['body.wrapped'], 'sent as base64', {
    sent: Buffer.from(text).toString('base64'),
    over: text,
    near: `${text}x`,
  }),
  signed(['body.wrapped'], 'sent in the member of a queue', {
    sent: JSON.stringify({ MessageId: '1', Message: text }),
    over: text,
    near: `${text}x`,
  }),
  signed(['body.wrapped'], 'sent as a JSON string', {
    sent: JSON.stringify(text),
    over: text,
    near: `${text}x`,
  }),
  signed(['body.form'], 'sent as a form field', {
    sent: `payload=${encodeURIComponent(text)}`,
    over: text,
    near: `${text}x`,
  }),
  signed(['body.compressed'], 'compressed before signing, decompressed in transit', {
    sent: text,
    over: gzipSync(text),
    near: gzipSync(`${text}x`),
  }),
  signed(['body.normalized'], 'accents as separate characters', {
    sent: '{"name":"Caf\u00e9"}',
    over: '{"name":"Cafe\u0301"}',
    near: '{"name":"Cafe\u0301\u0301"}',
  }),
  signed(['body.supplementary'], 'emoji replaced by a column that is not utf8mb4', {
    sent: emoji,
    over: emoji.replaceAll(/[🤨🥞]/gu, '????'),
    near: emoji.replaceAll(/[🤨🥞]/gu, '???'),
  }),
  signed(['body.pretty', 'body.newline'], 'indented, with a line break at the end', {
    sent: text,
    over: `${JSON.stringify(JSON.parse(text), null, 2)}\n`,
    near: `${JSON.stringify(JSON.parse(text), null, 2)}\n\n`,
  }),
  signed(['body.pretty'], 'indented, with CR LF', {
    sent: text,
    over: JSON.stringify(JSON.parse(text), null, 2).replaceAll('\n', '\r\n'),
    near: JSON.stringify(JSON.parse(text), null, 2).replaceAll('\n', '\r\r\n'),
  }),
  signed(['body.pretty'], 'in the layout of Jackson', {
    sent: '{"a":[1,2],"b":{}}',
    over: '{\n  "a" : [ 1, 2 ],\n  "b" : { }\n}',
    near: '{\n  "a" : [ 1 , 2 ],\n  "b" : { }\n}',
  }),
  keyed('secret.line_break', 'a carriage return', secret, `${secret}\r`, `${secret}\v`),
  keyed(
    'secret.prefix',
    'a version before the prefix',
    `v1,whsec_${secret}`,
    `whsec_${secret}`,
    secret.slice(1),
  ),
  keyed('secret.escape', 'the characters \\n', secret, `${secret}\\n`, `${secret}\\x`),
  keyed('secret.invisible', 'a zero width space here', `${secret}\u200b`, secret, `${secret}!`),
  keyed(
    'secret.invisible',
    'a zero width space there',
    secret,
    `${secret}\u200b`,
    `${secret}\u3042`,
  ),
  keyed(
    'secret.name',
    'a line of an .env file',
    `export HOOK_SECRET=${secret}`,
    secret,
    `=${secret}!`,
  ),
  keyed('secret.cut', 'a comment', 'abcd1234#efgh', 'abcd1234', 'abcd123x'),
  keyed('secret.expanded', 'a variable', 'ab$cdef12/x', 'ab/x', 'ab!x'),
  keyed('secret.html', 'HTML escapes', 'a&b<c>0123', 'a&amp;b&lt;c&gt;0123', 'a&amp;b<c>012'),
  keyed(
    'secret.normalized',
    'another Unicode form',
    'tav\u00e9rn-0123',
    'tave\u0301rn-0123',
    'tavern-0123!',
  ),
  keyed(
    'secret.part',
    'without its last character',
    secret,
    secret.slice(0, -1),
    `${secret.slice(0, -1)}x`,
  ),
  wrapped('encoding.name', 'a name before it', `signature=${right}`, `signature=${other}`),
  wrapped('encoding.name', 'Bearer before it', `Bearer ${right}`, `Bearer ${other}`),
  wrapped('encoding.brackets', 'a list in brackets', `[${right}]`, `[${other}]`),
  wrapped(
    'encoding.json',
    'a JSON object',
    JSON.stringify({ sig: right }),
    JSON.stringify({ sig: other }),
  ),
  report(
    ['scheme.paddle'],
    'Paddle',
    { signature: `ts=1671552777;h1=${hex(`1671552777:${text}`)}` },
    { signature: `ts=1671552778;h1=${hex(`1671552777:${text}`)}` },
  ),
  report(
    ['body.compact', 'secret.line_break', 'encoding.base64'],
    'three mistakes of different kinds',
    {
      body: JSON.stringify(JSON.parse(text), null, 2),
      signature: hmac(text, `${secret}\n`).toString('base64'),
    },
    {
      body: JSON.stringify(JSON.parse(text), null, 2),
      signature: hmac(`${text}x`, `${secret}\n`).toString('base64'),
    },
  ),
]
