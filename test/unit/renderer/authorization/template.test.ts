import { expect, it } from 'vitest'
import { defaultRefreshTemplate } from '#contract/integrations.ts'
import { doubtIn, isDefault, wrongIn } from '#renderer/features/authorization/refresh/template.ts'

const template = defaultRefreshTemplate

it('finds nothing wrong with the default', () => {
  expect(wrongIn(template)).toEqual({ path: null, body: null })
  expect(doubtIn(template)).toBeNull()
  expect(isDefault({ ...template, headers: [...template.headers] })).toBe(true)
})

it('tells a changed part from the default', () => {
  expect(isDefault({ ...template, method: 'PUT' })).toBe(false)
  expect(isDefault({ ...template, headers: [] })).toBe(false)
})

it('keeps what is no JSON, or has no path, from being saved', () => {
  expect(wrongIn({ ...template, body: '{"a":}' }).body).toMatch(/^This is not JSON/)
  expect(wrongIn({ ...template, body: ' ' }).body).toBeNull()
  expect(wrongIn({ ...template, path: '' }).path).toMatch(/Enter a path/)
})

it('doubts what will hardly work', () => {
  expect(doubtIn({ ...template, body: '{}' })).toMatch(/stands nowhere/)
  expect(doubtIn({ ...template, path: '/x/{{token}}' })).toMatch(/\{\{token\}\} is not filled in/)
  expect(doubtIn({ ...template, path: '/x?t={{refresh_token}}' })).toMatch(/logs of servers/)
  expect(doubtIn({ ...template, method: 'GET' })).toMatch(/body of a GET/)
})
