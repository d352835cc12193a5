import type { Cause } from '#contract/models.ts'
import { causeTitle, causeTitles, isCauseCode, type CauseCode } from './cause-titles.ts'
import {
  isResponseCode,
  responseFix,
  responseSentence,
  type ResponseCode,
} from './response-causes.ts'

type Values = NonNullable<Cause['values']>

const enterAgain =
  'If Tabscope’s secret has it, set the secret again under Endpoints. If the service’s secret has it, set it again on the dashboard.'
const rawBody = 'Sign the final bytes, after all other changes to the body.'
const rawJson =
  'Sign the exact bytes that are sent: serialize the JSON once, sign those bytes, and send the same bytes.'
const use =
  'Use HMAC-SHA256, as documented: in Node createHmac("sha256", secret).update(body).digest("hex").'
const bodyOnly =
  'The documented signature covers only the body. Disable this scheme in the code that signs.'

/** By who made the mistake, unless a diagnosis finds that it was another side. */
const sender = {
  'encoding.unknown':
    'Check the value of the header: a signature in hex has 64 digits. A placeholder, a name or an empty value means that a variable was not set.',
  'secret.in_delivery':
    'The sender has no secret yet: set one on the dashboard. Anybody who sees a delivery knows its IDs.',
  'secret.identifier': 'Use the webhook secret as the key. An ID is not a secret.',
  'secret.empty':
    'The signer found no secret. Check the name of the variable or setting from which it reads the secret.',
  'secret.line_break': `${enterAgain} Files written by echo or an editor end with one.`,
  'secret.white_space': enterAgain,
  'secret.quotes': `${enterAgain} Some .env parsers keep the quotes.`,
  'secret.hex_decoded': 'Use the secret’s characters unchanged: the digits themselves are the key.',
  'secret.base64_decoded': 'Use the secret’s characters unchanged, without decoding them.',
  'secret.prefix': 'Use the complete secret as the dashboard shows it, including its prefix.',
  'secret.prefix_decoded':
    'Use the secret’s characters unchanged. A Standard Webhooks library decodes the secret, plain HMAC does not.',
  'secret.encoded':
    'Use the secret itself. For example, Kubernetes secrets are base64 until they are decoded.',
  'secret.percent': 'Use the secret unchanged: it is not part of a URL.',
  'secret.upper_case': 'Do not change the case of the secret.',
  'secret.lower_case': 'Do not change the case of the secret.',
  'secret.utf16':
    'Use the secret’s UTF-8 bytes. In C#: Encoding.UTF8.GetBytes(secret), not Encoding.Unicode. In Java and Kotlin: UTF_8, not UTF_16. In Python: secret.encode(). In Node: no "utf16le" or "ucs2".',
  'secret.latin1':
    'Use the secret’s UTF-8 bytes. In C#: Encoding.UTF8, not Encoding.ASCII or Encoding.Default. In Java: getBytes(StandardCharsets.UTF_8). In Node: no "latin1", "binary" or "ascii".',
  'secret.printed':
    'In Python: secret.encode(), not str(secret.encode()). In Swift: unwrap the optional before converting it to a string.',
  'secret.nothing':
    'The signer found no secret and used the word for a missing value. Check the variable: process.env in JavaScript, os.environ in Python, ENV in Ruby, os.Getenv in Go, System.getenv in Java and Kotlin.',
  'secret.hashed':
    'Use the secret itself as the key. In PHP: hash_hmac("sha256", $body, $secret), without hash() around $secret.',
  'secret.bom': `${enterAgain} Some editors write an invisible mark before the text.`,
  'secret.escape': `${enterAgain} Some .env parsers resolve \\n, others keep the two characters.`,
  'secret.invisible': `${enterAgain} Copying from a web page or a chat can add one.`,
  'secret.name': enterAgain,
  'secret.cut': 'Put the secret in quotes in the .env file: an unquoted # starts a comment.',
  'secret.expanded':
    'Put the secret in single quotes, or escape the sign as the shell, Docker Compose or .env parser requires.',
  'secret.html': `${enterAgain} A web form escapes & < > and quotes.`,
  'secret.normalized': enterAgain,
  'secret.part':
    'Set the complete secret again. Look for a column or field with a length limit, and for a key that is cut to a fixed length.',
  'body.bom': `${rawBody} In .NET: new UTF8Encoding(false).`,
  'body.latin1':
    'Sign the UTF-8 bytes. In Java: getBytes(StandardCharsets.UTF_8), since getBytes() uses the system’s charset. In C#: Encoding.UTF8, not Encoding.ASCII or Encoding.Default.',
  'body.utf8':
    'Sign the bytes that are sent. The signer treats UTF-8 as Latin-1, or sends Latin-1.',
  'body.utf16':
    'Sign the UTF-8 bytes. In C#: Encoding.UTF8, not Encoding.Unicode. In Java and Kotlin: UTF_8, not UTF_16. In Python: encode(), not encode("utf-16"). In Swift: .utf8, not .utf16 or .unicode.',
  'body.low_bytes':
    'In JavaScript use Buffer.from(text, "utf8"), not "latin1", "binary" or "ascii"; in C#, Java and Swift encode as UTF-8 instead of casting each character to a byte.',
  'body.hex':
    'Sign the bytes themselves, without bin2hex in PHP, toString("hex") in JavaScript, .hex() in Python or unpack("H*") in Ruby.',
  'body.empty':
    'Sign after the body is complete. A stream that was read before it was signed is empty.',
  'body.base64': 'Sign the bytes of the body, before any encoding.',
  'body.stringified':
    'The body was serialized as JSON twice before it was signed. Sign the JSON text itself.',
  'body.digest': 'Pass the body itself to the HMAC, not its hash.',
  'body.signed_by_characters':
    'Pass the complete buffer to the HMAC. A length in characters is too short if some characters have several bytes.',
  'body.length_in_characters':
    'Set Content-Length in bytes: Buffer.byteLength(body) in Node, len(body.encode()) in Python.',
  'body.object_text':
    'Sign the bytes of the request, not the parsed object: req.rawBody or express.raw() in JavaScript, request.get_data() in Python, request.raw_post in Ruby, file_get_contents("php://input") in PHP.',
  'body.buffer':
    'Pass the Buffer or Uint8Array itself to the HMAC: update(body), without JSON.stringify or String.',
  'body.cut': 'Read the body to its end before it is signed.',
  'body.python_bytes':
    'In Python, pass the bytes to hmac.new: request.get_data(), not str(request.get_data()).',
  'body.replaced':
    'Sign the bytes before they are decoded as text: without toString() in JavaScript, without decode(errors="replace") in Python, and likewise in Go, Rust, Java and C#.',
  'body.normalized': `${rawBody} Accented letters can be one character (NFC) or two (NFD).`,
  'body.supplementary': `${rawBody} A column or encoding without emoji replaces them: in MySQL, use utf8mb4.`,
  'body.data_only': 'Sign the complete body: the API documentation says “the request body”.',
  'algorithm.sha1': use,
  'algorithm.sha512': use,
  'algorithm.sha384': use,
  'algorithm.md5': use,
  'algorithm.plain': `${use} A plain hash proves nothing, since anybody can compute it.`,
  'algorithm.concatenated': use,
  'secret.swapped':
    'Pass the secret as the key and the body as the message. Libraries differ in the order of these arguments.',
  'scheme.standard_webhooks': bodyOnly,
  'scheme.stripe': bodyOnly,
  'scheme.paddle': bodyOnly,
  'scheme.slack': bodyOnly,
  'scheme.github': 'Send only the hex digits in the expected header.',
  'scheme.timestamp': bodyOnly,
  'scheme.field': bodyOnly,
  'scheme.url': bodyOnly,
  'encoding.prefix': 'Send only the hex digits: the API documentation has no prefix.',
  'encoding.version_prefix': 'Send only the hex digits: the API documentation has no prefix.',
  'encoding.name': 'Send only the hex digits, without a name or “Bearer” before them.',
  'encoding.brackets': 'Send only the hex digits. A list was printed instead of its only item.',
  'encoding.json': 'Send only the hex digits, not the object that contains them.',
  'encoding.quotes': 'Send only the hex digits, without quotes.',
  'encoding.white_space': 'Send only the hex digits, without white space.',
  'encoding.hex_prefix': 'Send only the hex digits. In Go: %x, not %#x.',
  'encoding.python_bytes':
    'In Python, send hmac.new(…).hexdigest(), without encode() or str() around it.',
  'encoding.percent':
    'Send the signature unchanged, since a header is not a URL: without urlencode in PHP, encodeURIComponent in JavaScript or quote in Python.',
  'encoding.appended':
    'In Go, write the body first, then sum: mac.Write(body), then hex.EncodeToString(mac.Sum(nil)). Sum(body) only appends to the body.',
  'encoding.key_id': 'Send only the hex digits, without a key ID and the algorithm.',
  'encoding.list': 'Send one signature. The API documentation shows one value, not a list.',
  'encoding.base64':
    'Encode the signature in hex: 64 digits. In Node: .digest("hex") instead of .digest("base64").',
  'encoding.base64url': 'Encode the signature in hex: 64 digits.',
  'encoding.base64_of_hex':
    'Send the hex digits themselves. In PHP: hash_hmac(…) without base64_encode around it.',
  'encoding.separated':
    'Send the 64 digits without separators. In .NET: Convert.ToHexString, not BitConverter.ToString.',
  'encoding.double_hex':
    'Encode the signature in hex only once. In PHP, hash_hmac already returns hex digits, without bin2hex; so do hexdigest in Python and Ruby, and digest("hex") in JavaScript.',
  'encoding.leading_zeros':
    'Send all 64 digits. In Java and Kotlin: HexFormat.of().formatHex(bytes), not BigInteger(1, bytes).toString(16).',
  'encoding.numbers':
    'Encode the bytes in hex. In Java and Kotlin: HexFormat.of().formatHex(bytes), not Arrays.toString. In Go: hex.EncodeToString. In Swift: map { String(format: "%02x", $0) }. In Rust: hex::encode. In JavaScript: .digest("hex").',
  'encoding.raw':
    'Encode the bytes in hex. In PHP: hash_hmac without true as its last argument. In Ruby: hexdigest, not digest. In Python: hexdigest(). In JavaScript: .digest("hex"), not "binary" or "latin1".',
  'encoding.truncated':
    'Send all 64 digits. Look for a column, a variable or a log line with a length limit.',
  'encoding.upper_case':
    'No fix is needed: the signature is valid. A handler that compares strings must convert both to lower case first.',
} as const

