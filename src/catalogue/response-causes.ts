import type { Cause, Header } from '#contract/models.ts'
import { withoutQuery } from '#shared/text/address.ts'
import { quoteForeign } from '#shared/text/format.ts'
import { hiddenCharacters } from '#shared/text/visible.ts'
import type { CauseCode } from './cause-titles.ts'

export type ResponseCode = Extract<CauseCode, `response.${string}`>

export interface HandlerResponse {
  /** 0: there was no complete response. */
  readonly status: number
  readonly headers: readonly Header[]
  /** Decoded. Its beginning is enough. */
  readonly body: string
}

/** What a response shows: all that is given holds. Texts in lower case; of several, one is enough. */
interface Marks {
  readonly statuses: string
  /** In `Server` or `X-Powered-By`. */
  readonly product?: string
  readonly header?: string
  /** In the body, without tags. One empty text: there is no body. */
  readonly texts?: readonly string[]
}

interface Row {
  /** `handler.serialized`: it refused the signature. */
  readonly code: ResponseCode | 'handler.serialized'
  /** One of them. */
  readonly marks: readonly Marks[]
  readonly says?: string
  readonly fix?: string
  /** Instead of `fix`, by the name of a product. */
  readonly fixes?: Readonly<Record<string, string>>
}

const exempt = 'The signature of a delivery replaces it.'

/** `statuses`: `400 401`, or `5xx`. Empty: any. */
function on(statuses: string, text?: string, other: Pick<Marks, 'product' | 'header'> = {}): Marks {
  return { statuses, ...(text !== undefined && { texts: text.split(/[|\n]/) }), ...other }
}

