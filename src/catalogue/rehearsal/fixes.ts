import type { FrameworkId } from '#contract/constants.ts'
import { rawBodyChecks } from '../raw-body-checks.ts'
import { rehearsalCaseOf } from './cases.ts'
import type { FixTopic } from './define.ts'
import { oauthCases } from './oauth-cases.ts'

interface Fix {
  readonly general: string
  /** Code or advice. Absent: the general sentences are enough. */
  readonly frameworks?: Partial<Record<FrameworkId, string>>
}

function node(text: string): Partial<Record<FrameworkId, string>> {
  return { express: text, fastify: text, hono: text, next: text }
}

function python(text: string): Partial<Record<FrameworkId, string>> {
  return { flask: text, django: text, fastapi: text }
}

const fixes: Readonly<Record<FixTopic, Fix>> = {
  'verify-raw-body': {
    general:
      'Compute the HMAC-SHA256 over the bytes as received, before any parsing, and write it in lower-case hexadecimal digits. Never serialize the parsed body again.',
    frameworks: Object.fromEntries(rawBodyChecks.map(({ id, note }) => [id, note])),
  },
  'compare-signature': {
    general:
      'Compare the header with the expected text in constant time, and treat another length as different. Do not decode the header: decoding stops silently at characters that are not hexadecimal.',
    frameworks: {
      ...node(
        `const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'))
const given = Buffer.from(signature ?? '')
// timingSafeEqual throws when the lengths differ.
return given.length === expected.length && timingSafeEqual(given, expected)`,
      ),
      ...python(
        `# As bytes: compare_digest raises on text that is not ASCII.
return hmac.compare_digest(expected.encode(), signature.encode())`,
      ),
      rails: 'ActiveSupport::SecurityUtils.secure_compare(given.to_s, expected)',
      go: 'return hmac.Equal([]byte(expected), []byte(signature))',
      php: 'if (!hash_equals($expected, $given)) { http_response_code(401); exit; }',
      aspnet:
        'CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(given))',
      spring:
        'MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8))',
    },
  },
  'require-secret': {
    general:
      'Stop at the start if the secret is not set or empty, and reject every request whose signature header is absent or different. Read the signature from its header only, and use only the secret of this webhook.',
    frameworks: {
      ...node(
        `const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET.')`,
      ),
      ...python(
        `secret = os.environ.get("WEBHOOK_SECRET", "").encode()
if not secret:
    raise RuntimeError("Set WEBHOOK_SECRET.")`,
      ),
      rails: 'SECRET = ENV["WEBHOOK_SECRET"].presence || raise("Set WEBHOOK_SECRET.")',
      go: 'if len(secret) == 0 { log.Fatal("Set WEBHOOK_SECRET.") }',
      php: "if (!getenv('WEBHOOK_SECRET')) { http_response_code(500); exit; }",
      aspnet:
        'if (string.IsNullOrEmpty(secret)) throw new InvalidOperationException("Set WEBHOOK_SECRET.");',
      spring:
        'if (secret == null || secret.isEmpty()) throw new IllegalStateException("Set WEBHOOK_SECRET.");',
    },
  },
  'tolerate-fields': {
    general:
      'Read only the fields that you need, accept that each optional one is absent, null or empty, and ignore those that you do not know. Zero and an empty text are values.',
    frameworks: {
      ...node(
        'Read with event.data?.total ?? 0, not with ||. A schema of zod must be z.looseObject, one of JSON Schema must not set additionalProperties to false.',
      ),
      ...python('Read with event.get("locationName"), and test for None instead of truth.'),
      rails: 'Read with event.dig("data", "total"), not with fetch or params.require.',
      go: 'Use pointers for optional fields, and do not call DisallowUnknownFields.',
      php: "Read with $event['locationName'] ?? null, and do not use empty(): it is true for 0.",
      aspnet:
        'Declare optional properties as nullable, and leave JsonUnmappedMemberHandling at Skip.',
      spring:
        'Annotate the class with @JsonIgnoreProperties(ignoreUnknown = true), and do not use primitive types for optional fields.',
    },
  },
  'parse-safely': {
    general:
      'Verify the signature first. Then parse, check that the result is an object whose type is a text, and respond with 400 to everything else. Do not copy its keys into other objects.',
    frameworks: {
      ...node(
        `let event
try {
  event = JSON.parse(rawBody)
} catch {}
if (typeof event?.type !== 'string') // Respond with 400.`,
      ),
      ...python(
        `try:
    event = json.loads(raw_body)
except (ValueError, RecursionError):
    event = None
if not isinstance(event, dict) or not isinstance(event.get("type"), str):
    return "", 400  # In Django: HttpResponse(status=400), in FastAPI: Response(status_code=400)`,
      ),
      rails: `event = JSON.parse(request.raw_post)
return head(:bad_request) unless event.is_a?(Hash) && event["type"].is_a?(String)
# rescue JSON::ParserError: also raised for deep nesting.`,
      go: 'if err := json.Unmarshal(rawBody, &event); err != nil || event.Type == "" { w.WriteHeader(http.StatusBadRequest); return }',
      php: "if (!is_array($event) || !is_string($event['type'] ?? null)) { http_response_code(400); exit; }",
      aspnet:
        'Catch JsonException around JsonDocument.Parse, and check that RootElement.ValueKind is JsonValueKind.Object.',
      spring:
        'Catch JacksonException around readTree, and check node.path("type").isString() (isTextual() in Jackson 2).',
    },
  },
  deduplicate: {
    general:
      'There is no event ID: use type, target and createdAt of the parsed event. Insert them into a table with a unique key, in the same transaction as the effect, and respond with 2xx if they are there already. Do not look first and write then.',
    frameworks: {
      ...node(
        'INSERT INTO webhook_event (type, target, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING, and process the event only if one row was inserted. A Set in memory forgets everything at a restart, and is not shared between processes.',
      ),
      flask:
        'With SQLAlchemy, insert with on_conflict_do_nothing(), and process the event only if rowcount is 1.',
      django:
        'Add a UniqueConstraint, and use WebhookEvent.objects.get_or_create(…) inside of transaction.atomic(): process the event only if it was created.',
      fastapi:
        'With SQLAlchemy, insert with on_conflict_do_nothing(), and process the event only if rowcount is 1.',
      rails:
        'Add a unique index, call WebhookEvent.create! first in the transaction of the effect, and rescue ActiveRecord::RecordNotUnique outside of it. validates_uniqueness_of looks first and writes then.',
      go: 'Execute INSERT … ON CONFLICT DO NOTHING in the transaction, and process the event only if RowsAffected is 1.',
      php: 'Use INSERT IGNORE (MySQL) or ON CONFLICT DO NOTHING (PostgreSQL), and process the event only if rowCount() is 1.',
      aspnet:
        'Add a unique index, insert first in the transaction of the effect, and catch the DbUpdateException of its violation outside of it.',
      spring:
        'Add a unique constraint, call saveAndFlush first in the transaction of the effect, and catch DataIntegrityViolationException outside of it.',
    },
  },
  'verify-first': {
    general:
      'Verify the signature before everything else: before deduplication, locks, queues and logs that other code reads. A request that fails must leave nothing behind.',
  },
  order: {
    general:
      'Do not rely on the order of events. Store createdAt with each target, ignore an event that is older than what is stored, and create a target that is not known yet from whichever event is received first.',
  },
  'dispatch-on-body': {
    general:
      'Decide by the type in the signed body, never by the header, which everybody can change. Respond with 2xx to a type that you do not know, and do nothing.',
  },
  'hide-errors': {
    general:
      'Respond to errors with a status and no details. Write details to a log, and neither the secret nor the expected signature to either.',
    frameworks: {
      express:
        'Set NODE_ENV=production, and end with app.use((error, req, res, next) => res.sendStatus(error.status ?? 500)).',
      fastify:
        'app.setErrorHandler((error, request, reply) => reply.code(error.statusCode ?? 500).send())',
      hono: 'app.onError((error, c) => c.body(null, 500))',
      next: 'Catch errors in the route handler, and return new Response(null, { status: 500 }). Do not test with next dev, which shows stack traces.',
      flask:
        'Run with debug=False and behind a production server: the debugger shows stack traces.',
      django: 'Set DEBUG = False.',
      fastapi: 'Do not set debug=True: it shows stack traces.',
      rails: 'Set config.consider_all_requests_local = false.',
      go: 'Respond with http.StatusText, not with err.Error().',
      php: 'Set display_errors = Off and log_errors = On.',
      aspnet: 'Use app.UseExceptionHandler, and the developer exception page in development only.',
      spring: 'Set server.error.include-stacktrace=never and server.error.include-message=never.',
    },
  },
  'body-limit': {
    general:
      'Accept bodies of at least 256 KiB, and refuse those above your limit with 413 while they are still received. The API documentation does not limit the size.',
    frameworks: {
      express: "express.raw({ type: () => true, limit: '10mb' }). The default is 100 KiB.",
      fastify: 'Fastify({ bodyLimit: 10 * 1024 * 1024 }). The default is 1 MiB.',
      hono: "import { bodyLimit } from 'hono/body-limit', and add bodyLimit({ maxSize: 10 * 1024 * 1024 }) to the route.",
      next: 'Read request.body in pieces, and return 413 when they exceed the limit: request.arrayBuffer() has none.',
      flask: 'app.config["MAX_CONTENT_LENGTH"] = 10 * 1024 * 1024',
      django: 'DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024. The default is 2.5 MB.',
      fastapi:
        'Read request.stream() in pieces, and return 413 when they exceed the limit: request.body() has none.',
      rails:
        'Rails has no limit: set client_max_body_size 10m in nginx, or the limit of your proxy.',
      go: 'http.MaxBytesReader(w, r.Body, 10<<20), and 413 if io.ReadAll returns an error.',
      php: 'Set post_max_size = 10M, and client_max_body_size 10m in nginx.',
      aspnet: 'Set RequestSizeLimit(10 * 1024 * 1024) on the action. The default is 30 MB.',
      spring:
        'Read request.getInputStream().readNBytes(limit + 1), and respond with 413 if more than the limit was read. Spring does not limit JSON bodies.',
    },
  },
  transport: {
    general:
      'Let the HTTP library read the body to its end, whether it has a length or is chunked, and discard it if the connection ends before. Compare header names without their case.',
    frameworks: {
      express:
        'Use express.raw() instead of your own listener for data, and req.get() for headers.',
      fastify:
        'Use a content type parser with parseAs: "buffer". Keys of request.headers are in lower case.',
      hono: 'Use c.req.arrayBuffer() and c.req.header().',
      next: 'Use request.body or request.arrayBuffer(), and request.headers.get().',
      flask:
        'Use request.get_data() and request.headers. Some WSGI servers pass a chunked body on as an empty one: test with the server of production.',
      django:
        'Use request.body and request.headers. Django ignores a chunked body under WSGI: use ASGI, or a proxy that buffers requests.',
      fastapi: 'Use await request.body() or request.stream(), and request.headers.',
      rails: 'Use request.raw_post and request.headers. Puma accepts chunked bodies.',
      go: 'Check the error of io.ReadAll: io.ErrUnexpectedEOF means that the body was cut short.',
      php: 'Read php://input. PHP-FPM requires a server in front that buffers chunked bodies: nginx does.',
      aspnet: 'Await Request.Body.CopyToAsync: one ReadAsync returns only the first piece.',
      spring:
        'Use @RequestBody byte[], or readAllBytes(): one read() returns only the first piece.',
    },
  },
  'respond-fast': {
    general:
      'Store the event, respond with 2xx, and do everything else afterwards from a queue. Register the final URL of the handler, since a sender need not follow a redirect.',
    frameworks: {
      express:
        'Call res.sendStatus(204) after the event is stored, and work in a job (BullMQ, pg-boss).',
      fastify: 'Call reply.code(204).send() after the event is stored, and work in a job.',
      hono: 'Return the response, and use c.executionCtx.waitUntil() or a queue for the rest.',
      next: "import { after } from 'next/server', and pass it what can wait.",
      flask:
        'Pass the work to Celery or RQ. Register routes without a final slash, which redirects.',
      django: 'Pass the work to Celery. APPEND_SLASH redirects a URL without its final slash.',
      fastapi:
        'Use BackgroundTasks or a queue. Register routes without a final slash: redirect_slashes redirects.',
      rails: 'ProcessWebhookJob.perform_later(event.id). config.force_ssl redirects http.',
      go: 'Write to a channel or a table that workers read. http.ServeMux redirects /webhooks to /webhooks/ if only the latter is registered.',
      php: 'Store the event, call fastcgi_finish_request(), and work afterwards or in a queue.',
      aspnet:
        'Write to a Channel that a BackgroundService reads. UseHttpsRedirection redirects http.',
      spring: 'Publish to a queue, or call an @Async method of another bean.',
    },
  },
  method: {
    general:
      'Register the handler for POST only. Everything else gets 404 or 405, without an effect.',
    frameworks: {
      express: "app.post('/webhooks', …) instead of app.all or app.use",
      fastify: "app.post('/webhooks', …) instead of app.all",
      hono: "app.post('/webhooks', …) instead of app.all",
      next: 'Export only POST from route.ts. In the Pages Router, check req.method.',
      flask: '@app.post("/webhooks")',
      django: '@require_POST',
      fastapi: '@app.post("/webhooks")',
      rails: 'post "/webhooks", to: "webhooks#create" instead of match … via: :all',
      go: 'http.HandleFunc("POST /webhooks", webhooks)',
      php: "if ($_SERVER['REQUEST_METHOD'] !== 'POST') { http_response_code(405); exit; }",
      aspnet: 'app.MapPost("/webhooks", …) or [HttpPost]',
      spring: '@PostMapping("/webhooks") instead of @RequestMapping',
    },
  },
}

/** In general, and in a framework if one is selected. */
export function fixOf(topic: FixTopic, framework: FrameworkId | null): string {
  const { general, frameworks } = fixes[topic]
  const own = framework === null ? undefined : frameworks?.[framework]
  return own === undefined ? general : `${general}\n${own}`
}

/** Empty for an unknown case. */
export function fixOfCase(id: string, framework: FrameworkId | null): string {
  const definition = rehearsalCaseOf(id)
  if (definition) return fixOf(definition.fix, framework)
  return oauthCases.find((each) => each.id === id)?.fix ?? ''
}
