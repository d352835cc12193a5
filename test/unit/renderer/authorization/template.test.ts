import { expect, it } from 'vitest'
import { defaultRefreshTemplate } from '#contract/default-refresh.ts'
import {
  templateWarning,
  isDefault,
  templateErrors,
} from '#pages/authorization/refresh/RefreshView.tsx'

const template = defaultRefreshTemplate

it('reports no errors for the default', () => {
  expect(templateErrors(template)).toEqual({ path: null, body: null })
  expect(templateWarning(template)).toBeNull()
  expect(isDefault({ ...template, headers: [...template.headers] })).toBe(true)
})

it('distinguishes a changed part from the default', () => {
  expect(isDefault({ ...template, method: 'PUT' })).toBe(false)
  expect(isDefault({ ...template, headers: [] })).toBe(false)
})

it('rejects a body that is not JSON, and a missing path', () => {
  expect(templateErrors({ ...template, body: '{"a":}' }).body).toMatch(/^This is not JSON/)
  expect(templateErrors({ ...template, body: ' ' }).body).toBeNull()
  expect(templateErrors({ ...template, path: '' }).path).toMatch(/Enter a path/)
})

it('warns about templates that are unlikely to work', () => {
  expect(templateWarning({ ...template, body: '{}' })).toMatch(/does not contain/)
  expect(templateWarning({ ...template, path: '/x/{{token}}' })).toMatch(
    /\{\{token\}\} is not a known placeholder/,
  )
  expect(templateWarning({ ...template, path: '/x?t={{refresh_token}}' })).toMatch(
    /can log a secret/,
  )
  expect(templateWarning({ ...template, method: 'GET' })).toMatch(/body of a GET/)
})
