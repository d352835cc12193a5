import type { Cause } from '#contract/models.ts'

type Values = NonNullable<Cause['values']>

interface CauseRow {
  readonly title: string
  readonly fix: string
  /** Absent: `sender`. */
  readonly where?: Cause['where']
  /** From 0 (rare) to 100 (common), estimated from experience. Orders the attempts and the results. */
  readonly likelihood: number
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
    likelihood: 99,
    sentence: ({ state }) =>
      state === 'deleted'
        ? 'Its endpoint was deleted together with its secrets.'
        : 'No endpoint matched the path when it was received, so there is no secret to check with.',
  },
  'secret.none': {
    title: 'No secret is set in Tabscope',
    fix: 'Copy the secret of the webhook from the dashboard and set it under Endpoints.',
    where: 'here',
    likelihood: 98,
    sentence: ({ endpoint }) =>
      `The endpoint${quoted(endpoint)} has no secret, so no signature can be checked.`,
  },
  'secret.unavailable': {
    title: 'A stored secret cannot be decrypted',
    fix: 'Set the secret again under Endpoints, or restore the key that it was encrypted with.',
    where: 'here',
    likelihood: 97,
    sentence: ({ endpoint, secrets = 'stored' }) =>
      `The ${secrets} secret of the endpoint${quoted(endpoint)} was encrypted with a key that is no longer available, so it was not tried.`,
  },
  'header.missing': {
    title: 'The signature header is missing',
    fix: 'Set a secret for the webhook on the dashboard: the header is only sent if one is configured. If it is set, check whether a proxy or tunnel removes headers.',
    where: 'dashboard',
    likelihood: 96,
    sentence: ({ header = 'The signature header', others }) =>
      others === undefined
        ? `Neither ${header} nor another header that looks like a signature was received.`
        : `${header} was not received, but ${others} was.`,
  },
  'body.truncated': {
    title: 'The body is incomplete',
    fix: 'Have the delivery sent again. If the body is larger than the limit, increase the limit in Settings first.',
    where: 'between',
    likelihood: 95,
    sentence: describeTruncation,
  },
  'encoding.unknown': {
    title: 'The received value is not a signature',
    fix: 'Check the value of the header: a signature in hex has 64 digits. A placeholder, a name or an empty value means that a variable was not set.',
    likelihood: 94,
    sentence: ({ value }) =>
      value === 'empty'
        ? 'The header is empty.'
        : 'The value is neither hex nor base64, or it is too short for a signature.',
  },
  'application.other': {
    title: 'The delivery is for another application',
    fix: 'Check on the dashboard which integration this webhook belongs to: the webhooks of each integration have their own secrets. Or correct the application ID of the endpoint.',
    where: 'dashboard',
    likelihood: 93,
    sentence: ({ endpoint }) =>
      `The application ID in the headers is not the one that this endpoint expects${endpoint === undefined ? '' : `, but that of the endpoint${quoted(endpoint)}`}.`,
  },
  'secret.previous': {
    title: 'Signed with the previous secret of this endpoint',
    fix: 'Set the new secret on the service’s dashboard, or undo the rotation in Tabscope.',
    where: 'dashboard',
    likelihood: 88,
  },
  'secret.other_endpoint': {
    title: 'Signed with the secret of another endpoint',
    fix: 'Set this endpoint’s own secret for the webhook on the dashboard, or set the webhook’s URL to that of the endpoint with this secret.',
    where: 'dashboard',
    likelihood: 92,
  },
  'secret.access': {
    title: 'Signed with an API access secret instead of the webhook secret',
    fix: 'Use the webhook’s own secret to sign. The access secret is only for the token endpoint.',
    where: 'dashboard',
    likelihood: 80,
  },
  'secret.identifier': {
    title: 'Signed with an ID instead of the secret',
    fix: 'Use the webhook secret as the key. An ID is not a secret.',
    likelihood: 15,
  },
  'secret.empty': {
    title: 'Signed with an empty secret',
    fix: 'The signer found no secret. Check the name of the variable or setting from which it reads the secret.',
    likelihood: 50,
  },
  'secret.line_break': {
    title: 'A line break at the end of the secret on one side',
    fix: `${enterAgain} Files written by echo or an editor end with one.`,
    likelihood: 84,
  },
  'secret.white_space': {
    title: 'White space around the secret on one side',
    fix: enterAgain,
    likelihood: 82,
  },
  'secret.quotes': {
    title: 'Quotes around the secret on one side',
    fix: `${enterAgain} Some .env parsers keep the quotes.`,
    likelihood: 72,
  },
  'secret.hex_decoded': {
    title: 'The secret was decoded as hex',
    fix: 'Use the secret’s characters unchanged: the digits themselves are the key.',
    likelihood: 62,
  },
  'secret.base64_decoded': {
    title: 'The secret was decoded as base64',
    fix: 'Use the secret’s characters unchanged, without decoding them.',
    likelihood: 60,
  },
  'secret.prefix': {
    title: 'A prefix of the secret was omitted or added',
    fix: 'Use the complete secret as the dashboard shows it, including its prefix.',
    likelihood: 48,
  },
  'secret.prefix_decoded': {
    title: 'The secret was decoded as base64 after its prefix',
    fix: 'Use the secret’s characters unchanged. A Standard Webhooks library decodes the secret, plain HMAC does not.',
    likelihood: 46,
  },
  'secret.encoded': {
    title: 'The secret was encoded before it was used',
    fix: 'Use the secret itself. For example, Kubernetes secrets are base64 until they are decoded.',
    likelihood: 40,
  },
  'secret.percent': {
    title: 'The secret was percent-encoded or decoded, as in a URL',
    fix: 'Use the secret unchanged: it is not part of a URL.',
    likelihood: 22,
  },
  'secret.upper_case': {
    title: 'The secret was converted to upper case',
    fix: 'Do not change the case of the secret.',
    likelihood: 26,
  },
  'secret.lower_case': {
    title: 'The secret was converted to lower case',
    fix: 'Do not change the case of the secret.',
    likelihood: 27,
  },
  'secret.utf16': {
    title: 'The secret was encoded as UTF-16',
    fix: 'Use the secret’s UTF-8 bytes. In C#: Encoding.UTF8.GetBytes(secret), not Encoding.Unicode. In Java and Kotlin: UTF_8, not UTF_16. In Python: secret.encode(). In Node: no "utf16le" or "ucs2".',
    likelihood: 45,
  },
  'secret.latin1': {
    title: 'The secret was encoded as Latin-1 or ASCII',
    fix: 'Use the secret’s UTF-8 bytes. In C#: Encoding.UTF8, not Encoding.ASCII or Encoding.Default. In Java: getBytes(StandardCharsets.UTF_8). In Node: no "latin1", "binary" or "ascii".',
    likelihood: 23,
  },
  'secret.printed': {
    title: 'The secret was printed as a value of the programming language',
    fix: 'In Python: secret.encode(), not str(secret.encode()). In Swift: unwrap the optional before converting it to a string.',
    likelihood: 25,
  },
  'secret.nothing': {
    title: 'A missing value such as “undefined” was used as the secret',
    fix: 'The signer found no secret and used the word for a missing value. Check the variable: process.env in JavaScript, os.environ in Python, ENV in Ruby, os.Getenv in Go, System.getenv in Java and Kotlin.',
    likelihood: 49,
  },
  'secret.hashed': {
    title: 'The secret was hashed before it was used',
    fix: 'Use the secret itself as the key. In PHP: hash_hmac("sha256", $body, $secret), without hash() around $secret.',
    likelihood: 19,
  },
  'secret.bom': {
    title: 'A byte order mark before the secret on one side',
    fix: `${enterAgain} Some editors write an invisible mark before the text.`,
    likelihood: 18,
  },
  'body.newline': {
    title: 'A line break at the end of the body on one side',
    fix: `${rawBody} Go’s Encoder, echo and editors append a line break.`,
    where: 'between',
    likelihood: 77,
  },
  'body.line_ends': {
    title: 'Line endings were changed in transit',
    fix: 'Find what treats the body as text in transit. It must pass the bytes unchanged.',
    where: 'between',
    likelihood: 78,
  },
  'body.bom': {
    title: 'A byte order mark before the body on one side',
    fix: `${rawBody} In .NET: new UTF8Encoding(false).`,
    likelihood: 42,
  },
  'body.decoded': {
    title: 'Signed before the body was compressed',
    fix: 'Sign the bytes that are sent: compress first, then sign. Or send the body uncompressed.',
    where: 'between',
    likelihood: 79,
  },
  'body.latin1': {
    title: 'Signed in Latin-1, sent in UTF-8',
    fix: 'Sign the UTF-8 bytes. In Java: getBytes(StandardCharsets.UTF_8), since getBytes() uses the system’s charset. In C#: Encoding.UTF8, not Encoding.ASCII or Encoding.Default.',
    likelihood: 52,
  },
  'body.utf8': {
    title: 'UTF-8 was encoded twice before signing',
    fix: 'Sign the bytes that are sent. The signer treats UTF-8 as Latin-1, or sends Latin-1.',
    likelihood: 51,
  },
  'body.utf16': {
    title: 'Signed in UTF-16, sent in UTF-8',
    fix: 'Sign the UTF-8 bytes. In C#: Encoding.UTF8, not Encoding.Unicode. In Java and Kotlin: UTF_8, not UTF_16. In Python: encode(), not encode("utf-16"). In Swift: .utf8, not .utf16 or .unicode.',
    likelihood: 33,
  },
  'body.low_bytes': {
    title: 'Signed the low byte of each character',
    fix: 'In JavaScript use Buffer.from(text, "utf8"), not "latin1", "binary" or "ascii"; in C#, Java and Swift encode as UTF-8 instead of casting each character to a byte.',
    likelihood: 50,
  },
  'body.hex': {
    title: 'Signed the body’s hex digits',
    fix: 'Sign the bytes themselves, without bin2hex in PHP, toString("hex") in JavaScript, .hex() in Python or unpack("H*") in Ruby.',
    likelihood: 16,
  },
  'body.empty': {
    title: 'Signed an empty body',
    fix: 'Sign after the body is complete. A stream that was read before it was signed is empty.',
    likelihood: 68,
  },
  'body.base64': {
    title: 'Signed the body’s base64 text',
    fix: 'Sign the bytes of the body, before any encoding.',
    likelihood: 28,
  },
  'body.stringified': {
    title: 'Signed the body as a JSON string',
    fix: 'The body was serialized as JSON twice before it was signed. Sign the JSON text itself.',
    likelihood: 43,
  },
  'body.digest': {
    title: 'Signed the hash of the body instead of the body',
    fix: 'Pass the body itself to the HMAC, not its hash.',
    likelihood: 24,
  },
  'body.signed_by_characters': {
    title: 'Signed only as many bytes as the body has characters',
    fix: 'Pass the complete buffer to the HMAC. A length in characters is too short if some characters have several bytes.',
    likelihood: 31,
  },
  'body.length_in_characters': {
    title: 'Content-Length counts characters, so the end of the body is missing',
    fix: 'Set Content-Length in bytes: Buffer.byteLength(body) in Node, len(body.encode()) in Python.',
    likelihood: 65,
  },
  'body.object_text': {
    title: 'Signed the text that a language prints for the parsed body',
    fix: 'Sign the bytes of the request, not the parsed object: req.rawBody or express.raw() in JavaScript, request.get_data() in Python, request.raw_post in Ruby, file_get_contents("php://input") in PHP.',
    likelihood: 47,
  },
  'body.python_bytes': {
    title: 'Signed the text that Python’s str() returns for bytes',
    fix: 'In Python, pass the bytes to hmac.new: request.get_data(), not str(request.get_data()).',
    likelihood: 36,
  },
  'body.replaced': {
    title: 'Signed after bytes that are not UTF-8 were replaced',
    fix: 'Sign the bytes before they are decoded as text: without toString() in JavaScript, without decode(errors="replace") in Python, and likewise in Go, Rust, Java and C#.',
    likelihood: 37,
  },
  'body.compact': {
    title: 'Signed as compact JSON, sent in a different layout',
    fix: rawJson,
    where: 'between',
    likelihood: 87,
  },
  'body.pretty': {
    title: 'Signed as indented JSON, sent in a different layout',
    fix: rawJson,
    where: 'between',
    likelihood: 76,
  },
  'body.spaced': {
    title: 'Signed as JSON with spaces after commas and colons, as Python writes it',
    fix: rawJson,
    where: 'between',
    likelihood: 86,
  },
  'body.sorted': {
    title: 'Signed with the keys in alphabetical order',
    fix: rawJson,
    where: 'between',
    likelihood: 74,
  },
  'body.ascii': {
    title: 'Signed with non-ASCII characters as \\u escapes',
    fix: rawJson,
    where: 'between',
    likelihood: 73,
  },
  'body.slashes': {
    title: 'Signed with escaped slashes, as PHP writes them',
    fix: rawJson,
    where: 'between',
    likelihood: 71,
  },
  'body.html': {
    title: 'Signed with <, > and & escaped, as Go and Rails write them',
    fix: rawJson,
    where: 'between',
    likelihood: 54,
  },
  'body.dotnet': {
    title: 'Signed with .NET’s escapes',
    fix: rawJson,
    where: 'between',
    likelihood: 38,
  },
  'body.unescaped': {
    title: 'Signed without the escapes of the received JSON',
    fix: rawJson,
    where: 'between',
    likelihood: 66,
  },
  'body.numbers': {
    title: 'Signed with numbers in a different notation',
    fix: rawJson,
    where: 'between',
    likelihood: 61,
  },
  'body.data_only': {
    title: 'Signed only the value of “data”',
    fix: 'Sign the complete body: the API documentation says “the request body”.',
    likelihood: 47,
  },
  'algorithm.sha1': {
    title: 'Signed with HMAC-SHA-1 instead of HMAC-SHA256',
    fix: use,
    likelihood: 64,
  },
  'algorithm.sha512': {
    title: 'Signed with HMAC-SHA-512 instead of HMAC-SHA256',
    fix: use,
    likelihood: 63,
  },
  'algorithm.sha384': {
    title: 'Signed with HMAC-SHA-384 instead of HMAC-SHA256',
    fix: use,
    likelihood: 21,
  },
  'algorithm.md5': {
    title: 'Signed with HMAC-MD5 instead of HMAC-SHA256',
    fix: use,
    likelihood: 29,
  },
  'algorithm.plain': {
    title: 'A plain hash of the body, without the secret',
    fix: `${use} A plain hash proves nothing, since anybody can compute it.`,
    likelihood: 57,
  },
  'algorithm.concatenated': {
    title: 'A plain hash of the secret and the body concatenated',
    fix: use,
    likelihood: 44,
  },
  'secret.swapped': {
    title: 'The secret and the message were swapped',
    fix: 'Pass the secret as the key and the body as the message. Libraries differ in the order of these arguments.',
    likelihood: 34,
  },
  'scheme.standard_webhooks': {
    title: 'Signed as Standard Webhooks does, with an ID and a timestamp',
    fix: bodyOnly,
    likelihood: 69,
  },
  'scheme.stripe': {
    title: 'Signed as Stripe does, with a timestamp',
    fix: bodyOnly,
    likelihood: 67,
  },
  'scheme.slack': {
    title: 'Signed as Slack does, with a version and a timestamp',
    fix: bodyOnly,
    likelihood: 53,
  },
  'scheme.github': {
    title: 'Signed as GitHub does, in GitHub’s header',
    fix: 'Send only the hex digits in the expected header.',
    likelihood: 70,
  },
  'scheme.timestamp': { title: 'Signed together with a timestamp', fix: bodyOnly, likelihood: 41 },
  'scheme.url': { title: 'Signed together with the URL', fix: bodyOnly, likelihood: 32 },
  'encoding.prefix': {
    title: 'The value starts with the name of the algorithm',
    fix: 'Send only the hex digits: the API documentation has no prefix.',
    likelihood: 90,
  },
  'encoding.version_prefix': {
    title: 'The value starts with a version',
    fix: 'Send only the hex digits: the API documentation has no prefix.',
    likelihood: 55,
  },
  'encoding.quotes': {
    title: 'The value is quoted',
    fix: 'Send only the hex digits, without quotes.',
    likelihood: 25,
  },
  'encoding.white_space': {
    title: 'The value contains white space',
    fix: 'Send only the hex digits, without white space.',
    likelihood: 30,
  },
  'encoding.hex_prefix': {
    title: 'The value starts with “0x”',
    fix: 'Send only the hex digits. In Go: %x, not %#x.',
    likelihood: 26,
  },
  'encoding.python_bytes': {
    title: 'The value is the text that Python’s str() returns for bytes',
    fix: 'In Python, send hmac.new(…).hexdigest(), without encode() or str() around it.',
    likelihood: 37,
  },
  'encoding.percent': {
    title: 'The value is percent-encoded',
    fix: 'Send the signature unchanged, since a header is not a URL: without urlencode in PHP, encodeURIComponent in JavaScript or quote in Python.',
    likelihood: 27,
  },
  'encoding.appended': {
    title: 'The value is the body followed by a signature',
    fix: 'In Go, write the body first, then sum: mac.Write(body), then hex.EncodeToString(mac.Sum(nil)). Sum(body) only appends to the body.',
    likelihood: 34,
  },
  'encoding.list': {
    title: 'The header contains several values',
    fix: 'Send one signature. The API documentation shows one value, not a list.',
    likelihood: 35,
  },
  'encoding.base64': {
    title: 'Encoded in base64 instead of hex',
    fix: 'Encode the signature in hex: 64 digits. In Node: .digest("hex") instead of .digest("base64").',
    likelihood: 95,
  },
  'encoding.base64url': {
    title: 'Encoded in base64url instead of hex',
    fix: 'Encode the signature in hex: 64 digits.',
    likelihood: 60,
  },
  'encoding.base64_of_hex': {
    title: 'The hex digits were encoded again as base64',
    fix: 'Send the hex digits themselves. In PHP: hash_hmac(…) without base64_encode around it.',
    likelihood: 45,
  },
  'encoding.separated': {
    title: 'The hex digits are separated in pairs',
    fix: 'Send the 64 digits without separators. In .NET: Convert.ToHexString, not BitConverter.ToString.',
    likelihood: 30,
  },
  'encoding.double_hex': {
    title: 'The hex digits were encoded again as hex',
    fix: 'Encode the signature in hex only once. In PHP, hash_hmac already returns hex digits, without bin2hex; so do hexdigest in Python and Ruby, and digest("hex") in JavaScript.',
    likelihood: 39,
  },
  'encoding.leading_zeros': {
    title: 'Leading zeros of the hex digits are missing',
    fix: 'Send all 64 digits. In Java and Kotlin: HexFormat.of().formatHex(bytes), not BigInteger(1, bytes).toString(16).',
    likelihood: 32,
  },
  'encoding.numbers': {
    title: 'The bytes are listed as numbers',
    fix: 'Encode the bytes in hex. In Java and Kotlin: HexFormat.of().formatHex(bytes), not Arrays.toString. In Go: hex.EncodeToString. In Swift: map { String(format: "%02x", $0) }. In Rust: hex::encode. In JavaScript: .digest("hex").',
    likelihood: 38,
  },
  'encoding.raw': {
    title: 'The raw bytes were sent instead of their hex digits',
    fix: 'Encode the bytes in hex. In PHP: hash_hmac without true as its last argument. In Ruby: hexdigest, not digest. In Python: hexdigest(). In JavaScript: .digest("hex"), not "binary" or "latin1".',
    likelihood: 37,
  },
  'encoding.truncated': {
    title: 'The signature is truncated',
    fix: 'Send all 64 digits. Look for a column, a variable or a log line with a length limit.',
    likelihood: 35,
  },
  'encoding.upper_case': {
    title: 'Encoded in upper case',
    fix: 'No fix is needed: the signature is valid. A handler that compares strings must convert both to lower case first.',
    likelihood: 20,
  },
  'header.other_name': {
    title: 'The signature is in another header',
    fix: 'If the name contains another brand, set that brand in the integration. Otherwise send the signature in the expected header.',
    where: 'here',
    likelihood: 91,
  },
  'secret.candidate': {
    title: 'Signed with the secret that you entered',
    fix: 'Set it as the endpoint’s secret under Endpoints. Tabscope did not store it.',
    where: 'here',
    likelihood: 100,
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
  readonly likelihood: number
}

const known: Readonly<Record<string, CauseRow>> = rows

/** All causes of a signature that is not valid. */
export const causeNames: readonly CauseName[] = causeCodes().map(causeName)

function causeCodes(): CauseCode[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys returns strings
  return Object.keys(rows) as CauseCode[]
}

export function causeName(code: CauseCode): CauseName {
  const { title, fix, likelihood, where = 'sender' }: CauseRow = rows[code]
  return { code, title, fix, where, likelihood }
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
}: Values): string {
  if (sum === undefined || message === undefined) return 'The received signature shows it.'
  const received = `The value received in ${header} is${part === undefined ? '' : ` ${part} of`}`
  const withKey = key === undefined ? '' : ` with ${key}`
  return `${received} ${sum} of ${message}${withKey}${encoding === undefined ? '' : `, ${encoding}`}.`
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
