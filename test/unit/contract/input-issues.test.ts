import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeInputIssue } from '#contract/input-issues.ts'
import { tools } from '#hosts/node/mcp/tools.ts'

const text = 'Use a name.'

it.each([
  [z.object({ a: z.string() }), {}, 'Missing.'],
  [z.object({ a: z.string() }), { a: 1 }, 'Enter text.'],
  [z.object({ a: z.int() }), { a: 1.5 }, 'Enter a whole number.'],
  [z.object({ a: z.number() }), { a: 'x' }, 'Enter a number.'],
  [z.object({ a: z.array(z.string()) }), { a: {} }, 'Enter a list.'],
  [z.object({ a: z.string().max(3) }), { a: 'long' }, 'Use at most 3 characters.'],
  [z.object({ a: z.string().min(1) }), { a: '' }, 'Must not be empty.'],
  [z.object({ a: z.string().min(2) }), { a: '' }, 'Use at least 2 characters.'],
  [z.object({ a: z.array(z.int()).max(1) }), { a: [1, 2] }, 'Use at most 1 entry.'],
  [z.object({ a: z.int().max(65535) }), { a: 99999 }, 'Use at most 65,535.'],
  [z.object({ a: z.int().positive() }), { a: 0 }, 'Use more than 0.'],
  [z.object({ a: z.number().multipleOf(5) }), { a: 1 }, 'Use a multiple of 5.'],
  [z.object({ a: z.enum(['b', 'c']) }), { a: 'd' }, 'Use one of b, c.'],
  [z.object({ a: z.literal('b') }), { a: 'd' }, 'Use b.'],
  [z.object({ a: z.url() }), { a: 'd' }, 'Enter a URL that starts with http:// or https://.'],
  [z.object({ a: z.string().regex(/^b$/) }), { a: 'd' }, 'Enter it in the documented form.'],
  [z.object({ a: z.strictObject({}) }), { a: { d: 1 } }, 'Unknown: d.'],
  [z.object({ a: z.union([z.int(), z.boolean()]) }), { a: 'd' }, 'Not accepted in this form.'],
  [z.object({ a: z.string().max(1, { error: text }) }), { a: 'bb' }, text],
  [z.object({ a: z.string().refine(() => false, { error: text }) }), { a: 'b' }, text],
] as const)('says what to enter instead of the text of zod: %#', (schema, input, message) => {
  const [issue] = schema.safeParse(input, { error: describeInputIssue }).error?.issues ?? []
  expect(issue?.message).toBe(message)
  // Issues of an error that was parsed without it.
  const [later] = schema.safeParse(input).error?.issues ?? []
  if (message !== text) expect(later && describeInputIssue(later)).toBe(message)
})

it('says what to enter to a coding assistant', async () => {
  const { validate } = tools.search_deliveries.inputSchema['~standard']
  expect(await validate({ filter: 7 })).toMatchObject({ issues: [{ message: 'Enter text.' }] })
  expect(await validate({})).toMatchObject({ value: { limit: 20, filter: '' } })
})
