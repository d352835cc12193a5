import { expect, it } from 'vitest'
import { checkFiles, frameworks } from '#catalogue/frameworks.ts'
import { handlerFiles } from '#engine/handlers/generate/templates.ts'

const textOf = (id: string, path: string): string | undefined =>
  handlerFiles(id).find((file) => file.path.split('/').at(-1) === path)?.text

it('has each file of a folder but its facts', () => {
  for (const { id } of frameworks) {
    const paths = handlerFiles(id).map(({ path }) => path)
    expect(paths).toContain('.gitignore')
    expect(paths).toContain('README.md')
    expect(paths).not.toContain('framework.json')
  }
})

it('shows a check that reads the secret and the header of the brand in each framework', () => {
  expect(frameworks.map(({ label }) => label)).toEqual([
    'aiohttp',
    'ASP.NET Core',
    'AWS Lambda',
    'Cloudflare Workers',
    'Django',
    'Elysia (Bun)',
    'Express',
    'FastAPI',
    'Fastify',
    'Flask',
    'Gin',
    'Go (net/http)',
    'Hono',
    'Koa',
    'NestJS',
    'Next.js',
    'Nitro (Nuxt)',
    'PHP',
    'Rails',
    'Spring Boot',
    'SvelteKit',
  ])
  for (const framework of frameworks) {
    const files = checkFiles(framework, 'Acme')
    expect(files.map(({ path }) => path)).toEqual(framework.check)
    const code = files.map(({ text }) => text).join('')
    expect(code).toMatch(/X-Acme-Signature|x-acme-signature|HTTP_X_ACME_SIGNATURE/)
    expect(code).not.toMatch(/X.Service|tabscope:/i)
    expect(code).toContain('WEBHOOK_SECRET')
    expect(framework.note).toMatch(/\.$/)
  }
})

// Each folder is complete, so that it starts as it is.
it.each([
  ['webhooks.ts', ['express', 'fastify', 'hono', 'koa', 'nestjs', 'nitro', 'elysia']],
  ['webhooks.ts', ['sveltekit', 'next']],
  ['event-handlers.ts', ['express', 'fastify', 'hono', 'next', 'koa', 'nestjs', 'nitro']],
  ['event-handlers.ts', ['express', 'sveltekit', 'workers', 'lambda', 'elysia']],
  ['webhooks.py', ['django', 'fastapi', 'flask', 'aiohttp']],
  ['event_handlers.py', ['django', 'fastapi', 'flask', 'aiohttp']],
  ['receive.go', ['go', 'gin']],
  ['event_handlers.go', ['go', 'gin']],
] as const)('%s is the same in each framework', (path, [first, ...others]) => {
  const text = textOf(first, path)
  expect(text).toContain('event')
  // The bundler of Next.js needs no ending, and TypeScript there allows none.
  for (const id of others)
    expect(textOf(id, path), id).toBe(id === 'next' ? text?.replaceAll(/\.ts'$/gm, "'") : text)
})
