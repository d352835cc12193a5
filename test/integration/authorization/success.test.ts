import { describe, expect, it } from 'vitest'
import { createSecretBox } from '#hosts/node/session/secrets.ts'
import {
  authorizingInOneEngine,
  openAuthorizing,
  pastedUrl,
  canary,
} from '#test/support/authorization.ts'
import { respondWith } from '#test/support/hostile-endpoint.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

describe('a successful run', () => {
  const open = authorizingInOneEngine()

  it('exchanges the code as documented, and stores the token', async () => {
    await using auth = await open()
    const run = await auth.start({ label: 'Ada' })
    expect(run).toMatchObject({ state: 'waiting', acceptsPaste: true, redirectUrl: pastedUrl })
    await auth.paste(run, ` ${auth.redirectFor(run)}\n`)
    const end = await auth.ended(run)
    expect(end).toMatchObject({
      state: 'succeeded',
      failure: null,
      findings: [],
      acceptsPaste: false,
    })
    expect(end.steps.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      'preflight ok',
      'opened ok',
      'returned ok',
      'state ok',
      'code ok',
      'exchange ok',
      'response ok',
      'token ok',
    ])

    const [sent] = auth.endpoint.received
    expect(auth.endpoint.received).toHaveLength(1)
    expect(sent).toMatchObject({ method: 'POST', url: '/api/oauth/token' })
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      grant_type: 'authorization_code',
      api_access_id: 'access-id-1',
      api_access_secret: canary.secret,
      code: auth.code,
    })
    expect(sent?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
    })

    const [token] = await auth.tab.engine.call('tokens.list', {})
    expect(token).toMatchObject({ id: end.tokenId, label: 'Ada', ending: 'c2e8' })
  })

  it('masks secret, code and tokens, and reveals each by its name', async () => {
    await using auth = await open()
    const end = await auth.through()
    expect(Object.fromEntries(end.maskedValues.map(({ name, label }) => [name, label]))).toEqual({
      access_secret: 'Access secret',
      code: 'Authorization code',
      access_token: 'Access token',
      refresh_token: 'Refresh token',
    })
    const text = JSON.stringify(end)
    for (const value of Object.values(canary)) expect(text).not.toContain(value)
    const reveal = (name: string) =>
      auth.tab.engine.call('authorization.reveal', { runId: end.id, name })
    expect(await reveal('access_secret')).toEqual({ value: canary.secret })
    expect(await reveal('code')).toEqual({ value: auth.code })
    expect(await reveal('access_token')).toEqual({ value: canary.token })
    expect(await reveal('refresh_token')).toEqual({ value: canary.refreshToken })
    await expect(reveal('state')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('accepts a state from the user, and another listed redirect URL', async () => {
    const other = 'https://client.invalid/other'
    await using auth = await open({ redirectUrls: [pastedUrl, other] })
    const run = await auth.start({ state: 'mine & only', redirectUrl: other })
    expect(run.authorizeUrl).toContain('state=mine%20%26%20only')
    await auth.paste(run, `${other}?code=${auth.code}&state=mine+%26+only`)
    expect(await auth.ended(run)).toMatchObject({ state: 'succeeded', redirectUrl: other })
  })

  it('replaces an older token with the new one', async () => {
    await using auth = await open()
    const { engine } = auth.tab
    const { tokenId } = await auth.through('older-code')
    const run = await auth.start({ replaces: tokenId ?? 0 })
    const token = 'canary-newer-token-55aa'
    auth.endpoint.answer = respondWith(200, auth.goodAnswer({ token }))
    await auth.paste(run, auth.redirectFor(run, { code: 'newer-code' }))
    expect(await auth.ended(run)).toMatchObject({ state: 'succeeded', tokenId })
    expect(await engine.call('tokens.list', {})).toMatchObject([
      { id: tokenId, ending: '55aa', version: 2 },
    ])
  })

  it('also deletes a record that was incomplete when deletion was requested', async () => {
    await using folder = ownedFolder()
    const box = createSecretBox(folder.path, {})
    const gate = Promise.withResolvers<void>()
    const seal = async (clear: string) => {
      if (clear === canary.code) await gate.promise
      return box.seal(clear)
    }
    await using auth = await openAuthorizing({
      ports: { secrets: { seal, unseal: (sealed) => box.unseal(sealed) } },
    })
    const run = await auth.start()
    await auth.paste(run, auth.redirectFor(run, { code: null, error: 'access_denied' }))
    await auth.ended(run)
    const { integrationId } = auth
    const cleared = auth.tab.engine.call('authorization.clearRuns', { integrationId })
    gate.resolve()
    await cleared
    expect(await auth.tab.engine.call('authorization.runs', { integrationId })).toEqual([])
  })
})