const between = {
  'request.malformed':
    'Compare the stored bytes with RFC 9112. Some proxies pass on what others refuse: a path in UTF-8, or Content-Length together with chunks. Correct it where it is sent.',
  'body.truncated':
    'Have the delivery sent again. If the body is larger than the limit, increase the limit in Settings first.',
  'body.newline': `${rawBody} Go’s Encoder, echo and editors append a line break.`,
  'body.line_ends':
    'Find what treats the body as text in transit. It must pass the bytes unchanged.',
  'body.decoded':
    'Sign the bytes that are sent: compress first, then sign. Or send the body uncompressed.',
  'body.compact': rawJson,
  'body.pretty': rawJson,
  'body.spaced': rawJson,
  'body.sorted': rawJson,
  'body.ascii': rawJson,
  'body.slashes': rawJson,
  'body.html': rawJson,
  'body.astral': `${rawJson} Jackson escapes characters beyond U+FFFF as bytes, but not as text.`,
  'body.escapes': rawJson,
  'body.hex_case': rawJson,
  'body.unescaped': rawJson,
  'body.rounded': `${rawJson} JavaScript, jq and others round whole numbers beyond 2^53: send such an ID as a text.`,
  'body.numbers': rawJson,
  'body.times': `${rawJson} Newtonsoft.Json takes texts for times, and drops zeros at the end of a second, so that about one delivery in ten fails: set DateParseHandling.None.`,
  'body.nulls': `${rawJson} Some libraries leave out members that are null, others write them.`,
  'body.empty_left_out': rawJson,
  'body.empty_values': `${rawJson} PHP writes an empty object as [] unless it is decoded as an object.`,
  'body.names': rawJson,
  'body.duplicates': rawJson,
  'body.form':
    'Sign the bytes that are sent, or send the JSON itself with Content-Type: application/json.',
  'body.wrapped':
    'Sign the bytes that are sent, or send the content itself. Queues and gateways wrap bodies in base64 or in a JSON string.',
  'body.compressed': 'Sign the bytes that are sent. Check whether a proxy decompresses requests.',
} as const

