import type { Cause } from '#contract/models.ts'

type Values = NonNullable<Cause['values']>

interface CauseRow {
  readonly title: string
  readonly fix: string
  /** Absent: `sender`. */
  readonly where?: Cause['where']
  /** Absent: the sentence says how the received value was computed. */
  readonly sentence?: (values: Values) => string
}

const enterAgain =
  'If Tabscope’s secret has it, set the secret again under Endpoints. If the service’s secret has it, set it again on the dashboard.'
const rawBody = 'Sign the final bytes, after all other changes to the body.'
const rawJson =
  'Sign the exact bytes that are sent: serialize the JSON once, sign those bytes, and send the same bytes.'
const use =
  'Use HMAC-SHA256, as documented: in Node createHmac("sha256", secret).update(body).digest("hex").'
const bodyOnly =
  'The documented signature covers only the body. Disable this scheme in the code that signs.'

const rows = {
  'endpoint.none': {
    title: 'The path belongs to no endpoint',
    fix: 'Correct the webhook URL on the dashboard, or create an endpoint with this path.',
    where: 'dashboard',
    sentence: ({ state }) =>
      state === 'deleted'
        ? 'Its endpoint was deleted together with its secrets.'
        : 'No endpoint matched the path when it was received, so there is no secret to check with.',
  },
  'secret.none': {
    title: 'No secret is set in Tabscope',
    fix: 'Copy the secret of the webhook from the dashboard and set it under Endpoints.',
    where: 'here',
    sentence: ({ endpoint }) =>
      `The endpoint${quoted(endpoint)} has no secret, so no signature can be checked.`,
  },
  'secret.unavailable': {
    title: 'A stored secret cannot be decrypted',
    fix: 'Set the secret again under Endpoints, or restore the key that it was encrypted with.',
    where: 'here',
    sentence: ({ endpoint, secrets = 'stored' }) =>
      `The ${secrets} secret of the endpoint${quoted(endpoint)} was encrypted with a key that is no longer available, so it was not tried.`,
  },
  'header.missing': {
    title: 'The signature header is missing',
    fix: 'Set a secret for the webhook on the dashboard: the header is only sent if one is configured. If it is set, check whether a proxy or tunnel removes headers.',
    where: 'dashboard',
    sentence: ({ header = 'The signature header', others }) =>
      others === undefined
        ? `Neither ${header} nor another header that looks like a signature was received.`
        : `${header} was not received, but ${others} was.`,
  },
  'body.truncated': {
    title: 'The body is incomplete',
    fix: 'Have the delivery sent again. If the body is larger than the limit, increase the limit in Settings first.',
    where: 'between',
    sentence: describeTruncation,
  },
  'encoding.unknown': {
    title: 'The received value is not a signature',
    fix: 'Check the value of the header: a signature in hex has 64 digits. A placeholder, a name or an empty value means that a variable was not set.',
    sentence: ({ value }) =>
      value === 'empty'
        ? 'The header is empty.'
        : 'The value is neither hex nor base64, or it is too short for a signature.',
  },
  'application.other': {
    title: 'The delivery is for another application',
    fix: 'Check on the dashboard which integration this webhook belongs to: the webhooks of each integration have their own secrets. Or correct the application ID of the endpoint.',
    where: 'dashboard',
    sentence: ({ endpoint }) =>
      `The application ID in the headers is not the one that this endpoint expects${endpoint === undefined ? '' : `, but that of the endpoint${quoted(endpoint)}`}.`,
  },
  'secret.previous': {
    title: 'Signed with the previous secret of this endpoint',
    fix: 'Set the new secret on the service’s dashboard, or undo the rotation in Tabscope.',
    where: 'dashboard',
  },
  'secret.other_endpoint': {
    title: 'Signed with the secret of another endpoint',
    fix: 'Set this endpoint’s own secret for the webhook on the dashboard, or set the webhook’s URL to that of the endpoint with this secret.',
    where: 'dashboard',
  },
  'secret.access': {
    title: 'Signed with an API access secret instead of the webhook secret',
    fix: 'Use the webhook’s own secret to sign. The access secret is only for the token endpoint.',
    where: 'dashboard',
  },
  'secret.identifier': {
    title: 'Signed with an ID instead of the secret',
    fix: 'Use the webhook secret as the key. An ID is not a secret.',
  },
  'secret.empty': {
    title: 'Signed with an empty secret',
    fix: 'The signer found no secret. Check the name of the variable or setting from which it reads the secret.',
  },
  'secret.line_break': {
    title: 'A line break at the end of the secret on one side',
    fix: `${enterAgain} Files written by echo or an editor end with one.`,
  },
  'secret.white_space': {
    title: 'White space around the secret on one side',
    fix: enterAgain,
  },
  'secret.quotes': {
    title: 'Quotes around the secret on one side',
    fix: `${enterAgain} Some .env parsers keep the quotes.`,
  },
  'secret.hex_decoded': {
    title: 'The secret was decoded as hex',
    fix: 'Use the secret’s characters unchanged: the digits themselves are the key.',
  },
  'secret.base64_decoded': {
    title: 'The secret was decoded as base64',
    fix: 'Use the secret’s characters unchanged, without decoding them.',
  },
  'secret.prefix': {
    title: 'A prefix of the secret was omitted or added',
    fix: 'Use the complete secret as the dashboard shows it, including its prefix.',
  },
  'secret.prefix_decoded': {
    title: 'The secret was decoded as base64 after its prefix',
    fix: 'Use the secret’s characters unchanged. A Standard Webhooks library decodes the secret, plain HMAC does not.',
  },
  'secret.encoded': {
    title: 'The secret was encoded before it was used',
    fix: 'Use the secret itself. For example, Kubernetes secrets are base64 until they are decoded.',
  },
  'secret.percent': {
    title: 'The secret was percent-encoded or decoded, as in a URL',
    fix: 'Use the secret unchanged: it is not part of a URL.',
  },
  'secret.upper_case': {
    title: 'The secret was converted to upper case',
    fix: 'Do not change the case of the secret.',
  },
  'secret.lower_case': {
    title: 'The secret was converted to lower case',
    fix: 'Do not change the case of the secret.',
  },
  'secret.utf16': {
    title: 'The secret was encoded as UTF-16',
    fix: 'Use the secret’s UTF-8 bytes. In C#: Encoding.UTF8.GetBytes(secret), not Encoding.Unicode. In Java and Kotlin: UTF_8, not UTF_16. In Python: secret.encode(). In Node: no "utf16le" or "ucs2".',
  },
  'secret.latin1': {
    title: 'The secret was encoded as Latin-1 or ASCII',
    fix: 'Use the secret’s UTF-8 bytes. In C#: Encoding.UTF8, not Encoding.ASCII or Encoding.Default. In Java: getBytes(StandardCharsets.UTF_8). In Node: no "latin1", "binary" or "ascii".',
  },
  'secret.printed': {
    title: 'The secret was printed as a value of the programming language',
    fix: 'In Python: secret.encode(), not str(secret.encode()). In Swift: unwrap the optional before converting it to a string.',
  },
  'secret.nothing': {
    title: 'A missing value such as “undefined” was used as the secret',
    fix: 'The signer found no secret and used the word for a missing value. Check the variable: process.env in JavaScript, os.environ in Python, ENV in Ruby, os.Getenv in Go, System.getenv in Java and Kotlin.',
  },
  'secret.hashed': {
    title: 'The secret was hashed before it was used',
    fix: 'Use the secret itself as the key. In PHP: hash_hmac("sha256", $body, $secret), without hash() around $secret.',
  },
  'secret.bom': {
    title: 'A byte order mark before the secret on one side',
    fix: `${enterAgain} Some editors write an invisible mark before the text.`,
  },
  'secret.escape': {
    title: 'A line break or an escape in the secret was not resolved, or resolved, on one side',
    fix: `${enterAgain} Some .env parsers resolve \\n, others keep the two characters.`,
  },
  'secret.invisible': {
    title: 'An invisible character in the secret on one side',
    fix: `${enterAgain} Copying from a web page or a chat can add one.`,
  },
  'secret.name': {
    title:
      'The name or the end of a line of a configuration file is part of the secret on one side',
    fix: enterAgain,
  },
  'secret.cut': {
    title: 'The secret was cut at #',
    fix: 'Put the secret in quotes in the .env file: an unquoted # starts a comment.',
  },
  'secret.expanded': {
    title: 'A dollar or percent sign in the secret was expanded',
    fix: 'Put the secret in single quotes, or escape the sign as the shell, Docker Compose or .env parser requires.',
  },
  'secret.html': {
    title: 'HTML escapes in the secret on one side',
    fix: `${enterAgain} A web form escapes & < > and quotes.`,
  },
  'secret.normalized': {
    title: 'The secret is in another Unicode form on one side',
    fix: enterAgain,
  },
  'secret.part': {
    title: 'Only a part of the secret was used, or the secret twice',
    fix: 'Set the complete secret again. Look for a column or field with a length limit, and for a key that is cut to a fixed length.',
  },
  'body.newline': {
    title: 'A line break at the end of the body on one side',
    fix: `${rawBody} Go’s Encoder, echo and editors append a line break.`,
    where: 'between',
  },
  'body.line_ends': {
    title: 'Line endings were changed in transit',
    fix: 'Find what treats the body as text in transit. It must pass the bytes unchanged.',
    where: 'between',
  },
  'body.bom': {
    title: 'A byte order mark before the body on one side',
    fix: `${rawBody} In .NET: new UTF8Encoding(false).`,
  },
  'body.decoded': {
    title: 'Signed before the body was compressed',
    fix: 'Sign the bytes that are sent: compress first, then sign. Or send the body uncompressed.',
    where: 'between',
  },
  'body.latin1': {
    title: 'Signed in Latin-1, sent in UTF-8',
    fix: 'Sign the UTF-8 bytes. In Java: getBytes(StandardCharsets.UTF_8), since getBytes() uses the system’s charset. In C#: Encoding.UTF8, not Encoding.ASCII or Encoding.Default.',
  },
  'body.utf8': {
    title: 'UTF-8 was encoded twice before signing',
    fix: 'Sign the bytes that are sent. The signer treats UTF-8 as Latin-1, or sends Latin-1.',
  },
  'body.utf16': {
    title: 'Signed in UTF-16, sent in UTF-8',
    fix: 'Sign the UTF-8 bytes. In C#: Encoding.UTF8, not Encoding.Unicode. In Java and Kotlin: UTF_8, not UTF_16. In Python: encode(), not encode("utf-16"). In Swift: .utf8, not .utf16 or .unicode.',
  },
  'body.low_bytes': {
    title: 'Signed the low byte of each character',
    fix: 'In JavaScript use Buffer.from(text, "utf8"), not "latin1", "binary" or "ascii"; in C#, Java and Swift encode as UTF-8 instead of casting each character to a byte.',
  },
  'body.hex': {
    title: 'Signed the body’s hex digits',
    fix: 'Sign the bytes themselves, without bin2hex in PHP, toString("hex") in JavaScript, .hex() in Python or unpack("H*") in Ruby.',
  },
  'body.empty': {
    title: 'Signed an empty body',
    fix: 'Sign after the body is complete. A stream that was read before it was signed is empty.',
  },
  'body.base64': {
    title: 'Signed the body’s base64 text',
    fix: 'Sign the bytes of the body, before any encoding.',
  },
  'body.stringified': {
    title: 'Signed the body as a JSON string',
    fix: 'The body was serialized as JSON twice before it was signed. Sign the JSON text itself.',
  },
  'body.digest': {
    title: 'Signed the hash of the body instead of the body',
    fix: 'Pass the body itself to the HMAC, not its hash.',
  },
  'body.signed_by_characters': {
    title: 'Signed only as many bytes as the body has characters',
    fix: 'Pass the complete buffer to the HMAC. A length in characters is too short if some characters have several bytes.',
  },
  'body.length_in_characters': {
    title: 'Content-Length counts characters, so the end of the body is missing',
    fix: 'Set Content-Length in bytes: Buffer.byteLength(body) in Node, len(body.encode()) in Python.',
  },
  'body.object_text': {
    title: 'Signed the text that a language prints for the parsed body',
    fix: 'Sign the bytes of the request, not the parsed object: req.rawBody or express.raw() in JavaScript, request.get_data() in Python, request.raw_post in Ruby, file_get_contents("php://input") in PHP.',
  },
  'body.python_bytes': {
    title: 'Signed the text that Python’s str() returns for bytes',
    fix: 'In Python, pass the bytes to hmac.new: request.get_data(), not str(request.get_data()).',
  },
  'body.replaced': {
    title: 'Signed after bytes that are not UTF-8 were replaced',
    fix: 'Sign the bytes before they are decoded as text: without toString() in JavaScript, without decode(errors="replace") in Python, and likewise in Go, Rust, Java and C#.',
  },
  'body.compact': {
    title: 'Signed as compact JSON, sent in a different layout',
    fix: rawJson,
    where: 'between',
  },
  'body.pretty': {
    title: 'Signed as indented JSON, sent in a different layout',
    fix: rawJson,
    where: 'between',
  },
  'body.spaced': {
    title: 'Signed as JSON with spaces after commas and colons',
    fix: rawJson,
    where: 'between',
  },
  'body.sorted': {
    title: 'Signed with the keys in alphabetical order',
    fix: rawJson,
    where: 'between',
  },
  'body.ascii': {
    title: 'Signed with non-ASCII characters as \\u escapes',
    fix: rawJson,
    where: 'between',
  },
  'body.slashes': {
    title: 'Signed with escaped slashes',
    fix: rawJson,
    where: 'between',
  },
  'body.html': {
    title: 'Signed with <, > or & escaped',
    fix: rawJson,
    where: 'between',
  },
  'body.astral': {
    title: 'Signed with emoji as \\u escapes',
    fix: `${rawJson} Jackson escapes characters beyond U+FFFF as bytes, but not as text.`,
    where: 'between',
  },
  'body.escapes': {
    title: 'Signed with other escapes in the JSON',
    fix: rawJson,
    where: 'between',
  },
  'body.hex_case': {
    title: 'Signed with the hex digits of escapes in another case',
    fix: rawJson,
    where: 'between',
  },
  'body.unescaped': {
    title: 'Signed without the escapes of the received JSON',
    fix: rawJson,
    where: 'between',
  },
  'body.numbers': {
    title: 'Signed with numbers in a different notation',
    fix: rawJson,
    where: 'between',
  },
  'body.nulls': {
    title: 'Signed with other members that are null',
    fix: `${rawJson} Some libraries leave out members that are null, others write them.`,
    where: 'between',
  },
  'body.empty_left_out': {
    title: 'Signed with other members that are empty',
    fix: rawJson,
    where: 'between',
  },
  'body.empty_values': {
    title: 'Signed with empty values of another kind',
    fix: `${rawJson} PHP writes an empty object as [] unless it is decoded as an object.`,
    where: 'between',
  },
  'body.names': {
    title: 'Signed with member names in another case',
    fix: rawJson,
    where: 'between',
  },
  'body.duplicates': {
    title: 'Signed with only the last of equal keys',
    fix: rawJson,
    where: 'between',
  },
  'body.form': {
    title: 'Signed before the body was sent as a form field or percent-encoded',
    fix: 'Sign the bytes that are sent, or send the JSON itself with Content-Type: application/json.',
    where: 'between',
  },
  'body.wrapped': {
    title: 'Signed before the body was wrapped in another format',
    fix: 'Sign the bytes that are sent, or send the content itself. Queues and gateways wrap bodies in base64 or in a JSON string.',
    where: 'between',
  },
  'body.compressed': {
    title: 'Signed the compressed body, sent uncompressed',
    fix: 'Sign the bytes that are sent. Check whether a proxy decompresses requests.',
    where: 'between',
  },
  'body.normalized': {
    title: 'Signed in another Unicode form',
    fix: `${rawBody} Accented letters can be one character (NFC) or two (NFD).`,
  },
  'body.supplementary': {
    title: 'Signed with emoji replaced',
    fix: `${rawBody} A column or encoding without emoji replaces them: in MySQL, use utf8mb4.`,
  },
  'body.data_only': {
    title: 'Signed only the value of “data”',
    fix: 'Sign the complete body: the API documentation says “the request body”.',
  },
  'algorithm.sha1': {
    title: 'Signed with HMAC-SHA-1 instead of HMAC-SHA256',
    fix: use,
  },
  'algorithm.sha512': {
    title: 'Signed with HMAC-SHA-512 instead of HMAC-SHA256',
    fix: use,
  },
  'algorithm.sha384': {
    title: 'Signed with HMAC-SHA-384 instead of HMAC-SHA256',
    fix: use,
  },
  'algorithm.md5': {
    title: 'Signed with HMAC-MD5 instead of HMAC-SHA256',
    fix: use,
  },
  'algorithm.plain': {
    title: 'A plain hash of the body, without the secret',
    fix: `${use} A plain hash proves nothing, since anybody can compute it.`,
  },
  'algorithm.concatenated': {
    title: 'A plain hash of the secret and the body concatenated',
    fix: use,
  },
  'secret.swapped': {
    title: 'The secret and the message were swapped',
    fix: 'Pass the secret as the key and the body as the message. Libraries differ in the order of these arguments.',
  },
  'scheme.standard_webhooks': {
    title: 'Signed as Standard Webhooks does, with an ID and a timestamp',
    fix: bodyOnly,
  },
  'scheme.stripe': {
    title: 'Signed as Stripe does, with a timestamp',
    fix: bodyOnly,
  },
  'scheme.paddle': {
    title: 'Signed as Paddle does, with a timestamp',
    fix: bodyOnly,
  },
  'scheme.slack': {
    title: 'Signed as Slack does, with a version and a timestamp',
    fix: bodyOnly,
  },
  'scheme.github': {
    title: 'Signed as GitHub does, in GitHub’s header',
    fix: 'Send only the hex digits in the expected header.',
  },
  'scheme.timestamp': { title: 'Signed together with a timestamp', fix: bodyOnly },
  'scheme.url': { title: 'Signed together with the URL', fix: bodyOnly },
  'encoding.prefix': {
    title: 'The value starts with the name of the algorithm',
    fix: 'Send only the hex digits: the API documentation has no prefix.',
  },
  'encoding.version_prefix': {
    title: 'The value starts with a version',
    fix: 'Send only the hex digits: the API documentation has no prefix.',
  },
  'encoding.name': {
    title: 'The value starts with a name',
    fix: 'Send only the hex digits, without a name or “Bearer” before them.',
  },
  'encoding.brackets': {
    title: 'The value is in brackets',
    fix: 'Send only the hex digits. A list was printed instead of its only item.',
  },
  'encoding.json': {
    title: 'The value is JSON',
    fix: 'Send only the hex digits, not the object that contains them.',
  },
  'encoding.quotes': {
    title: 'The value is quoted',
    fix: 'Send only the hex digits, without quotes.',
  },
  'encoding.white_space': {
    title: 'The value contains white space',
    fix: 'Send only the hex digits, without white space.',
  },
  'encoding.hex_prefix': {
    title: 'The value starts with “0x”',
    fix: 'Send only the hex digits. In Go: %x, not %#x.',
  },
  'encoding.python_bytes': {
    title: 'The value is the text that Python’s str() returns for bytes',
    fix: 'In Python, send hmac.new(…).hexdigest(), without encode() or str() around it.',
  },
  'encoding.percent': {
    title: 'The value is percent-encoded',
    fix: 'Send the signature unchanged, since a header is not a URL: without urlencode in PHP, encodeURIComponent in JavaScript or quote in Python.',
  },
  'encoding.appended': {
    title: 'The value is the body followed by a signature',
    fix: 'In Go, write the body first, then sum: mac.Write(body), then hex.EncodeToString(mac.Sum(nil)). Sum(body) only appends to the body.',
  },
  'encoding.list': {
    title: 'The header contains several values',
    fix: 'Send one signature. The API documentation shows one value, not a list.',
  },
  'encoding.base64': {
    title: 'Encoded in base64 instead of hex',
    fix: 'Encode the signature in hex: 64 digits. In Node: .digest("hex") instead of .digest("base64").',
  },
  'encoding.base64url': {
    title: 'Encoded in base64url instead of hex',
    fix: 'Encode the signature in hex: 64 digits.',
  },
  'encoding.base64_of_hex': {
    title: 'The hex digits were encoded again as base64',
    fix: 'Send the hex digits themselves. In PHP: hash_hmac(…) without base64_encode around it.',
  },
  'encoding.separated': {
    title: 'The hex digits are separated in pairs',
    fix: 'Send the 64 digits without separators. In .NET: Convert.ToHexString, not BitConverter.ToString.',
  },
  'encoding.double_hex': {
    title: 'The hex digits were encoded again as hex',
    fix: 'Encode the signature in hex only once. In PHP, hash_hmac already returns hex digits, without bin2hex; so do hexdigest in Python and Ruby, and digest("hex") in JavaScript.',
  },
  'encoding.leading_zeros': {
    title: 'Leading zeros of the hex digits are missing',
    fix: 'Send all 64 digits. In Java and Kotlin: HexFormat.of().formatHex(bytes), not BigInteger(1, bytes).toString(16).',
  },
  'encoding.numbers': {
    title: 'The bytes are listed as numbers',
    fix: 'Encode the bytes in hex. In Java and Kotlin: HexFormat.of().formatHex(bytes), not Arrays.toString. In Go: hex.EncodeToString. In Swift: map { String(format: "%02x", $0) }. In Rust: hex::encode. In JavaScript: .digest("hex").',
  },
  'encoding.raw': {
    title: 'The raw bytes were sent instead of their hex digits',
    fix: 'Encode the bytes in hex. In PHP: hash_hmac without true as its last argument. In Ruby: hexdigest, not digest. In Python: hexdigest(). In JavaScript: .digest("hex"), not "binary" or "latin1".',
  },
  'encoding.truncated': {
    title: 'The signature is truncated',
    fix: 'Send all 64 digits. Look for a column, a variable or a log line with a length limit.',
  },
  'encoding.upper_case': {
    title: 'Encoded in upper case',
    fix: 'No fix is needed: the signature is valid. A handler that compares strings must convert both to lower case first.',
  },
  'header.other_name': {
    title: 'The signature is in another header',
    fix: 'If the name contains another brand, set that brand in the integration. Otherwise send the signature in the expected header.',
    where: 'here',
  },
  'handler.serialized': {
    title: 'Rejected by your handler',
    fix: 'Compute the signature of the raw bytes of the body, before any parsing.',
    where: 'handler',
    sentence: ({ status = 'an error', writes }) =>
      `The signature is valid, but your handler responded with ${status}. ${
        writes === undefined
          ? 'No common framework changes this body when it is parsed and serialized again, so check the handler’s secret, how it compares, and whether the body was read before.'
          : `If it serializes the JSON again, as with ${writes}, the signature differs.`
      }`,
  },
  'secret.candidate': {
    title: 'Signed with the secret that you entered',
    fix: 'Set it as the endpoint’s secret under Endpoints. Tabscope did not store it.',
    where: 'here',
  },
} as const satisfies Record<string, CauseRow>

