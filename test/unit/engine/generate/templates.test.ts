import { expect, it } from 'vitest'
import { frameworks, handlerFiles } from '#catalogue/frameworks.ts'

const textOf = (id: string, path: string): string | undefined =>
  handlerFiles(id).find((file) => file.path === path)?.text

it('has each file of a folder but its facts', () => {
  for (const { id } of frameworks) {
    const paths = handlerFiles(id).map(({ path }) => path)
    expect(paths).toContain('.gitignore')
    expect(paths).toContain('README.md')
    expect(paths).not.toContain('framework.json')
  }
})

// Each folder is complete, so that it starts as it is.
it.each([
  ['webhooks.ts', ['express', 'fastify', 'hono']],
  ['event-handlers.ts', ['express', 'fastify', 'hono', 'next']],
  ['webhooks.py', ['django', 'fastapi', 'flask']],
  ['event_handlers.py', ['django', 'fastapi', 'flask']],
] as const)('%s is the same in each framework', (path, [first, ...others]) => {
  const text = textOf(first, path)
  expect(text).toContain('event')
  for (const id of others) expect(textOf(id, path), id).toBe(text)
})
