import { expect, it } from 'vitest'
import { defaultRefreshTemplate } from '#contract/integrations.ts'
import {
  templateWarning,
  isDefault,
  templateErrors,
} from '#renderer/features/authorization/refresh/TemplateForm.tsx'

const template = defaultRefreshTemplate

it('finds nothing wrong with the default', () => {
  expect(templateErrors(template)).toEqual({ path: null, body: null })
  expect(templateWarning(template)).toBeNull()
  expect(isDefault({ ...template, headers: [...template.headers] })).toBe(true)
})

it('distinguishes a changed part from the default', () => {
  expect(isDefault({ ...template, method: 'PUT' })).toBe(false)
  expect(isDefault({ ...template, headers: [] })).toBe(false)
})

it('keeps what is not JSON, or has no path, from being saved', () => {
  expect(templateErrors({ ...template, body: '{"a":}' }).body).toMatch(/^This is not JSON/)
  expect(templateErrors({ ...template, body: ' ' }).body).toBeNull()
  expect(templateErrors({ ...template, path: '' }).path).toMatch(/Enter a path/)
})

it('doubts what will hardly work', () => {
  expect(templateWarning({ ...template, body: '{}' })).toMatch(/does not contain/)
  expect(templateWarning({ ...template, path: '/x/{{token}}' })).toMatch(
    /\{\{token\}\} is not a known placeholder/,
  )
  expect(templateWarning({ ...template, path: '/x?t={{refresh_token}}' })).toMatch(
    /can log a secret/,
  )
  expect(templateWarning({ ...template, method: 'GET' })).toMatch(/body of a GET/)
})