/** The first that applies is taken: texts before statuses. */
const rows: readonly Row[] = [
  {
    code: 'response.airplay',
    marks: [on('', undefined, { product: 'airtunes' }), on('', undefined, { product: 'airplay' })],
    says: 'The AirPlay receiver of macOS listens on the ports 5000 and 7000, and answered instead of your handler.',
    fix: 'Let your handler listen on another port, or turn off System Settings > General > AirDrop & Handoff > AirPlay Receiver.',
  },
  {
    code: 'response.https',
    marks: [
      on(
        '400',
        `plain http request was sent to https port|http request to an https server|speaking plain http to an ssl-enabled server port
requires tls`,
      ),
    ],
    says: 'The port accepts only HTTPS, so your handler did not run.',
    fix: 'Use https:// in the URL of the handler, or its port for HTTP.',
  },
  {
    code: 'response.csrf_django',
    marks: [on('', 'csrf verification failed|csrf failed:')],
    says: 'A CSRF check of Django refused the request before the view: a delivery has no CSRF token.',
    fix: `Exempt the view: @csrf_exempt from django.views.decorators.csrf, for a class with method_decorator on dispatch; with REST framework, authentication_classes = []. ${exempt}`,
  },
  {
    code: 'response.csrf_rails',
    marks: [
      on(
        '',
        `invalidauthenticitytoken|verify csrf token authenticity|the change you wanted was rejected`,
      ),
    ],
    says: 'Rails responds so when protect_from_forgery finds no CSRF token, before the action.',
    fix: `Exempt the action: skip_forgery_protection only: :create in its controller, or derive the controller from ActionController::API. ${exempt}`,
  },
  {
    code: 'response.csrf_laravel',
    marks: [on('419'), on('', 'csrf token mismatch|tokenmismatchexception')],
    says: 'Laravel responds with 419 when a POST request has no CSRF token, before the route.',
    fix: `Exempt the path: validateCsrfTokens(except: ['hooks/*']) in bootstrap/app.php, $except of VerifyCsrfToken before Laravel 11, or move the route to routes/api.php. ${exempt}`,
  },
  {
    code: 'response.csrf_cross_site',
    marks: [on('403', 'form submissions are forbidden')],
    says: 'SvelteKit and Astro refuse a POST request of another origin whose content type is that of a form or text/plain; Astro also one without a content type.',
    fix: 'Send the delivery with Content-Type: application/json, as the service does, and look for what removes or changes it. Otherwise turn the check off: csrf.trustedOrigins or csrf.checkOrigin in svelte.config.js, security.checkOrigin in the configuration of Astro.',
  },
  {
    code: 'response.csrf',
    marks: [
      on(
        '400 401 403 422',
        `csrf|xsrf|forgery|referer not supplied|cross-origin request detected|unable to verify your data submission
the action you requested is not allowed`,
      ),
      on('403', '"error":"forbidden","path":|"error":"forbidden","message":"forbidden","path":'),
      on('403', '403: forbidden', { product: 'tornado' }),
    ],
    says: 'A check against cross-site request forgery probably refused the request before the handler: a delivery has no CSRF token.',
    fix: `Exempt the path of the webhook: @csrf.exempt of Flask-WTF, the route before csurf in Express, csrf.ignoringRequestMatchers and permitAll of Spring Security, check_xsrf_cookie of a Tornado handler, exceptRoutes of AdonisJS, the except list of the csrf filter of CodeIgniter, $enableCsrfValidation of a Yii controller, AddInsecureBypassPattern of Go, [IgnoreAntiforgeryToken] of ASP.NET. ${exempt}`,
  },
  {
    code: 'response.host_vite',
    marks: [on('', 'blocked request. this host')],
    says: 'Vite refused the request because it does not know the name in the Host header.',
    fix: 'Add the name to server.allowedHosts in the configuration of Vite (preview.allowedHosts for vite preview; allowedHosts of the development server for Angular), or send to the name that Vite knows.',
  },
  {
    code: 'response.host_rails',
    marks: [on('', 'blocked host: |blocked hosts: ')],
    says: 'The host check of Rails refused the request because it does not know the name in the Host header.',
    fix: 'Add the name in config/environments: config.hosts << "name", or for one path config.host_authorization = { exclude: … }.',
  },
  {
    code: 'response.host_django',
    marks: [on('', 'disallowedhost|invalid http_host header')],
    says: 'Django refused the request because it does not know the name in the Host header.',
    fix: 'Add the name to ALLOWED_HOSTS in the settings of Django.',
  },
  {
    code: 'response.host_webpack',
    marks: [on('403', 'invalid host header|invalid host/origin header')],
    says: 'webpack-dev-server refused the request because it does not know the name in the Host header.',
    fix: 'Add the name to devServer.allowedHosts in the configuration of webpack, or send to localhost.',
  },
  {
    code: 'response.host',
    marks: [
      on('', 'invalid host header|invalid hostname|host not permitted'),
      on('400', `' is not trusted|untrusted host|invalid host "|host not allowed|invalid sni`),
    ],
    says: 'The server refused the request because it does not know the name in the Host header.',
    fix: 'Add the name to the hosts that it accepts: allowed_hosts of TrustedHostMiddleware in Starlette and FastAPI, host_authorization of Sinatra, TRUSTED_HOSTS of Flask, trusted_hosts of Symfony, AllowedHosts of ASP.NET, the bindings of IIS.',
  },
  {
    code: 'handler.serialized',
    marks: [on('400 401 403', 'signature|hmac|digest|sha256|sha-256|webhook secret|not verified')],
  },
  {
    code: 'response.web_authentication',
    marks: [on('400 401 403', undefined, { header: 'www-authenticate' })],
    says: 'The header WWW-Authenticate asks for credentials. A proxy, a platform or a guard of the framework does so before the handler.',
    fix: 'Exempt the path of the webhook from the authentication, in nginx with auth_basic off; or add the credentials as a custom header of the webhook on the dashboard.',
  },
  {
    code: 'response.authentication',
    marks: [
      on(
        '401 403',
        `credentials were not provided|not authenticated|unauthenticated|authentication required|login required|please log in|api key
api-key|jwt|bearer|access token|auth token|no token|invalid token|token expired|session expired|no authorization
missing authorization|function url authorization|action is unauthorized|forbidden resource
do not have permission|not allowed to do that|need to sign in|rbac: `,
      ),
      on('400', 'missing key in request header|missing or malformed jwt'),
    ],
    says: 'The application asks for a login or a token, which a delivery does not have.',
    fix: `Exempt the route of the webhook from the guard, middleware or permission class that asks for it. ${exempt}`,
  },
  {
    code: 'response.firewall',
    marks: [
      on('403 503', undefined, { header: 'cf-mitigated' }),
      on('403 429', undefined, { header: 'x-vercel-mitigated' }),
      on('403', undefined, { product: 'awselb' }),
      on('400', 'no required ssl certificate'),
      on(
        '403 406',
        `403 forbidden nginx|403 forbidden openresty|permission to access this resource|permission to access the requested url
attention required!|request blocked|mod_security|not acceptable!|access denied|error code: 10|you have been blocked
just a moment...`,
      ),
    ],
    says: 'A web server or firewall refused the request before it reached your handler.',
    fix: 'Allow POST requests to the path of the webhook there: deny or limit_except of nginx, Require of Apache, the rules of the firewall.',
  },
  {
    code: 'handler.serialized',
    marks: [on('401', 'unauthori'), on('401', '')],
  },
  {
    code: 'response.too_large',
    marks: [on('413'), on('400', 'requestdatatoobig')],
    says: 'The body is larger than the server or its body parser accepts.',
    fix: 'Increase the limit: 1 MB of nginx (client_max_body_size), 100 KB of express.json and NestJS (limit), 1 MiB of Fastify (bodyLimit), hapi (payload.maxBytes) and aiohttp (client_max_size), 2.5 MB of Django (DATA_UPLOAD_MAX_MEMORY_SIZE).',
    fixes: {
      nginx: 'Set client_max_body_size of nginx, which is 1 MB by default.',
      Express:
        'Set limit of the body parser: express.raw({ type: () => true, limit: "10mb" }). It is 100 KB by default.',
      aiohttp: 'Set client_max_size of web.Application, which is 1 MiB by default.',
    },
  },
  {
    code: 'response.django_bad_request',
    marks: [on('400', 'bad request (400)')],
    says: 'Django responds so, without DEBUG, before the view: for a host that is not in ALLOWED_HOSTS, a body over DATA_UPLOAD_MAX_MEMORY_SIZE or a request that it cannot read.',
    fix: 'See the log django.security for the reason. Add the name of the Host header to ALLOWED_HOSTS, and increase DATA_UPLOAD_MAX_MEMORY_SIZE, which is 2.5 MB by default.',
  },
  {
    code: 'response.trailing_slash',
    marks: [on('', "url doesn't end in a slash|append_slash")],
    says: 'Django has this path only with a slash at the end, and cannot redirect a POST request.',
    fix: 'Add the slash to the URL of the webhook, or add the path without it.',
  },
  {
    code: 'response.json',
    marks: [
      on(
        '400 415 422 500',
        `unexpected token|unexpected end of json|unexpected non-whitespace character|is not valid json|not valid json|invalid json
invalid request payload json|malformed json|json parse error|json_invalid|jsondecode|expecting value: line|could not parse json
failed to decode json|parseerror|parsererror|could not decode request body|parsing request parameters|could not be converted
failed to parse the request body|json deserialize|invalid character|httpmessagenotreadable|fst_err_ctp_invalid_json_body
fst_err_ctp_empty_json_body|jsonparseexception|"error":"eof"|unexpected eof
failed when parsing body|error parsing the body|invalid start of a value|non-empty request body`,
      ),
    ],
    says: 'A parser of JSON failed, in the framework or in your handler.',
    fix: 'Compare what was parsed with the stored body. An object that is parsed already must not be parsed again: JSON.parse(req.body) after express.json() fails at “[object Object]” or its token o. Python’s “Expecting value: line 1 column 1” and “Unexpected end of JSON input” mean an empty body, which something had read before. A byte order mark, a compressed body or another charset also fails.',
  },
  {
    code: 'response.unreachable',
    marks: [
      on('502 520 521 523 525 526 530'),
      on('404 5xx', undefined, { header: 'ngrok-error-code' }),
      on(
        '404 500 503 504',
        `error occurred while trying to proxy|err_ngrok_|backend fetch failed|no server is available to handle this request
temporarily unable to service your request|could not be retrieved|econnrefused|no healthy upstream|upstream connect error
tunnel unavailable|err_connect_fail`,
      ),
    ],
    says: 'A proxy or tunnel in front of your handler could not connect to it, or got no valid response.',
    fix: 'Check that the handler runs, and the port and address in the configuration of the proxy: localhost may be ::1, and in a container it is the container. Its error log has the reason.',
    fixes: {
      nginx: 'Check that the handler runs at the address of proxy_pass. error.log has the reason.',
    },
  },
  {
    code: 'response.redirect',
    marks: [on('3xx')],
    says: 'It redirects: often to the path with or without a slash at the end (307 of FastAPI, 308 of Flask, 301 of Django), to HTTPS, or to a page for the login. The service does not document that it follows redirects.',
    fix: 'Use the URL to which it redirects for the webhook, or accept the request at this one.',
  },
  {
    code: 'response.not_found',
    marks: [on('404 410'), on('403', 'missing authentication token')],
    says: 'There is no handler at this path and method.',
    fix: 'Compare the path with the route, its prefix and slash at the end: frameworks such as Express, Fastify, Rails and Hono respond with 404 if the path has no route for POST. API Gateway of AWS responds with 403 and Missing Authentication Token. A tunnel or proxy also responds so if it knows no such host.',
    fixes: {
      nginx:
        'nginx responds with 404 for files. Add a location with proxy_pass for this path, and compare the path that it passes on with the route.',
    },
  },
  {
    code: 'response.method',
    marks: [on('405'), on('501', 'unsupported method'), on('403', 'http request method')],
    says: 'The path exists, but not for POST, or a server of files has it.',
    fix: 'Add a handler for POST: methods=["POST"] in Flask, @app.post in FastAPI, export POST in a route of Next.js and SvelteKit, proxy_pass in nginx.',
  },
  {
    code: 'response.length_required',
    marks: [on('411')],
    says: 'The server does not accept a chunked body, or none without Content-Length.',
    fix: 'Accept chunked requests, with a server or proxy that buffers them, such as nginx with proxy_request_buffering on.',
  },
  {
    code: 'response.media_type',
    marks: [on('415')],
    says: 'The framework refused the content type, its charset or its encoding before the handler.',
    fix: 'Accept application/json, also with a charset and compressed: express.raw({ type: () => true }), addContentTypeParser("*", …) of Fastify, parser_classes of Django REST framework. If Content-Type is missing or different, look for what changes it.',
  },
  {
    code: 'response.validation',
    marks: [
      on('422'),
      on(
        '400',
        `validation|value_error|field is required|field required|required property|should not exist|should not be empty
invalid request payload input|" is required|must be a string|param is missing|unmarshal`,
      ),
    ],
    says: 'The body was read, but its fields are not those that a schema, model or validation expects.',
    fix: 'Read the raw body, verify it, and validate it afterwards: in FastAPI await request.body() instead of a model as parameter. Allow fields that are missing, null or new. If it is Rails without an error page, the CSRF check also responds with 422.',
  },
  {
    code: 'response.rate_limited',
    marks: [on('429')],
    says: 'A limit of requests per time refused it.',
    fix: 'Exempt the webhook from the limit or increase it, and send more slowly here.',
  },
  {
    code: 'response.unavailable',
    marks: [on('503')],
    says: 'A server or proxy takes no requests for your handler: it is starting, overloaded, in maintenance or not running.',
    fix: 'Check that the handler runs and that the proxy finds it healthy. Then send it again.',
  },
  {
    code: 'response.timeout',
    marks: [on('408 504 522 524')],
    says: 'A proxy stopped waiting for your handler: nginx, Apache and Varnish after 60 s, HAProxy often after 50 s.',
    fix: 'Respond first, and process the event afterwards. Or increase the time: proxy_read_timeout of nginx.',
  },
  {
    code: 'response.server_error',
    marks: [on('5xx')],
    says: 'The handler or its framework failed while it handled the request.',
    fix: 'The log of the handler at this time has the exception. Often, a field of this body is missing, null or of another type than expected. After “stream is not readable” or RawPostDataException, read the raw body before anything else does, and once. After a TypeError of createHmac or an error of timingSafeEqual, pass the raw bytes and two digests of the same length. SvelteKit responds so to a body over 512 KiB: set BODY_SIZE_LIMIT.',
  },
]

