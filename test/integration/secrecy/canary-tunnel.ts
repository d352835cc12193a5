import { expect } from 'vitest'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { until } from '#test/support/until.ts'

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

/** Makes every call of the tunnel; `typed` is entered in wrong fields, and rejected. */
export async function tunnelWithSecrets(
  call: Call,
  of: { readonly listenerPort: number; readonly typed: string },
): Promise<void> {
  const origin = `http://127.0.0.1:${of.listenerPort}`
  const setup = { provider: 'manual', options: { url: origin } }
  const typed = encodeURIComponent(of.typed)
  for (const { id, fields } of await call('tunnel.providers', {})) {
    for (const { name } of fields) {
      const options = { [name]: `https://ada:${typed}@tunnel.example.test/${typed}` }
      const refused = { provider: id, options }
      await expect(call('tunnel.open', { setup: refused })).rejects.toMatchObject({
        code: 'bad_input',
      })
      await expect(call('tunnel.configure', { setup: refused })).rejects.toMatchObject({
        code: 'bad_input',
      })
    }
  }
  await call('tunnel.configure', { setup })
  await call('tunnel.open', { setup })
  await until('the tunnel', async () => {
    const { tunnel } = await call('app.snapshot', {})
    return tunnel.state === 'online'
  })
  await call('tunnel.check', {})
  await call('tunnel.copied', { url: `https://ada:${typed}@before.example.test/${typed}` })
  const { warnings } = await call('tunnel.open', { setup })
  expect(warnings).not.toEqual([])
  await until('the tunnel again', async () => {
    const { tunnel } = await call('app.snapshot', {})
    return tunnel.state === 'online'
  })
  await call('tunnel.dismiss', { kind: 'address_changed' })
  await call('tunnel.close', {})
}