const dashboard = {
  'endpoint.none':
    'Correct the webhook URL on the dashboard, or create an endpoint with this path.',
  'header.missing':
    'Set a secret for the webhook on the dashboard: the header is only sent if one is configured. If it is set, check whether a proxy or tunnel removes headers.',
  'application.other':
    'Check on the dashboard which integration this webhook belongs to: the webhooks of each integration have their own secrets. Or correct the application ID of the endpoint.',
  'secret.previous':
    'Set the new secret on the service’s dashboard, or undo the rotation in Tabscope.',
  'secret.other_endpoint':
    'Set this endpoint’s own secret for the webhook on the dashboard, or set the webhook’s URL to that of the endpoint with this secret.',
  'secret.access':
    'Use the webhook’s own secret to sign. The access secret is only for the token endpoint.',
} as const

const here = {
  'secret.none': 'Copy the secret of the webhook from the dashboard and set it under Endpoints.',
  'secret.unavailable':
    'Set the secret again under Endpoints, or restore the key that it was encrypted with.',
  'header.other_name':
    'If the name contains another brand, set that brand in the integration. Otherwise send the signature in the expected header.',
  'secret.candidate': 'Set it as the endpoint’s secret under Endpoints. Tabscope did not store it.',
} as const

const handler = {
  'handler.serialized': 'Compute the signature of the raw bytes of the body, before any parsing.',
} as const

