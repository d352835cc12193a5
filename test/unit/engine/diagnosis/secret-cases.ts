import { createHash, createHmac } from 'node:crypto'
import { body, caseOf, hex, previousSecret, secret, text, type Case } from './given.ts'

/** Signed with `key`, a changed secret. Tabscope's secret is `own`. */
function changed(
  code: string,
  name: string,
  key: string | Uint8Array,
  near: string | Uint8Array,
  own: string = secret,
): Case {
  const keyring = { current: own }
  const signed = (by: string | Uint8Array) => ({ signature: hex(text, by), keyring })
  return caseOf(code, name, signed(key), signed(near))
}

const hexSecret = '00ff10a9b7c3d2e1f0'
const base64Secret = 'c2VjcmV0LXRhdmVybi0wMQ=='
const prefixed = `whsec_${base64Secret}`

export const secretCases: readonly Case[] = [
  caseOf(
    'secret.previous encoding.base64',
    'the previous secret, in base64 too',
    { signature: Buffer.from(hex(text, previousSecret), 'hex').toString('base64') },
    { signature: Buffer.from(hex(text, `${previousSecret}x`), 'hex').toString('base64') },
    'the previous secret',
  ),
  caseOf(
    'secret.other_endpoint',
    'the current secret of another endpoint',
    { signature: hex(text, 'bR7#kkZq1-99') },
    { signature: hex(text, 'bR7#kkZq1-98') },
    'the current secret of the endpoint “Bar”',
  ),
  caseOf(
    'secret.other_endpoint',
    'the previous secret of another endpoint',
    { signature: hex(text, 'oB5$yyWp3-98') },
    { signature: hex(text, 'oB5$yyWp3-97') },
    'the previous secret of the endpoint “Bar”',
  ),
  caseOf(
    'secret.access',
    'the API access secret',
    { signature: hex(text, 'aC2%Lw88xZ-77') },
    { signature: hex(text, 'aC2%Lw88xZ-78') },
    'the API access secret of the integration “Pier 9”',
  ),
  caseOf(
    'secret.identifier',
    'the access id',
    { signature: hex(text, 'pier-9-id') },
    { signature: hex(text, 'pier-9-Id') },
  ),
  caseOf(
    'secret.in_delivery',
    'an ID in a header',
    { signature: hex(text, 'A-17'), headers: [['X-Other-Id', 'A-17']] },
    { signature: hex(text, 'A-18'), headers: [['X-Other-Id', 'A-17']] },
    'the header “X-Other-Id”',
  ),
  caseOf(
    'secret.in_delivery',
    'a field of the body',
    { signature: hex(text, 'ORDER_PLACED') },
    { signature: hex(text, 'ORDER_PLACEd') },
    'the field “type”',
  ),
  caseOf(
    'secret.empty',
    'an empty secret',
    { signature: hex(text, '') },
    { signature: hex(text, 'undefined') },
  ),
  changed('secret.line_break', 'their secret ends with a line break', `${secret}\n`, `${secret}\v`),
  changed('secret.line_break', 'theirs ends with CR LF', `${secret}\r\n`, `${secret}\v`),
  changed('secret.line_break', 'ours ends with one', secret, `x${secret}`, `${secret}\n`),
  changed('secret.white_space', 'their secret ends with a space', `${secret} `, `${secret}  x`),
  changed('secret.white_space', 'theirs begins with a tab', `\t${secret}`, `\t\t\t${secret}`),
  changed(
    'secret.white_space',
    'ours has some on both sides',
    secret,
    `-${secret}`,
    `  ${secret} `,
  ),
  changed('secret.quotes', 'their secret is in quotes', `"${secret}"`, `"${secret}`),
  changed('secret.quotes', 'ours is in quotes', secret, `(${secret})`, `'${secret}'`),
  changed(
    'secret.hex_decoded',
    'the bytes that the digits stand for',
    Buffer.from(hexSecret, 'hex'),
    Buffer.from(`${hexSecret.slice(2)}aa`, 'hex'),
    hexSecret,
  ),
  changed(
    'secret.base64_decoded',
    'the bytes that base64 stands for',
    Buffer.from(base64Secret, 'base64'),
    Buffer.from(base64Secret.slice(4), 'base64'),
    base64Secret,
  ),
  changed('secret.prefix', 'without its prefix', base64Secret, `_${base64Secret}`, prefixed),
  changed('secret.prefix', 'with a prefix that ours lacks', `whsec_${secret}`, `whsec-${secret}`),
  changed(
    'secret.prefix_decoded',
    'decoded behind its prefix',
    Buffer.from(base64Secret, 'base64'),
    Buffer.from(base64Secret.slice(4), 'base64'),
    prefixed,
  ),
  changed(
    'secret.upper_case',
    'in upper case',
    secret.toUpperCase(),
    secret.toUpperCase().slice(1),
  ),
  changed(
    'secret.lower_case',
    'in lower case',
    secret.toLowerCase(),
    secret.toLowerCase().slice(1),
  ),
  changed(
    'secret.encoded',
    'its base64 text',
    Buffer.from(secret).toString('base64'),
    Buffer.from(`${secret}!`).toString('base64'),
  ),
  changed(
    'secret.encoded',
    'its hex digits',
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').slice(2),
  ),
  changed(
    'secret.utf16',
    'as Encoding.Unicode of C# writes it',
    Buffer.from(secret, 'utf16le'),
    Buffer.from(`${secret}\0`, 'latin1'),
  ),
  changed(
    'secret.utf16',
    'as UTF_16 of Java writes it',
    Buffer.from(`\ufeff${secret}`, 'utf16le').swap16(),
    Buffer.from(`\ufffe${secret}`, 'utf16le').swap16(),
  ),
  changed(
    'secret.utf16',
    'as utf-16 of Python writes it',
    Buffer.from(`\ufeff${secret}`, 'utf16le'),
    Buffer.from(`~${secret}`, 'utf16le'),
  ),
  changed(
    'secret.latin1',
    'as the charset of a system writes it',
    Buffer.from('tav\u00e9rn', 'latin1'),
    Buffer.from('tav\u00e9n', 'latin1'),
    'tav\u00e9rn',
  ),
  changed('secret.latin1', 'as Encoding.ASCII of C# writes it', 't?v', 't??v', 't\u20acv'),
  changed(
    'secret.latin1',
    'as latin1 of Node writes it',
    Buffer.from('t\u20acv', 'latin1'),
    't?vv',
    't\u20acv',
  ),
  changed('secret.printed', 'as Python prints bytes', `b'${secret}'`, `b${secret}`),
  changed(
    'secret.printed',
    'as Swift prints an optional',
    `Optional("${secret}")`,
    `Optional(${secret})`,
  ),
  changed('secret.nothing', 'undefined', 'undefined', 'undefine'),
  changed('secret.nothing', 'None', 'None', 'none!'),
  changed(
    'secret.hashed',
    'its SHA-256',
    createHash('sha256').update(secret).digest(),
    createHash('sha512').update(secret).digest(),
  ),
  changed(
    'secret.hashed',
    'the hex digits of its MD5',
    createHash('md5').update(secret).digest('hex'),
    createHash('md5').update(secret).digest('base64'),
  ),
  changed('secret.percent', 'percent-encoded', encodeURIComponent(secret), encodeURI(`${secret} `)),
  changed('secret.percent', 'with escapes undone', 'a b/c', 'a b%2Fc', 'a%20b%2Fc'),
  changed('secret.bom', 'with a byte order mark', `\ufeff${secret}`, `\ufffe${secret}`),
  changed('secret.bom', 'ours has a byte order mark', secret, `\ufffe${secret}`, `\ufeff${secret}`),
  caseOf(
    'secret.swapped',
    'the body as the key',
    { signature: createHmac('sha256', body).update(secret).digest('hex') },
    { signature: createHmac('sha256', body).update(`${secret}x`).digest('hex') },
  ),
  caseOf(
    'secret.swapped',
    'a short body as the key',
    { body: '{}', signature: createHmac('sha256', '{}').update(secret).digest('hex') },
    { body: '{}', signature: createHmac('sha256', '{x}').update(secret).digest('hex') },
  ),
  caseOf(
    'secret.candidate',
    'the candidate',
    { signature: hex(text, 'gV5~Tr0qq-55'), candidate: 'gV5~Tr0qq-55' },
    { signature: hex(text, 'gV5~Tr0qq-55'), candidate: 'gV5~Tr0qq-56' },
    'the secret that you entered',
  ),
]
