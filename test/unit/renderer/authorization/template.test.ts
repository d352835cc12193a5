import { expect, it } from 'vitest'
import { defaultRefreshTemplate } from '#contract/integrations.ts'
import {
  doubtIn,
  isDefault,
  wrongIn,
} from '#renderer/features/authorization/refresh/TemplateForm.tsx'

const template = defaultRefreshTemplate

it('finds nothing wrong with the default', () => {
  expect(wrongIn(template)).toEqual({ path: null, body: null })
  expect(doubtIn(template)).toBeNull()
  expect(isDefault({ ...template, headers: [...template.headers] })).toBe(true)
})

it('distinguishes a changed part from the default', () => {
  expect(isDefault({ ...template, method: 'PUT' })).toBe(false)
  expect(isDefault({ ...template, headers: [] })).toBe(false)
})

it('keeps what is not JSON, or has no path, from being saved', () => {
  expect(wrongIn({ ...template, body: '{"a":}' }).body).toMatch(/^This is not JSON/)
  expect(wrongIn({ ...template, body: ' ' }).body).toBeNull()
  expect(wrongIn({ ...template, path: '' }).path).toMatch(/Enter a path/)
})

it('doubts what will hardly work', () => {
  expect(doubtIn({ ...template, body: '{}' })).toMatch(/does not contain/)
  expect(doubtIn({ ...template, path: '/x/{{token}}' })).toMatch(
    /\{\{token\}\} is not a known placeholder/,
  )
  expect(doubtIn({ ...template, path: '/x?t={{refresh_token}}' })).toMatch(/can log a secret/)
  expect(doubtIn({ ...template, method: 'GET' })).toMatch(/body of a GET/)
})