const asText =
  'Read bytes, not text: arrayBuffer() in Hono, before json(), in Bun, Deno, Cloudflare Workers, Next.js, SvelteKit and h3; the stream in Koa and AdonisJS, whose rawBody and raw() are text. Of a text, a byte order mark and bytes that are not UTF-8 are lost.'

/** How frameworks lose the body, if a handler computed it so. As measured for the guide. */
const handlerFixes: Readonly<Partial<Record<CauseCode, string>>> = {
  'body.empty':
    'Read the raw body once, before anything else does. It is empty after json() in Bun, Deno and Cloudflare Workers, after Bind in Gin and Echo, after params without a content type in Sinatra, and in Express and NestJS if a body parser read it; for a chunked body with bounded_stream in Falcon and in Django under Gunicorn; and without a content type in SvelteKit, Koa ({}), NestJS and AdonisJS.',
  'body.replaced': asText,
  'body.bom': asText,
  'body.decoded':
    'The body was decompressed before the handler got it, as express.raw and express.json do without inflate: false, Koa, AdonisJS 7, NestJS, Restify, functions-framework and aiohttp. Turn that off, or verify before it is decompressed.',
  'body.cut':
    'Read the stream to its end. Next.js with proxy.js or middleware passes on no more than 10 MiB: increase proxyClientMaxBodySize, or exempt the path with its matcher.',
  'body.buffer':
    'Pass the Buffer itself to the HMAC: update(req.body) after express.raw(), without JSON.stringify or String.',
  'body.object_text':
    'Pass the bytes of the body to the HMAC: await the promise of text() or arrayBuffer(), and take req.body only after express.raw().',
}

/** For the code of a handler, whose digest is explained. */
export function handlerFix(code: CauseCode): string {
  return (
    handlerFixes[code] ??
    'Compute the HMAC-SHA256 of the raw bytes of the body, before any parsing, and compare its hex digits.'
  )
}

const fixes: Readonly<Record<Exclude<CauseCode, ResponseCode>, string>> = {
  ...sender,
  ...between,
  ...dashboard,
  ...here,
  ...handler,
}

