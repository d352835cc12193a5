import { createHash } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { body, hex, text, type Case, type Given } from './given.ts'

type Bytes = string | Uint8Array

/** Signed over bytes other than those sent. `near`: other signed bytes, which must not match. */
function signedOver(
  codes: string | readonly string[],
  name: string,
  signed: Bytes,
  near: Bytes,
  sent: Bytes = body,
  more: Given = {},
): Case {
  return {
    codes: typeof codes === 'string' ? [codes] : codes,
    name,
    given: { ...more, body: sent, signature: hex(signed) },
    near: { ...more, body: sent, signature: hex(near) },
  }
}

const value: unknown = JSON.parse(text)
const pretty = (indent: number | string): string => JSON.stringify(value, null, indent)
const spaced =
  '{"type": "ORDER_PLACED", "targetUuid": "o/1", "createdAt": "2026-03-14T21:00:00.000Z", "data": {"orderName": "Café <A-17>", "total": 42.5, "itemNames": ["Ale & Co", "Crêpe"]}}'
const sorted =
  '{"createdAt":"2026-03-14T21:00:00.000Z","data":{"itemNames":["Ale & Co","Crêpe"],"orderName":"Café <A-17>","total":42.5},"targetUuid":"o/1","type":"ORDER_PLACED"}'
const ascii = text.replaceAll('é', '\\u00e9').replaceAll('ê', '\\u00ea')
const slashes = text.replaceAll('/', '\\/')
const html = text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026')
const data = '{"orderName":"Café <A-17>","total":42.5,"itemNames":["Ale & Co","Crêpe"]}'
const mark = Buffer.from([0xef, 0xbb, 0xbf])
const lines = '{\n  "type": "OPEN_TAB",\n  "data": {}\n}'
// Each is a single UTF-16 code unit.
const characters = text.length

