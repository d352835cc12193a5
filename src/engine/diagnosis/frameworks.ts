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

// The last two columns: the layout that it writes, and words in headers of its responses.
const table = `
Express | express | JSON.stringify(req.body) | JSON.stringify of JavaScript | compact | express
Flask | flask | json.dumps(request.json) | json.dumps of Python | spaced | werkzeug, gunicorn, waitress
Laravel, Symfony, WordPress | php | json_encode($request->all()) | json_encode of PHP with arrays for objects | compact | php
Spring Boot | spring | objectMapper.writeValueAsString(body) | Jackson | compact | tomcat, jetty, undertow
Spring Boot | spring | objectMapper.writeValueAsBytes(body) | Jackson as bytes | compact | tomcat, jetty, undertow
ASP.NET Core | aspnet | JsonSerializer.Serialize(body) | System.Text.Json of .NET | compact | kestrel, asp.net
ASP.NET Core with Newtonsoft.Json | aspnet | JsonConvert.SerializeObject(body) | Newtonsoft.Json of .NET | compact | kestrel, asp.net
Rails | rails | params.to_json | to_json of Rails | compact | phusion passenger, puma
Go | go | json.Marshal(body) | json.Marshal of Go | compact
Django, AWS Lambda | django | json.dumps(json.loads(request.body)) | json.dumps of Python | spaced | wsgiserver, gunicorn, waitress, daphne
FastAPI, Starlette | fastapi | json.dumps(…, separators=(",", ":"), ensure_ascii=False) | json.dumps of Python with ensure_ascii=False | compact | uvicorn, hypercorn
NestJS, Fastify | fastify | JSON.stringify(request.body) | JSON.stringify of JavaScript | compact
Next.js, Hono | next | JSON.stringify(await request.json()) | JSON.stringify of JavaScript | compact | next.js
Tornado, aiohttp, Pyramid, Quart |  | json.dumps(body) | json.dumps of Python | spaced | tornadoserver, aiohttp, waitress, hypercorn
Sinatra |  | JSON.generate(JSON.parse(body)) | JSON.generate of Ruby | compact | thin, webrick
Vapor |  | JSONEncoder().encode(body) | JSONEncoder of Swift | compact | vapor
Ktor |  | Json.encodeToString(body) | kotlinx.serialization | compact | ktor
`

const frameworks = table.trim().split('\n').map(frameworkOf)

function frameworkOf(row: string): Framework {
  const [label = '', check = '', writes = '', name, layout, hints = ''] = row
    .split('|')
    .map((cell) => cell.trim())
  const library = libraries.find((each) => each.name === name)
  const layouts = library?.layouts.filter((each) => each === layout) ?? []
  if (!library || layouts.length === 0) throw new Error(`There is no library “${name ?? ''}”.`)
  return {
    label,
    check: check || null,
    writes,
    library: { ...library, layouts },
    hints: hints.split(', ').filter(Boolean),
  }
}

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