/** Of the other causes, the sentence says how the received value was computed. */
const sentences: Readonly<Partial<Record<CauseCode, (values: Values) => string>>> = {
  'request.malformed': () =>
    'It was stored as bytes, and a signature in them was not checked. The reason of the delivery says what is wrong.',
  'endpoint.none': ({ state }) =>
    state === 'deleted'
      ? 'Its endpoint was deleted together with its secrets.'
      : 'No endpoint matched the path when it was received, so there is no secret to check with.',
  'secret.none': ({ endpoint }) =>
    `The endpoint${quoted(endpoint)} has no secret, so no signature can be checked.`,
  'secret.unavailable': ({ endpoint, secrets = 'stored' }) =>
    `The ${secrets} secret of the endpoint${quoted(endpoint)} was encrypted with a key that is no longer available, so it was not tried.`,
  'header.missing': ({ header = 'The signature header', others }) =>
    others === undefined
      ? `Neither ${header} nor another header that looks like a signature was received.`
      : `${header} was not received, but ${others} was.`,
  'body.truncated': describeTruncation,
  'encoding.unknown': ({ value }) =>
    value === 'empty'
      ? 'The header is empty.'
      : 'The value is neither hex nor base64, or it is too short for a signature.',
  'application.other': ({ endpoint }) =>
    `The application ID in the headers is not the one that this endpoint expects${endpoint === undefined ? '' : `, but that of the endpoint${quoted(endpoint)}`}.`,
  'handler.serialized': ({ status = 'an error', said, writes }) =>
    `The signature is valid, but your handler responded with ${status}${said === undefined ? '' : `: ${said}`}. ${
      writes === undefined
        ? 'No common framework changes this body when it is parsed and serialized again, so check the handler’s secret, how it compares, and whether the body was read before.'
        : `If it serializes the JSON again, as with ${writes}, the signature differs.`
    }`,
}

export interface CauseName {
  readonly code: CauseCode
  readonly title: string
  readonly fix: string
  /** Unless a diagnosis finds that another side made the mistake. */
  readonly where: Cause['where']
}

/** All causes of a signature that is not valid, or that a handler rejects. */
export const causeNames: readonly CauseName[] = Object.keys(causeTitles)
  .filter(isCauseCode)
  .map(causeName)

function whereOf(code: CauseCode): Cause['where'] {
  if (isResponseCode(code)) return 'handler'
  const sides = { between, dashboard, here, handler }
  for (const where of ['between', 'dashboard', 'here', 'handler'] as const) {
    if (code in sides[where]) return where
  }
  return 'sender'
}

export function causeName(code: CauseCode): CauseName {
  return { code, title: causeTitles[code], fix: fixOf(code), where: whereOf(code) }
}

/** `values`: those of a cause that was found. */
export function fixOf(code: CauseCode, { product, proxy }: Values = {}): string {
  if (isResponseCode(code)) return responseFix(code, product)
  if (proxy === undefined || !code.startsWith('body.')) return fixes[code]
  return `${fixes[code]} It came through a proxy or tunnel (${proxy}), which may have written the JSON again, as http-proxy-middleware does with express.json() and fixRequestBody: let it pass the bytes on before it parses them. See Behind a proxy in the guide.`
}

export interface CauseText {
  readonly title: string
  /** What was found, as a sentence. The values may come from a file of somebody else. */
  readonly sentence: string
  readonly fix: string
}

/** A code of another version has no text of its own. */
export function describeCause({ code, values = {} }: Pick<Cause, 'code' | 'values'>): CauseText {
  const title = causeTitle(code)
  if (!isCauseCode(code)) {
    const sentence = 'This version of Tabscope does not know this cause.'
    return { title, sentence, fix: 'Update Tabscope.' }
  }
  const sentence = isResponseCode(code)
    ? responseSentence(code, values)
    : (sentences[code] ?? describeMatch)(values)
  return { title, fix: fixOf(code, values), sentence }
}

/** How the received value was computed: the words of the search. */
export function describeMatch({
  header = 'the signature header',
  part,
  sum,
  message,
  key,
  encoding,
  signer,
}: Values): string {
  if (sum === undefined || message === undefined) return 'The received signature shows it.'
  const value =
    signer === 'handler' ? 'The digest of your handler' : `The value received in ${header}`
  const withKey = key === undefined ? '' : ` with ${key}`
  return `${value} is${part === undefined ? '' : ` ${part} of`} ${sum} of ${message}${withKey}${encoding === undefined ? '' : `, ${encoding}`}.`
}

/** The reason of the delivery has the numbers of bytes. */
function describeTruncation({ arrival, by }: Values): string {
  const why =
    by !== undefined
      ? 'Tabscope stopped reading the body, at its limit for the time, the connections or the memory that it takes. The reason of the delivery says which.'
      : arrival === 'too_large'
        ? 'The body is larger than the limit, so only its start was stored.'
        : 'The sender closed the connection too early.'
  return `${why} No signature can match a part of the body.`
}

function quoted(name: string | undefined): string {
  return name === undefined ? '' : ` “${name}”`
}