/** Stable: `secret.white_space`. */
export type CauseCode = keyof typeof rows

export interface CauseName {
  readonly code: CauseCode
  readonly title: string
  readonly fix: string
  /** Unless a diagnosis finds that another side made the mistake. */
  readonly where: Cause['where']
}

const known: Readonly<Record<string, CauseRow>> = rows

/** All causes of a signature that is not valid, or that a handler rejects. */
export const causeNames: readonly CauseName[] = causeCodes().map(causeName)

function causeCodes(): CauseCode[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys returns strings
  return Object.keys(rows) as CauseCode[]
}

export function causeName(code: CauseCode): CauseName {
  const { title, fix, where = 'sender' }: CauseRow = rows[code]
  return { code, title, fix, where }
}

export interface CauseText {
  readonly title: string
  /** What was found, as a sentence. The values may come from a file of somebody else. */
  readonly sentence: string
  readonly fix: string
}

export function isCauseCode(code: string): code is CauseCode {
  return Object.hasOwn(rows, code)
}

/** A code of another version has no text of its own. */
export function describeCause({ code, values = {} }: Pick<Cause, 'code' | 'values'>): CauseText {
  const row = Object.hasOwn(known, code) ? known[code] : undefined
  if (!row) {
    return {
      title: `Unknown cause ${code}`,
      sentence: 'This version of Tabscope does not know this cause.',
      fix: 'Update Tabscope.',
    }
  }
  const { title, fix, sentence = describeMatch } = row
  return { title, fix, sentence: sentence(values) }
}

/** How the received value was computed: the words of the search. */
function describeMatch({
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
function describeTruncation({ arrival }: Values): string {
  const nothing = 'No signature can match a part of the body.'
  switch (arrival) {
    case 'too_large':
      return `The body is larger than the limit, so only its start was stored. ${nothing}`
    case 'cut_off':
      return `The sender closed the connection too early. ${nothing}`
    default:
      return `The request was not valid HTTP. ${nothing}`
  }
}

function quoted(name: string | undefined): string {
  return name === undefined ? '' : ` “${name}”`
}