const unknown: Row = {
  code: 'response.unknown',
  marks: [],
  says: 'What it means is not known here, so that no cause is named.',
  fix: `See the log of the handler at this time. In production, frameworks also say no more than “Bad Request” or “Forbidden” if they cannot parse the body or refuse its origin, and servers respond with 400 to a path, header or length that they cannot read. If its own check of the signature responds so, log the digest that it computes: delivery diagnose with --computed explains it.`,
}

/** The name that a sentence uses, and what is in `Server` or `X-Powered-By`, in lower case. */
const products: readonly (readonly [name: string, marks: string, words?: string])[] = [
  ['AirPlay', 'airtunes airplay'],
  ['Gunicorn', 'gunicorn', 'a server for Python, such as Django and Flask'],
  ['Uvicorn', 'uvicorn', 'a server for Python, such as FastAPI, Starlette and Django'],
  ['Hypercorn', 'hypercorn', 'a server for Python, such as Quart and FastAPI'],
  ['Daphne', 'daphne', 'the server of Django Channels'],
  ['Waitress', 'waitress', 'a server for Python, such as Pyramid, Flask and Django'],
  ['Werkzeug', 'werkzeug', 'the development server of Flask'],
  ['Tornado', 'tornado'],
  ['aiohttp', 'aiohttp'],
  ['wsgiref', 'wsgiserver', 'the development server of Django and Bottle'],
  ['Express', 'express', 'which also serves NestJS and webpack-dev-server'],
  ['Next.js', 'next.js'],
  ['PHP', 'php'],
  ['Puma', 'puma', 'a server for Ruby'],
  ['Passenger', 'phusion', 'a server for Ruby'],
  ['WEBrick', 'webrick', 'a server for Ruby'],
  ['ASP.NET', 'asp.net kestrel microsoft-iis microsoft-httpapi'],
  ['Jetty', 'jetty', 'a server for Java'],
  ['Tomcat', 'tomcat coyote', 'a server for Java'],
  ['nginx', 'nginx openresty'],
  ['Apache', 'apache'],
  ['AWS', 'awselb cloudfront amazons3'],
  ['Caddy', 'caddy'],
  ['lighttpd', 'lighttpd'],
  ['Cloudflare', 'cloudflare'],
  ['Varnish', 'varnish'],
  ['Envoy', 'envoy'],
  ['Vercel', 'vercel'],
]

