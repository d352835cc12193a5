import { expect, it } from 'vitest'
import {
  draftOf,
  sameSetup,
  setupErrors,
  setupOf,
  withOption,
} from '#pages/setup/reach/SetupForm.tsx'
import { CallError } from '#client/client.ts'

const field = (name: string) => ({ name, label: name, placeholder: '', hint: '', required: false })
const fields = [field('subdomain'), field('host')]

it('requests the entered options, without empty ones or those of another provider', () => {
  let draft = draftOf({ provider: 'localtunnel', options: { subdomain: 'pier9' } })
  draft = withOption(draft, 'host', '  ')
  expect(setupOf(draft, fields)).toEqual({
    provider: 'localtunnel',
    options: { subdomain: 'pier9' },
  })
  const other = withOption({ ...draft, provider: 'manual' }, 'url', ' https://a.example ')
  expect(setupOf(other, [field('url')])).toEqual({
    provider: 'manual',
    options: { url: 'https://a.example' },
  })
  // The options of the first provider are still there.
  expect(setupOf({ ...other, provider: 'localtunnel' }, fields).options).toEqual({
    subdomain: 'pier9',
  })
})

it('compares a setup with the stored one', () => {
  const setup = { provider: 'a', options: { x: '1' } }
  expect(sameSetup(setup, { provider: 'a', options: { x: '1' } })).toBe(true)
  expect(sameSetup(setup, { provider: 'b', options: { x: '1' } })).toBe(false)
  expect(sameSetup(setup, { provider: 'a', options: {} })).toBe(false)
  expect(sameSetup(setup, { provider: 'a', options: { x: '1', y: '2' } })).toBe(false)
  expect(sameSetup(setup, { provider: 'a', options: { y: '1' } })).toBe(false)
})

function refusal(...named: string[]): CallError {
  return new CallError({
    code: 'bad_input',
    message: 'It is wrong.',
    retry: 'never',
    details: { fields: named },
  })
}

it('assigns an error to its field', () => {
  expect(setupErrors(null, fields)).toEqual({ fields: {}, general: null })
  expect(setupErrors(refusal('subdomain'), fields)).toEqual({
    fields: { subdomain: 'It is wrong.' },
    general: null,
  })
  expect(setupErrors(refusal('setup.options.host'), fields).fields).toEqual({
    host: 'It is wrong.',
  })
  expect(setupErrors(refusal('provider'), fields).general).toBe('It is wrong.')
  expect(setupErrors(refusal(), fields).general).toBe('It is wrong.')
  expect(setupErrors(new Error('Gone.'), fields).general).toBe('Gone.')
})