export const bodyCases: readonly Case[] = [
  signedOver('body.compact', 'compact, sent indented', text, `${text} x`, pretty(2)),
  signedOver('body.compact', 'compact, sent as Python writes', text, slashes.slice(1), spaced),
  signedOver('body.pretty', 'indented by 2', pretty(2), pretty(5)),
  signedOver('body.pretty', 'indented by 4', pretty(4), pretty(6)),
  signedOver('body.pretty', 'indented with tabs', pretty('\t'), pretty('\t\t')),
  signedOver('body.spaced', 'with Python’s separators', spaced, spaced.replaceAll(',', ' ,')),
  signedOver('body.sorted', 'sorted keys', sorted, sorted.replace('42.5', '42.6')),
  signedOver(
    ['body.sorted', 'body.pretty'],
    'sorted and indented',
    JSON.stringify(JSON.parse(sorted), null, 2),
    JSON.stringify(JSON.parse(sorted), null, 7),
  ),
  signedOver('body.ascii', '\\u escapes', ascii, ascii.replace('\\u00e9', '\\u00E9')),
  signedOver(
    ['body.spaced', 'body.ascii'],
    'as Python’s json.dumps writes it',
    spaced.replaceAll('é', '\\u00e9').replaceAll('ê', '\\u00ea'),
    spaced.replaceAll('é', '\\u00e9').replaceAll('ê', '?'),
  ),
  signedOver('body.slashes', 'escaped slashes', slashes, text.replaceAll('/', '\\\\/')),
  signedOver(
    ['body.ascii', 'body.slashes'],
    'as PHP’s json_encode writes it',
    ascii.replaceAll('/', '\\/'),
    ascii.replaceAll('/', '\\u002f'),
  ),
  signedOver('body.html', 'escaped as Go and Rails do', html, html.replace('\\u0026', '&amp;')),
  signedOver(
    ['body.sorted', 'body.html'],
    'as Go’s json.Marshal writes a map',
    sorted.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026'),
    sorted.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ),
  signedOver(
    ['body.html', 'body.ascii'],
    'escaped as System.Text.Json does',
    text
      .replaceAll('é', '\\u00E9')
      .replaceAll('ê', '\\u00EA')
      .replaceAll('<', '\\u003C')
      .replaceAll('>', '\\u003E')
      .replaceAll('&', '\\u0026'),
    text.replaceAll('é', '\\u00E9'),
  ),
  signedOver('body.unescaped', 'sent with escapes, signed without', text, `${text}}`, ascii),
  signedOver(
    'body.numbers',
    'numbers in their shortest form',
    '{"a":1,"b":42.5}',
    '{"a":1,"b":42.50}x',
    '{"a":1.0,"b":42.50}',
  ),
  signedOver(
    'body.times',
    'without the last zeros of a second, as Newtonsoft.Json writes it',
    text.replace('21:00:00.000Z', '21:00:00Z'),
    text.replace('21:00:00.000Z', '22:00:00Z'),
  ),
  signedOver('body.data_only', 'only data', data, `"data":${data}`),
  signedOver(
    ['body.data_only', 'body.pretty'],
    'only data, indented',
    JSON.stringify(JSON.parse(data), null, 2),
    '{}',
  ),
  signedOver('body.newline', 'a trailing line break', `${text}\n`, `${text}\n\n\n`),
  signedOver(
    'body.newline',
    'sent with a line break, signed without',
    text,
    `${text}x`,
    `${text}\n`,
  ),
  signedOver(
    ['body.compact', 'body.newline'],
    'compact with a line break, as Go’s Encoder writes it',
    `${text}\n`,
    `${text}\n\n`,
    pretty(2),
  ),
  signedOver(
    'body.line_ends',
    'LF, sent as CR LF',
    lines,
    `${lines}x`,
    lines.replaceAll('\n', '\r\n'),
  ),
  signedOver(
    'body.line_ends',
    'CR LF, sent as LF',
    lines.replaceAll('\n', '\r\n'),
    lines.replaceAll('\n', '\r'),
    lines,
  ),
  signedOver(
    'body.bom',
    'a byte order mark',
    Buffer.concat([mark, body]),
    Buffer.concat([mark, mark, body]),
  ),
  signedOver(
    'body.bom',
    'sent with one, signed without',
    body,
    `${text}x`,
    Buffer.concat([mark, body]),
  ),
  ...(
    [
      ['gzip', gzipSync(body)],
      ['deflate', deflateSync(body)],
      ['br', brotliCompressSync(body)],
    ] as const
  ).map(([encoding, sent]) =>
    signedOver('body.decoded', `signed before ${encoding}`, body, `${text}x`, sent, {
      headers: [['Content-Encoding', encoding]],
    }),
  ),
  signedOver('body.decoded', 'gzip that no header tells of', body, `${text}x`, gzipSync(body)),
  signedOver(
    ['body.decoded', 'body.spaced'],
    'signed as Python writes it, before gzip',
    spaced,
    `${spaced} x`,
    gzipSync(body),
  ),
  signedOver(
    'body.latin1',
    'Latin-1',
    Buffer.from(text, 'latin1'),
    Buffer.from(`${text}é`, 'latin1'),
  ),
  signedOver(
    'body.latin1',
    'question marks',
    text.replaceAll(/[éê]/g, '?'),
    text.replaceAll(/[éê]/g, '???'),
  ),
  signedOver(
    'body.utf8',
    'sent as UTF-8 of UTF-8',
    body,
    `${text}x`,
    Buffer.from(body.toString('latin1')),
  ),
  signedOver('body.utf8', 'sent in Latin-1', body, `${text}x`, Buffer.from(text, 'latin1')),
  signedOver(
    'body.utf8',
    'signed as UTF-8 of UTF-8',
    Buffer.from(body.toString('latin1')),
    `${body.toString('latin1')}x`,
  ),
  signedOver(
    'body.utf16',
    'UTF-16',
    Buffer.from(text, 'utf16le'),
    Buffer.from(`${text} `, 'utf16le'),
  ),
  signedOver(
    'body.utf16',
    'UTF-16 as Java writes it',
    Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    Buffer.from(`\ufffe${text}`, 'utf16le').swap16(),
  ),
  signedOver(
    'body.utf16',
    'UTF-16 as Python writes it',
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(`${text}\ufeff`, 'utf16le'),
  ),
  signedOver(
    'body.utf16',
    'big-endian UTF-16',
    Buffer.from(text, 'utf16le').swap16(),
    Buffer.from(`${text}x`, 'utf16le').swap16(),
  ),
  signedOver(
    'body.low_bytes',
    'as latin1 of Node writes it',
    Buffer.from('{"name":"\u20ac\u{1f600}"}', 'latin1'),
    '{"name":"???"}',
    Buffer.from('{"name":"\u20ac\u{1f600}"}'),
  ),
  signedOver(
    'body.replaced',
    'read as text',
    Buffer.from(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString()),
    '{???}',
    Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  ),
  signedOver(
    'body.hex',
    'its hex digits',
    body.toString('hex'),
    body.toString('hex').toUpperCase(),
  ),
  signedOver(
    'body.python_bytes',
    'as Python prints bytes',
    `b'${body.toString('latin1').replaceAll(/[\u0080-\u00ff]/g, (one) => `\\x${one.charCodeAt(0).toString(16)}`)}'`,
    `b'${text}'`,
  ),
  signedOver('body.object_text', 'as JavaScript prints it', '[object Object]', '[object object]'),
  signedOver('body.object_text', 'as PHP prints it', 'Array', 'array'),
  signedOver(
    'body.object_text',
    'as Python prints it',
    `{'a': "it's", 'b': 'say \\'"\\'', 'c': [True, None, 1.50, {}], 'é': '\\n\\x07'}`,
    `{'a': 'it"s'}`,
    String.raw`{"a":"it's","b":"say '\"'","c":[true,null,1.50,{}],"é":"\n\u0007"}`,
  ),
  signedOver(
    'body.object_text',
    'as Ruby prints it',
    '{"a"=>nil, "b"=>["\\#{x}", true]}',
    '{"a"=>nil}',
    '{"a":null,"b":["#{x}",true]}',
  ),
  signedOver(
    'body.object_text',
    'as Ruby 3.4 prints it',
    '{"a" => nil, "b" => []}',
    '{"a" => nil}',
    '{"a":null,"b":[]}',
  ),
  signedOver(
    'body.object_text',
    'as Java prints a map',
    '{a=x y, b={c=[1, 2]}}',
    '{a=x y}',
    '{"a":"x y","b":{"c":[1,2]}}',
  ),
  signedOver('body.object_text', 'as JavaScript prints a promise', '[object Promise]', '[Promise]'),
  signedOver('body.empty', 'an empty body', '', ' '),
  signedOver('body.empty', 'an empty object', '{}', '{ }'),
  signedOver(
    'body.buffer',
    'the JSON of a Buffer',
    JSON.stringify(body),
    JSON.stringify([...body]),
  ),
  signedOver(
    'body.buffer',
    'the JSON of a Uint8Array',
    JSON.stringify(new Uint8Array(body)),
    JSON.stringify(new Uint8Array([0, ...body])),
  ),
  signedOver('body.buffer', 'a list of bytes', String([...body]), String([...body, 0])),
  signedOver('body.base64', 'its base64 text', body.toString('base64'), body.toString('base64url')),
  signedOver(
    'body.stringified',
    'JSON within JSON',
    JSON.stringify(text),
    JSON.stringify(`${text} `),
  ),
  signedOver(
    'body.digest',
    'its hash',
    createHash('sha256').update(body).digest('hex'),
    createHash('sha1').update(body).digest('hex'),
  ),
  signedOver(
    'body.signed_by_characters',
    'too few bytes',
    body.subarray(0, characters),
    body.subarray(0, characters - 1),
  ),
  signedOver(
    'body.length_in_characters',
    'a Content-Length that counts characters',
    '{"name":"Café","data":{}}',
    '{"name":"Café","data":{}}}',
    Buffer.from('{"name":"Café","data":{}}').subarray(0, -1),
  ),
]