/** An error page has what it says at its beginning. */
const maxText = 2000
const maxQuote = 160

/** Why a handler rejects a delivery, by its response. `handler.serialized`: it refused the signature. Null: the response is 2xx, or there was none. */
export function readResponse({ status, headers, body }: HandlerResponse): Cause | null {
  if (status < 300) return null
  const text = visibleText(body)
  const lower = text.toLowerCase()
  const named = headers
    .filter(([name]) => /^(?:server|x-powered-by)$/i.test(name))
    .map(([, value]) => value.toLowerCase())
    .join(' ')
  const is = String(status)
  const of = `${is[0]}xx`
  const has = (mark: Marks): boolean =>
    (mark.statuses === '' || mark.statuses.split(' ').some((each) => each === is || each === of)) &&
    (mark.product === undefined || named.includes(mark.product)) &&
    (mark.header === undefined || headers.some(([name]) => name.toLowerCase() === mark.header)) &&
    (mark.texts?.some((each) => (each === '' ? lower === '' : lower.includes(each))) ?? true)
  const { code, marks } = rows.find((row) => row.marks.some(has)) ?? unknown
  const at = Math.max(0, ...(marks.find(has)?.texts ?? []).map((each) => lower.indexOf(each)))
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  const product = products.find(([, words]) =>
    words.split(' ').some((word) => named.includes(word)),
  )
  const values = {
    status: is,
    ...(text !== '' && {
      said: shortQuote(at < 100 ? text : text.slice(text.indexOf(' ', at - 60) + 1)),
    }),
    ...(location !== undefined && { location: shortQuote(withoutQuery(location)) }),
    ...(product && { product: product[0] }),
  }
  return { code, where: 'handler', values }
}

