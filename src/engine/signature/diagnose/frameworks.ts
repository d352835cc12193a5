import type { FrameworkGuess } from '#contract/deliveries.ts'
import type { Header } from '#contract/models.ts'
import { compareJson } from './json/compare.ts'
import { parseDocument } from './json/document.ts'
import { libraries, writings, type Library } from './json/libraries.ts'
import { receivedBase } from './bases.ts'
import type { Captured } from './subject.ts'
import type { TimeBudget } from './time-budget.ts'

interface Framework {
  readonly label: string
  /** The catalogue's example of a correct check; null: there is none. */
  readonly check: string | null
  readonly writes: string
  readonly library: Library
  /** In headers of responses, in lower case. */
  readonly hints: readonly string[]
}

function libraryNamed(name: string): Library {
  const found = libraries.find((each) => each.name === name)
  if (!found) throw new Error(`There is no library “${name}”.`)
  return found
}

const row = (
  label: string,
  check: string | null,
  writes: string,
  library: string,
  layouts: Library['layouts'],
  hints: readonly string[] = [],
): Framework => ({
  label,
  check,
  writes,
  library: { ...libraryNamed(library), layouts },
  hints,
})

const javascript = 'JSON.stringify of JavaScript'
const python = 'json.dumps of Python'

const frameworks: readonly Framework[] = [
  row('Express', 'express', 'JSON.stringify(req.body)', javascript, ['compact'], ['express']),
  row('Flask', 'flask', 'json.dumps(request.json)', python, ['spaced'], ['werkzeug']),
  row(
    'Laravel, Symfony, WordPress',
    'php',
    'json_encode($request->all())',
    'json_encode of PHP with arrays for objects',
    ['compact'],
    ['php'],
  ),
  row(
    'Spring Boot',
    'spring',
    'objectMapper.writeValueAsString(body)',
    'Jackson',
    ['compact'],
    ['tomcat', 'jetty', 'undertow'],
  ),
  row(
    'Spring Boot',
    'spring',
    'objectMapper.writeValueAsBytes(body)',
    'Jackson as bytes',
    ['compact'],
    ['tomcat', 'jetty', 'undertow'],
  ),
  row(
    'ASP.NET Core',
    'aspnet',
    'JsonSerializer.Serialize(body)',
    'System.Text.Json of .NET',
    ['compact'],
    ['kestrel', 'asp.net'],
  ),
  row(
    'ASP.NET Core with Newtonsoft.Json',
    'aspnet',
    'JsonConvert.SerializeObject(body)',
    'Newtonsoft.Json of .NET',
    ['compact'],
    ['kestrel', 'asp.net'],
  ),
  row(
    'Rails',
    'rails',
    'params.to_json',
    'to_json of Rails',
    ['compact'],
    ['phusion passenger', 'puma'],
  ),
  row('Go', 'go', 'json.Marshal(body)', 'json.Marshal of Go', ['compact']),
  row(
    'Django, AWS Lambda',
    'django',
    'json.dumps(json.loads(request.body))',
    python,
    ['spaced'],
    ['wsgiserver', 'gunicorn'],
  ),
  row(
    'FastAPI, Starlette',
    'fastapi',
    'json.dumps(…, separators=(",", ":"), ensure_ascii=False)',
    'json.dumps of Python with ensure_ascii=False',
    ['compact'],
    ['uvicorn'],
  ),
  row('NestJS, Fastify', 'fastify', 'JSON.stringify(request.body)', javascript, ['compact']),
  row(
    'Next.js, Hono',
    'next',
    'JSON.stringify(await request.json())',
    javascript,
    ['compact'],
    ['next.js'],
  ),
  row(
    'Sinatra',
    null,
    'JSON.generate(JSON.parse(body))',
    'JSON.generate of Ruby',
    ['compact'],
    ['thin', 'webrick'],
  ),
  row('Vapor', null, 'JSONEncoder().encode(body)', 'JSONEncoder of Swift', ['compact'], ['vapor']),
  row('Ktor', null, 'Json.encodeToString(body)', 'kotlinx.serialization', ['compact'], ['ktor']),
]

const maxLength = 1024 * 1024

/**
 * What common frameworks write if a handler parses this body and serializes it again: those that change it first, in each group as the headers of the
 * handler's response suggest, then the most common ones. Empty if the body is no JSON.
 */
export async function frameworkGuesses(
  captured: Captured,
  responseHeaders: readonly Header[],
  budget: TimeBudget,
): Promise<FrameworkGuess[]> {
  const { text, utf8 } = receivedBase(captured)
  if (text.length > maxLength || !utf8) return []
  const document = await parseDocument(text, utf8, budget)
  if ('fault' in document) return []
  const hinted = responseHeaders
    .filter(([name]) => /^(?:server|x-powered-by)$/i.test(name))
    .map(([, value]) => value)
    .join(' ')
    .toLowerCase()
  const guesses: { guess: FrameworkGuess; rank: number }[] = []
  for (const [index, { label, check, writes, library, hints }] of frameworks.entries()) {
    for await (const written of writings(document, library, budget)) {
      const differences = written === text ? [] : await compareJson(text, written, utf8, budget)
      const [first] = differences
      const guess = {
        label,
        check,
        writes,
        changes: written !== text,
        words: differences.map(({ words }) => words),
        difference: first
          ? { path: first.path, received: first.received, signed: first.signed }
          : null,
      }
      const isHinted = hints.some((hint) => hinted.includes(hint))
      guesses.push({ guess, rank: index + (isHinted ? 0 : 100) + (guess.changes ? 0 : 1000) })
    }
  }
  return guesses.toSorted((a, b) => a.rank - b.rank).map(({ guess }) => guess)
}
