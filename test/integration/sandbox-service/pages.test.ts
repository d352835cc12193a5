import { expect, it } from 'vitest'
import { open } from './service-client.ts'

it('escapes hostile input', async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`
  await using opened = await open({
    accessId: hostile,
    accessSecret: hostile,
    redirectUrls: [`https://x.example/?a="><script>alert(1)</script>&b='`],
  })
  const [url = ''] = opened.service.state().redirectUrls
  const wrong = new URLSearchParams({ redirect_url: hostile, access_id: hostile, state: hostile })
  const right = new URLSearchParams({
    response_type: 'code',
    access_id: hostile,
    redirect_url: url,
    state: hostile,
  })
  const pages = [
    await opened.get(`/${hostile.replaceAll(' ', '/')}`),
    await opened.get(`/manager/oauth?${wrong.toString()}`),
    await opened.get(`/manager/oauth?${right.toString()}`),
  ]
  expect(pages.map(({ status }) => status)).toEqual([404, 400, 200])
  for (const answer of pages) {
    const text = await answer.text()
    expect(text).not.toMatch(/<script|<img|onerror='/)
    // Each attribute value is closed correctly: it is followed by another attribute, or by the end of the tag.
    expect(text).not.toMatch(/="[^"]*"[^\s/>]/)
  }
})

it('shows bidirectional control characters as escapes', async () => {
  await using opened = await open()
  const answer = await opened.get(opened.query({ redirect_url: 'https://x.example/\u202Egpj' }))
  expect(await answer.text()).toContain('https://x.example/\\u202egpj')
})

it('has a content security policy without scripts, frames and other origins', async () => {
  await using opened = await open()
  const policyOf = async (path: string) =>
    (await opened.get(path)).headers.get('content-security-policy')
  const base = "default-src 'none'; style-src 'self'; base-uri 'none'; "
  expect(await policyOf('/nothing')).toBe(`${base}form-action 'self'; frame-ancestors 'none'`)
  expect(await policyOf('/manager/oauth')).toBe(`${base}form-action 'self'; frame-ancestors 'none'`)
  // The form redirects to the client, so its policy must not restrict form targets to this origin.
  expect(await policyOf(opened.query())).toBe(`${base}frame-ancestors 'none'`)
  for (const path of ['/sandbox.css', '/api/sandbox/locations', '/nothing']) {
    const { headers } = await opened.get(path)
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('cache-control'), path).toContain('no-store')
    expect(headers.get('access-control-allow-origin'), path).toBeNull()
  }
})