export function isResponseCode(code: CauseCode): code is ResponseCode {
  return code.startsWith('response.')
}

export function responseSentence(
  code: ResponseCode,
  { status = 'an error', said, location, product }: NonNullable<Cause['values']>,
): string {
  const [name, , words] = products.find(([each]) => each === product) ?? []
  return [
    `Your handler responded with ${status}`,
    ...(location === undefined ? [] : [`, to ${location}`]),
    ...(said === undefined ? [] : [`: ${said}`]),
    `. ${rowOf(code).says ?? ''}`,
    ...(name === undefined ? [] : [` The response came from ${name}${words ? `, ${words}` : ''}.`]),
  ].join('')
}

export function responseFix(code: ResponseCode, product = ''): string {
  const { fix = '', fixes = {} } = rowOf(code)
  return fixes[product] ?? fix
}

function rowOf(code: ResponseCode): Row {
  return rows.find((row) => row.code === code) ?? unknown
}

function shortQuote(text: string): string {
  const short = text.length > maxQuote ? `${text.slice(0, maxQuote)}…` : text
  return quoteForeign(short.toWellFormed())
}

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&amp;': '&',
}

/** Without tags, styles and scripts, in one line. */
function visibleText(body: string): string {
  const [first = '', ...pieces] = body.split(/<(?=style|script)/i)
  const shown = pieces.map((piece) => piece.slice(piece.search(/<\/(?:style|script)/i)))
  return [first, ...shown]
    .join(' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/&(?:quot|#34|#39|#x27|lt|gt|nbsp|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(hiddenCharacters, ' ')
    .split(/\s+/)
    .join(' ')
    .trim()
    .slice(0, maxText)
}
